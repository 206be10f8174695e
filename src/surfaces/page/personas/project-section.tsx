import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Project } from '../../../contract/resources.ts';
import { projectsQuery } from '../api/queries.ts';
import { Panel, Section } from '../parts/panel.tsx';

/** A section of the settings with one row for each project. */
export function ProjectSection({
  title,
  note,
  row,
}: {
  readonly title: string;
  readonly note: string;
  readonly row: (project: Project) => ReactNode;
}) {
  const { data: projects = [] } = useQuery(projectsQuery);
  return (
    <Section title={title}>
      <Panel className="p-4 md:p-5">
        <p className="mb-4 text-sm text-muted">{note}</p>
        {projects.length === 0 ? (
          <p className="text-sm">No projects yet.</p>
        ) : (
          <ul className="divide-y divide-line">{projects.map(row)}</ul>
        )}
      </Panel>
    </Section>
  );
}
