import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent, Candidate } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { personasQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { PersonaChoice } from './persona-choice.tsx';

/** Says in full what adoption does to an external session, before the operator confirms. */
export function AdoptSessionDialog({
  candidate,
  onClose,
}: {
  readonly candidate: Candidate;
  readonly onClose: () => void;
}) {
  const { session_id, runtime, folder, tmux, default_persona } = candidate;
  const { data: personas = [] } = useQuery(personasQuery);
  const [slug, setSlug] = useState(default_persona ?? '');
  const adopt = useAction(
    async () => {
      const wanted = { runtime, persona: slug === '' ? null : slug };
      const { id } = await post<Agent>(PATHS.adoptExternalSession(session_id), wanted);
      return `Session ${session_id.slice(0, 8)} becomes agent ${id}.`;
    },
    { inDialog: true },
  );
  const name = personas.find((persona) => persona.slug === slug)?.name;
  return (
    <Dialog title={`Adopt session ${visible(session_id.slice(0, 8))}?`} onClose={onClose}>
      <p className="wrap-anywhere">
        You started it yourself in <code className="font-mono text-sm">{visible(folder ?? 'an unknown folder')}</code>
        {tmux !== null && `, pane ${tmux.pane} of your own tmux`}. From then on:
      </p>
      <ul className="my-3 list-disc space-y-1.5 pl-5">
        <li>Baton reads its screen, and hears from its hooks what it does.</li>
        <li>
          {name === undefined
            ? 'Nothing is typed into it until you send it something.'
            : `It is ${visible(name)}: the skill is typed into the session as soon as it rests.`}
        </li>
        <li>
          When you ask for a handoff, Baton types the instruction into it and then <strong>ends it</strong> with its
          exit command. The successor begins in Baton’s own tmux.
        </li>
        <li>
          Your pane, its shell and everything else in your tmux stay as they are. You can take it back at any time.
        </li>
      </ul>
      <PersonaChoice
        personas={personas}
        chosen={slug}
        onChoose={setSlug}
        hint={
          default_persona === null
            ? 'Only an agent with a persona can hand over to a successor. It can be given one later.'
            : 'The default of this project is chosen; it can be changed later.'
        }
      />
      <Trouble error={adopt.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" busy={adopt.busy} onClick={() => void adopt.run().then((done) => done && onClose())}>
          Adopt it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
