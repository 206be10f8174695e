import { useState } from 'react';
import type { Project } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { Button } from '../../parts/button.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { ProjectSection } from '../../personas/project-section.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyInWords } from './policy-words.ts';

/**
 * The handoff policies of the projects. The policies of personas and agents are on the pages of personas and agents.
 */
export const ProjectPolicies = () => (
  <ProjectSection
    title="Automatic handoffs"
    note="Without a policy, Baton only suggests handoffs. An agent's own policy comes first, then its persona's, then its project's."
    row={(project) => <ProjectRow key={project.id} project={project} />}
  />
);

function ProjectRow({ project }: { readonly project: Project }) {
  const [isOpen, setOpen] = useState(false);
  const policy = project.handoff_policy ?? null;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0">
          <span className="font-medium">{visible(project.name)}</span>
          <span className="block text-sm text-muted">{policyInWords(policy)}</span>
        </span>
        <Button
          small
          aria-expanded={isOpen}
          aria-label={visible(`${isOpen ? 'Close' : 'Change'} handoff policy of ${project.name}`)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Change'}
        </Button>
      </div>
      {isOpen && (
        <div className="mt-4">
          <PolicyForm
            path={PATHS.projectPolicy(project.id)}
            policy={policy}
            of={project.name}
            onSaved={() => setOpen(false)}
          />
        </div>
      )}
    </li>
  );
}
