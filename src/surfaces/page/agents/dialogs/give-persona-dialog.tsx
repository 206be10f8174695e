import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { personasQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Gives an agent a persona, or replaces the agent's persona. An agent without a persona cannot hand off. */
export function GivePersonaDialog({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const { data: personas = [] } = useQuery(personasQuery);
  const has = agent.persona?.slug;
  const active = personas.filter(({ status, slug: each }) => status === 'active' && each !== has);
  const [slug, setSlug] = useState('');
  const give = useAction(
    async () => {
      const { label } = await post<Agent>(PATHS.givePersona(agent.id), {
        persona: slug || active[0]?.slug,
        replace: has !== undefined,
      });
      return `Agent ${agent.id} now has the persona ${label}.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog
      title={
        has === undefined
          ? `Assign a persona to agent ${agent.id}`
          : `Change the persona of ${agent.label}, agent ${agent.id}`
      }
      onClose={onClose}
    >
      {active.length === 0 ? (
        <p>
          {has === undefined ? 'No personas yet.' : 'No other personas yet.'}{' '}
          <Link to="/personas" className="text-accent underline">
            Create a persona
          </Link>
        </p>
      ) : (
        <Field
          label={has === undefined ? 'Persona' : 'New persona'}
          hint={`Baton gives the agent this persona's skill as soon as the agent is idle.${has === undefined ? '' : ' The agent still remembers its current skill and appears in the lineage of both personas.'}`}
        >
          {(ids) => (
            <Select {...ids} value={slug || active[0]?.slug} onChange={(event) => setSlug(event.target.value)}>
              {active.map((persona) => (
                <option key={persona.slug} value={persona.slug}>
                  {visible(persona.name)} · {persona.role}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Trouble error={give.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={give.busy}
          disabled={active.length === 0}
          onClick={() => void give.run().then((done) => done && onClose())}
        >
          {has === undefined ? 'Assign persona' : 'Change persona'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
