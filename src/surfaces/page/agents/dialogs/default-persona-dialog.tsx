import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { personasQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { useAction } from '../../parts/use-action.ts';
import { PersonaChoice } from './persona-choice.tsx';

/** Chooses the persona that new agents of one project start with. */
export function DefaultPersonaDialog({
  project,
  onClose,
}: {
  readonly project: Project;
  readonly onClose: () => void;
}) {
  const { data: personas = [] } = useQuery(personasQuery);
  const [slug, setSlug] = useState(project.default_persona ?? '');
  const save = useAction(
    async () => {
      const { name, default_persona } = await post<Project>(PATHS.defaultPersona(project.id), {
        persona: slug === '' ? null : slug,
      });
      return default_persona === null
        ? `New agents in ${name} start without a persona.`
        : `New agents in ${name} start with the persona ${default_persona}.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Default persona for ${visible(project.name)}`} onClose={onClose}>
      <PersonaChoice
        personas={personas}
        chosen={slug}
        onChoose={setSlug}
        none="No default persona"
        hint="New agents in this project start with this persona unless you choose another. Running agents keep theirs."
      />
      <Trouble error={save.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={save.busy}
          aria-label={visible(`Save default persona of ${project.name}`)}
          onClick={() => void save.run().then((done) => done && onClose())}
        >
          Save
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
