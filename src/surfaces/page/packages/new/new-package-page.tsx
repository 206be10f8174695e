import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { NO_FIELDS } from '../../../../contract/packages/new-package.ts';
import type { Project } from '../../../../contract/resources.ts';
import { projectsQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Column, PageTitle, Panel } from '../../parts/panel.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { Path } from '../../parts/words/path.tsx';
import { type FormField, fieldsToCorrect } from './form-findings.ts';
import { FormOrText } from './form-or-text.tsx';
import { Judgement } from './lint-result.tsx';
import { PackageFieldsForm } from './package-fields-form.tsx';
import { selectLine } from './select-line.ts';
import { TextOfPackage } from './text-of-package.tsx';
import { useNewPackage } from './use-new-package.ts';

const NONE_WRONG: ReadonlySet<FormField> = new Set();

/** The page where the operator writes a package, as an agent does on the command line. */
export function NewPackagePage() {
  const { data: projects, error } = useQuery(projectsQuery);
  return (
    <Column>
      <PageTitle
        back={{ to: '/packages', title: 'Packages' }}
        title="New package"
        note="Give work to an agent, with context, files and expectations."
      />
      <Trouble error={error} />
      {projects === undefined && error === null && <Loading what="Loading projects" />}
      {projects !== undefined && <PackageForm projects={projects} />}
    </Column>
  );
}

/** Explains the choice of the project: the folder of the chosen project, or where projects come from. */
function hintOf(chosen: Project | undefined, projects: readonly Project[]): ReactNode {
  if (chosen !== undefined) return <Path text={chosen.path} />;
  return projects.length === 0
    ? 'There are no projects yet. The folder of the first agent that you start becomes a project.'
    : 'The project that contains the files.';
}

function PackageForm({ projects }: { readonly projects: readonly Project[] }) {
  const [first, ...others] = projects;
  const only = first !== undefined && others.length === 0 ? String(first.id) : '';
  const { text, fields, project, change, fill, writeAsText, judged, refusal, busyWith, run } = useNewPackage(only);
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  const isBusy = busyWith !== null;
  useEffect(() => {
    if (judged !== null || refusal !== null) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [judged, refusal]);
  const chosen = projects.find(({ id }) => String(id) === project);
  const isOnly = (name: string): boolean => projects.filter((each) => each.name === name).length === 1;
  // There is no <form>, so that Enter in a field does not submit the package.
  return (
    <Panel className="p-4 md:p-5">
      <div className="grid items-start gap-x-8 lg:grid-cols-2">
        <Field label="Project" hint={hintOf(chosen, projects)}>
          {(ids) => (
            <Select
              {...ids}
              disabled={isBusy}
              value={project}
              onChange={({ target }) => change({ project: target.value })}
            >
              {project === '' && <option value="">Choose a project</option>}
              {projects.map(({ id, name, path }) => (
                <option key={id} value={id}>
                  {visible(isOnly(name) ? name : `${name} · ${path}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FormOrText
          isForm={fields !== null}
          onForm={() => change({ fields: NO_FIELDS, text: '' })}
          onText={writeAsText}
          hasText={text !== ''}
        />
      </div>
      {fields === null ? (
        <TextOfPackage
          text={text}
          readOnly={isBusy}
          onText={(typed) => change({ text: typed })}
          onSend={() => run('submit')}
          field={field}
        />
      ) : (
        <PackageFieldsForm
          fields={fields}
          wrong={judged?.fields ? fieldsToCorrect(judged.findings, judged.fields, fields) : NONE_WRONG}
          disabled={isBusy}
          onChange={fill}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto text-sm text-muted max-sm:hidden">{fields === null && 'Ctrl+Enter to submit'}</span>
        <Button className="max-sm:flex-1" disabled={isBusy} busy={busyWith === 'check'} onClick={() => run('check')}>
          Check package
        </Button>
        <Button className="max-sm:flex-1" disabled={isBusy} busy={busyWith === 'save'} onClick={() => run('save')}>
          Save draft
        </Button>
        <Button
          kind="primary"
          className="max-sm:flex-1"
          disabled={isBusy}
          busy={busyWith === 'submit'}
          onClick={() => run('submit')}
        >
          Submit package
        </Button>
      </div>
      {/* The margin keeps the lint's result above the navigation of a phone when the page scrolls to the result. */}
      <div ref={answer} className="scroll-mb-24">
        <Judgement
          judged={judged}
          text={text}
          isForm={fields !== null}
          onLine={(line) => selectLine(field.current, line)}
        />
        <div className="mt-4 empty:hidden">
          <Trouble error={refusal} />
        </div>
      </div>
    </Panel>
  );
}
