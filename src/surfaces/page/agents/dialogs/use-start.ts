import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent, Persona, Project } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { post, sentenceOf } from '../../api/call.ts';
import { personasQuery, projectsQuery } from '../../api/queries.ts';
import { useTell } from '../../parts/dialogs/toasts.tsx';
import { saveLastStart } from './last-start.ts';
import type { AgentToStart } from './start-rows.ts';

export const MAX_AT_ONCE = 20;

export interface Wanted {
  readonly projectId?: number;
  readonly folder?: string;
  readonly runtime: string;
  /** The model and the arguments for the agent's program, if given. */
  readonly program: { readonly model?: string; readonly client_args?: readonly string[] };
  /**
   * The name of a new worktree. Null means the project's own folder; an empty name means that Baton names the worktree.
   */
  readonly worktree: string | null;
  readonly agents: readonly AgentToStart[];
}

/**
 * Starts the agents one after another. If the server refuses to start an agent, the form stays open and says how many
 * agents have started.
 */
export function useStart(onClose: () => void) {
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
  /** Starts the agents. Resolves to the agents that were not started. */
  const start = async (wanted: Wanted): Promise<readonly AgentToStart[]> => {
    setBusy(true);
    setProblem(null);
    const started: Agent[] = [];
    const personas = personaMaker();
    try {
      const project_id = await projectOf(wanted);
      for (const { persona, prompt } of wanted.agents) {
        const slug = await personas.slugOf(persona);
        const place = {
          project_id,
          runtime: wanted.runtime,
          ...wanted.program,
          ...worktreeOf(wanted, started.length + 1),
        };
        started.push(
          await post<Agent>(PATHS.agents, { ...place, persona: slug || null, ...(prompt !== '' && { prompt }) }),
        );
        saveLastStart({ runtime: wanted.runtime, persona: slug });
      }
      tell.good(saidOf(started));
      onClose();
      await navigate({ to: '/' });
    } catch (error) {
      const before = started.length === 0 ? '' : `${started.length} of ${wanted.agents.length} agents started. `;
      setProblem(started.length === 0 ? error : new Error(`${before}${sentenceOf(error)}`));
    } finally {
      await client.invalidateQueries({ queryKey: personasQuery.queryKey });
      setBusy(false);
    }
    return wanted.agents.slice(started.length).map(personas.withSlug);
  };
  return { start, busy, problem };
}

/**
 * Creates the new personas of the form. Creates each of them only once, even if several agents get the same new
 * persona.
 */
function personaMaker() {
  const made = new Map<AgentToStart['persona'], string>();
  return {
    slugOf: async (persona: AgentToStart['persona']): Promise<string> => {
      if (typeof persona === 'string') return persona;
      const slug = made.get(persona) ?? (await post<Persona>(PATHS.registerPersona, persona)).slug;
      made.set(persona, slug);
      return slug;
    },
    /**
     * Replaces the name and role of a new persona by the slug of the created persona. The next try then does not create
     * the persona again.
     */
    withSlug: (agent: AgentToStart): AgentToStart => ({ ...agent, persona: made.get(agent.persona) ?? agent.persona }),
  };
}

/**
 * Returns the worktree of one agent. If several agents are started, a number is added to the chosen name, so that each
 * agent gets its own worktree.
 */
function worktreeOf({ worktree, agents }: Wanted, number: number): { readonly worktree?: string } {
  if (worktree === null) return {};
  const name = worktree.trim();
  return { worktree: name === '' || agents.length === 1 ? name : `${name}-${number}` };
}

const saidOf = (started: readonly Agent[]): string =>
  started.length === 1
    ? `Agent ${started[0]?.id} (${started[0]?.label}) is starting.`
    : `${started.length} agents are starting: ${started.map(({ id }) => id).join(', ')}.`;
