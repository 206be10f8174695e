import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../../contract/resources.ts';
import { DefaultPersonaDialog } from '../agents/dialogs/default-persona-dialog.tsx';
import { personasQuery } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { useDialogHost } from '../parts/dialogs/dialog-host.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { ProjectSection } from './project-section.tsx';

/** The persona that new agents of each project start with. */
export const DefaultPersonas = () => (
  <ProjectSection
    title="Default personas"
    note="New agents in a project start with its default persona, unless you choose another one."
    row={(project) => <ProjectRow key={project.id} project={project} />}
  />
);

function ProjectRow({ project }: { readonly project: Project }) {
  const { data: personas = [] } = useQuery(personasQuery);
  const open = useDialogHost();
  const persona = personas.find(({ slug }) => slug === project.default_persona);
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-3">
      <span className="min-w-0">
        <span className="font-medium">{visible(project.name)}</span>
        <span className="block text-sm text-muted">
          {persona === undefined ? 'No default persona' : visible(`${persona.name} · ${persona.role}`)}
        </span>
      </span>
      <Button
        small
        aria-label={visible(`Change default persona of ${project.name}`)}
        onClick={() => open((close) => <DefaultPersonaDialog project={project} onClose={close} />)}
      >
        Change
      </Button>
    </li>
  );
}
