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

/** Chooses the persona that agents of one project begin with. */
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
        ? `Agents of ${name} begin without a persona.`
        : `Agents of ${name} begin as ${default_persona}.`;
    },
    { inDialog: true },
  );
  return (
    <Dialog title={`Default persona of ${visible(project.name)}`} onClose={onClose}>
      <PersonaChoice
        personas={personas}
        chosen={slug}
        onChoose={setSlug}
        hint="What agents of this project begin as unless another persona is chosen. Those that run keep what they have."
      />
      <Trouble error={save.refusal} />
      <DialogButtons>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" busy={save.busy} onClick={() => void save.run().then((done) => done && onClose())}>
          Save
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
