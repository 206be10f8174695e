import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Agent, Project } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post } from '../../api/call.ts';
import { personasQuery, projectsQuery, runtimesQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButtons } from '../../parts/dialogs/dialog.tsx';
import { useTell } from '../../parts/dialogs/toasts.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Loading } from '../../parts/spinner.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { PersonaChoice } from './persona-choice.tsx';
import { RuntimeChoice } from './runtime-choice.tsx';
import { WorktreeChoice } from './worktree-choice.tsx';

const NEW_FOLDER = 'new';

/** Starts an agent: chooses its project, runtime, persona and worktree. */
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
  const [picked, setPersona] = useState(personaSlug);
  const persona = picked ?? projects.find(({ id }) => String(id) === project)?.default_persona ?? '';
  const [chosen, setRuntime] = useState<string | null>(null);
  const [worktree, setWorktree] = useState<string | null>(null);
  const runtime = chosen ?? runtimes.find(({ why_unavailable }) => why_unavailable === null)?.id ?? null;
  const { start, busy, problem } = useStart(onClose);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (runtime === null) return;
    const place = project === NEW_FOLDER ? { folder } : { projectId: Number(project) };
    void start({ ...place, runtime, persona, worktree });
  };
  return (
    <form onSubmit={submit}>
      <Field label="Project">
        {(ids) => (
          <Select {...ids} autoFocus value={project} onChange={(event) => setProject(event.target.value)}>
            {projects.map(({ id, name, path }) => (
              <option key={id} value={id}>
                {visible(name)} · {visible(path)}
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
      <PersonaChoice
        personas={personas}
        chosen={persona}
        onChoose={setPersona}
        hint="An agent with a persona starts with its skill and experience and can hand over to a successor."
      />
      <WorktreeChoice name={worktree} onChange={setWorktree} />
      <Trouble error={problem} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy} disabled={runtime === null}>
          Start agent
        </Button>
      </DialogButtons>
    </form>
  );
}

interface Wanted {
  readonly projectId?: number;
  readonly folder?: string;
  readonly runtime: string;
  readonly persona: string;
  /** null means the project's own folder; an empty name means that Baton names the worktree. */
  readonly worktree: string | null;
}

function useStart(onClose: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  const projectOf = async ({ projectId, folder = '' }: Wanted): Promise<number> => {
    if (projectId !== undefined) return projectId;
    const { id } = await post<Project>(PATHS.projects, { path: folder.trim() });
    await client.invalidateQueries({ queryKey: projectsQuery.queryKey });
    return id;
  };
  const start = async (wanted: Wanted): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { runtime, persona, worktree } = wanted;
      const project_id = await projectOf(wanted);
      const who = { persona: persona === '' ? null : persona, ...(worktree !== null && { worktree: worktree.trim() }) };
      const agent = await post<Agent>(PATHS.agents, { project_id, runtime, ...who });
      tell.good(`Agent ${agent.id} (${agent.label}) is starting.`);
      onClose();
      await navigate({ to: '/' });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { start, busy, problem };
}
