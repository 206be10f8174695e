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

/** Gives an agent a persona; without one it cannot hand over. */
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
      return `Agent ${agent.id} is ${label} now.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Give agent ${agent.id} ${has === undefined ? 'a' : 'another'} persona`} onClose={onClose}>
      {active.length === 0 ? (
        <p>
          There is no {has === undefined ? '' : 'other '}persona yet.{' '}
          <Link to="/personas" className="text-accent underline">
            Create one first
          </Link>
          .
        </p>
      ) : (
        <Field
          label="Persona"
          hint={`It gets the persona's skill at the next moment when nothing else is being said.${has === undefined ? '' : ' What it has heard as the one it has, it keeps in mind; the lineage tells of both.'}`}
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
        <Button onClick={onClose}>Back</Button>
        <Button
          kind="primary"
          busy={give.busy}
          disabled={active.length === 0}
          onClick={() => void give.run().then((done) => done && onClose())}
        >
          Give it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
