import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent, Candidate } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { candidatesQuery, personasQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { PersonaChoice } from './persona-choice.tsx';

/** Describes in full what an adoption does to an external session, before the operator confirms. */
export function AdoptSessionDialog({
  candidate,
  onClose,
}: {
  readonly candidate: Candidate;
  readonly onClose: () => void;
}) {
  const { session_id, runtime, folder, tmux } = candidate;
  const { data: personas = [] } = useQuery(personasQuery);
  const { data: candidates = [] } = useQuery(candidatesQuery);
  // Propose the project's current default persona until the operator chooses a persona, because the default may have
  // changed just before the dialog opened.
  const current = candidates.find((one) => one.runtime === runtime && one.session_id === session_id) ?? candidate;
  const { default_persona } = current;
  const [chosen, setChosen] = useState<string>();
  const slug = chosen ?? default_persona ?? '';
  const adopt = useAction(
    async () => {
      const wanted = { runtime, persona: slug === '' ? null : slug };
      const { id } = await post<Agent>(PATHS.adoptExternalSession(session_id), wanted);
      return `Adopting session ${session_id.slice(0, 8)} as agent ${id}.`;
    },
    { inDialog: true },
  );
  const name = personas.find((persona) => persona.slug === slug)?.name;
  return (
    <Dialog title={`Adopt session ${visible(session_id.slice(0, 8))}?`} onClose={onClose}>
      <p className="wrap-anywhere">
        You started this session in <code className="font-mono text-sm">{visible(folder ?? 'an unknown folder')}</code>
        {tmux !== null && `, pane ${tmux.pane} of your tmux`}. If you adopt it:
      </p>
      <ul className="my-3 list-disc space-y-1.5 pl-5">
        <li>Baton reads its screen and receives its hook events.</li>
        <li>
          {name === undefined
            ? 'Baton types nothing into the session until you send a message.'
            : `The session gets the persona ${visible(name)}: Baton types the skill into the session once it is idle.`}
        </li>
        <li>
          When you start a handoff, Baton types the instruction into it and then <strong>stops it</strong> with its exit
          command. The successor runs in Baton’s own tmux.
        </li>
        <li>
          Your pane, its shell and the rest of your tmux stay as they are. You can release the session whenever no
          handoff is running.
        </li>
      </ul>
      <PersonaChoice
        personas={personas}
        chosen={slug}
        onChoose={setChosen}
        hint={
          default_persona === null
            ? 'Only an agent with a persona can hand over to a successor. You can assign one later.'
            : 'The default persona of this project is selected. You can change it later.'
        }
      />
      <Trouble error={adopt.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={adopt.busy} onClick={() => void adopt.run().then((done) => done && onClose())}>
          Adopt session
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
