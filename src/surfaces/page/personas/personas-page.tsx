import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent, Persona } from '../../../contract/resources.ts';
import { StartAgentDialog } from '../agents/dialogs/start-agent-dialog.tsx';
import { agentsQuery, personasQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { Empty, PageTitle } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { PersonaFormDialog } from './persona-form-dialog.tsx';
import { PersonaRow } from './persona-row.tsx';

export function PersonasPage() {
  const { data: personas, error } = useQuery(personasQuery);
  const [open, setOpen] = useState<{ readonly start?: string; readonly register?: true }>({});
  const navigate = useNavigate();
  const close = (): void => setOpen({});
  return (
    <>
      <PageTitle title="Personas" note="Identities that outlast their agents: role, skill and experience.">
        <Button kind="primary" onClick={() => setOpen({ register: true })}>
          New persona
        </Button>
      </PageTitle>
      <Trouble error={error} />
      {personas === undefined && error === null && <Loading />}
      {personas !== undefined && <Personas personas={personas} onStart={(start) => setOpen({ start })} />}
      {open.register && (
        <PersonaFormDialog
          onClose={close}
          onSaved={(slug) => void navigate({ to: '/personas/$slug', params: { slug } })}
        />
      )}
      {open.start !== undefined && <StartAgentDialog personaSlug={open.start} onClose={close} />}
    </>
  );
}

function Personas({
  personas,
  onStart,
}: {
  readonly personas: readonly Persona[];
  readonly onStart: (slug: string) => void;
}) {
  const { data: agents } = useQuery(agentsQuery);
  const byName = [...personas].sort((one, other) => one.name.localeCompare(other.name));
  const active = byName.filter(({ status }) => status === 'active');
  const archived = byName.filter(({ status }) => status === 'archived');
  const rows = (some: readonly Persona[]) => (
    <ul className="grid gap-4 2xl:grid-cols-2 min-[140rem]:grid-cols-3">
      {some.map((persona) => (
        <PersonaRow
          key={persona.slug}
          persona={persona}
          liveAgents={agents && countLive(agents, persona.slug)}
          onStart={() => onStart(persona.slug)}
        />
      ))}
    </ul>
  );
  return (
    <>
      {active.length > 0 ? (
        rows(active)
      ) : (
        <Empty title={archived.length > 0 ? 'All personas are archived' : 'No personas yet'}>
          A persona has a role, a skill and the experience of its agents. Only agents with a persona can hand over.
        </Empty>
      )}
      {archived.length > 0 && (
        <div className="mt-6">
          <Fold summary={`Archived (${archived.length})`}>{rows(archived)}</Fold>
        </div>
      )}
    </>
  );
}

const countLive = (agents: readonly Agent[], slug: string): number =>
  agents.filter(({ persona, state }) => persona?.slug === slug && state !== 'ended' && state !== 'lost').length;
