import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { agentsQuery, personasQuery, projectsQuery, runtimesQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { Path } from '../../parts/words/path.tsx';
import { isLive } from '../hand-off.ts';
import { AgentRow } from './agent-row.tsx';
import { choosePersona, chooseRuntime, readLastStart } from './last-start.ts';
import { NO_PROGRAM_TEXT, ProgramFields, programFields } from './program-fields.tsx';
import { RuntimeChoice } from './runtime-choice.tsx';
import { agentsOf, EMPTY_ROW, rowOf, type StartRow } from './start-rows.ts';
import { MAX_AT_ONCE, useStart } from './use-start.ts';
import { WorktreeChoice } from './worktree-choice.tsx';

const NEW_FOLDER = 'new';

/** Starts one or several agents. The operator chooses project, runtime, persona, first prompt and worktree. */
export function StartAgentDialog({
  personaSlug,
  onClose,
}: {
  readonly personaSlug?: string;
  readonly onClose: () => void;
}) {
  const projects = useQuery(projectsQuery);
  const runtimes = useQuery(runtimesQuery);
  const personas = useQuery(personasQuery);
  const problem = projects.error ?? runtimes.error ?? personas.error;
  const known = projects.data && runtimes.data && personas.data;
  return (
    <Dialog title="Start agent" onClose={onClose}>
      {problem !== null && <Trouble error={problem} />}
      {known ? (
        <StartForm {...(personaSlug !== undefined && { personaSlug })} onClose={onClose} />
      ) : (
        <>
          {problem === null && <Loading />}
          <DialogButtons>
            <Button onClick={onClose}>Cancel</Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

function StartForm({ personaSlug, onClose }: { readonly personaSlug?: string; readonly onClose: () => void }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: runtimes = [] } = useQuery(runtimesQuery);
  const { data: personas = [] } = useQuery(personasQuery);
  const [project, setProject] = useState<string>(() => String(projects.at(-1)?.id ?? NEW_FOLDER));
  const [folder, setFolder] = useState('');
  const [last] = useState(readLastStart);
  const existing = projects.find(({ id }) => String(id) === project);
  const usual = choosePersona(existing?.default_persona, last, personas);
  const [rows, setRows] = useState<readonly StartRow[]>([{ ...EMPTY_ROW, persona: personaSlug ?? null }]);
  const persona = rows[0]?.persona ?? usual;
  const [chosen, setRuntime] = useState<string | null>(null);
  const [worktree, setWorktree] = useState<string | null>(null);
  const [count, setCount] = useState(1);
  const runtime = chosen ?? chooseRuntime(last, runtimes);
  const capabilities = runtimes.find(({ id }) => id === runtime)?.capabilities;
  const [program, setProgram] = useState(NO_PROGRAM_TEXT);
  const { start, busy, problem } = useStart(onClose);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (runtime === null) return;
    const place = project === NEW_FOLDER ? { folder } : { projectId: Number(project) };
    const wanted = { ...place, runtime, program: programFields(program, capabilities), worktree };
    void start({ ...wanted, agents: agentsOf(rows, rowCount, usual) }).then((left) => {
      // Keep the form open if the server refused to start an agent, so that the next click starts only the agents that
      // were not started yet.
      setCount(Math.max(1, left.length));
      setRows(left.map(rowOf));
    });
  };
  const change = (at: number, changed: Partial<StartRow>): void =>
    setRows(
      Array.from({ length: Math.max(rows.length, at + 1) }, (_, index) => {
        const row = rows[index] ?? EMPTY_ROW;
        return index === at ? { ...row, ...changed } : row;
      }),
    );
  const isOnly = (name: string): boolean => projects.filter((each) => each.name === name).length === 1;
  const rowCount = Math.min(Math.max(1, count || 1), MAX_AT_ONCE);
  return (
    <form onSubmit={submit}>
      <Field label="Project" hint={existing === undefined ? undefined : <Path text={existing.path} />}>
        {(ids) => (
          <Select {...ids} autoFocus value={project} onChange={(event) => setProject(event.target.value)}>
            {projects.map(({ id, name, path }) => (
              <option key={id} value={id}>
                {visible(isOnly(name) ? name : `${name} · ${path}`)}
              </option>
            ))}
            <option value={NEW_FOLDER}>Another folder…</option>
          </Select>
        )}
      </Field>
      {project === NEW_FOLDER && (
        <Field label="Folder" hint="Absolute path of an existing folder. Baton adds it to your projects.">
          {(ids) => (
            <TextInput
              {...ids}
              required
              className="font-mono"
              placeholder="/home/you/project"
              spellCheck={false}
              autoCapitalize="none"
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
            />
          )}
        </Field>
      )}
      <RuntimeChoice runtimes={runtimes} chosen={runtime} onChoose={setRuntime} />
      <ProgramFields
        capabilities={capabilities}
        text={program}
        onChange={(changed) => setProgram({ ...program, ...changed })}
      />
      <Field
        label="Number of agents"
        hint={count > 1 ? 'Each agent can have its own persona and prompt, below.' : undefined}
      >
        {(ids) => (
          <TextInput
            {...ids}
            type="number"
            min={1}
            max={MAX_AT_ONCE}
            required
            className="max-w-24"
            value={Number.isNaN(count) ? '' : count}
            onChange={(event) => setCount(event.target.valueAsNumber)}
          />
        )}
      </Field>
      {Array.from({ length: rowCount }, (_, at) => (
        <AgentRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are numbered and never change their places
          key={at}
          row={rows[at] ?? EMPTY_ROW}
          personas={personas}
          chosen={at === 0 ? persona : null}
          ending={rowCount === 1 ? '' : ` (${at + 1} of ${rowCount})`}
          onChange={(changed) => change(at, changed)}
        >
          {at === 0 && <PersonaInUse slug={persona} />}
        </AgentRow>
      ))}
      <WorktreeChoice name={worktree} onChange={setWorktree} />
      <Trouble error={problem} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy} disabled={runtime === null}>
          {count > 1 ? `Start ${count} agents` : 'Start agent'}
        </Button>
      </DialogButtons>
    </form>
  );
}

/**
 * Names the live agents that already have the chosen persona. Two agents with one persona do not share what they learn.
 */
function PersonaInUse({ slug }: { readonly slug: string }) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const same = agents.filter((agent) => isLive(agent) && agent.persona?.slug === slug);
  if (slug === '' || same.length === 0) return null;
  const names = same.map(({ id, project }) => `agent ${id} in ${project.name}`).join(', ');
  return (
    <p role="status" className="-mt-2 mb-4 text-sm wrap-anywhere text-amber">
      {visible(
        `${same[0]?.label} is already live as ${names}. Packages to this persona may go to any of these agents.`,
      )}
    </p>
  );
}
