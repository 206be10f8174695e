import type { Event } from '../../../contract/resources.ts';

/** The data to refetch after some events. The ids are in sets, so that 500 events about one agent cause one request. */
export interface Changes {
  readonly agents: ReadonlySet<number>;
  readonly runs: ReadonlySet<number>;
  readonly packages: ReadonlySet<string>;
  readonly inbox: boolean;
  readonly personas: boolean;
  readonly projects: boolean;
  readonly settings: boolean;
  readonly candidates: boolean;
  readonly worktrees: boolean;
  readonly fleet: boolean;
}

export const NOTHING_CHANGED: Changes = {
  agents: new Set(),
  runs: new Set(),
  packages: new Set(),
  inbox: false,
  personas: false,
  projects: false,
  settings: false,
  candidates: false,
  worktrees: false,
  fleet: false,
};

/** Events that change the list of external sessions. */
const CANDIDATES: ReadonlySet<string> = new Set([
  'own_session_seen',
  'agent_adopted',
  'agent_adoption_failed',
  'agent_released',
  'project_default_persona_changed',
]);

/** Events that change which agents are in a worktree. A change of a file in a worktree causes no event. */
const WHO_IS_WHERE: ReadonlySet<string> = new Set([
  'agent_created',
  'agent_launched',
  'agent_launch_failed',
  'agent_adopted',
  'agent_released',
  'agent_process_gone',
  'agent_pane_lost',
]);

/**
 * Returns which data has changed. Events only say which data to refetch; the data itself comes from the server's
 * answers.
 */
export function whatChanged(before: Changes, events: readonly Event[]): Changes {
  const agents = new Set(before.agents);
  const runs = new Set(before.runs);
  const packages = new Set(before.packages);
  let { inbox, personas, projects, settings, candidates, worktrees, fleet } = before;
  for (const { type, agent_id, run_id, data } of events) {
    if (agent_id !== null) agents.add(agent_id);
    if (run_id !== null) runs.add(run_id);
    if (type.startsWith('package_') && typeof data.packageId === 'string') packages.add(data.packageId);
    for (const key of ['successorAgentId', 'broughtBackAgentId', 'resumedAgentId'] as const) {
      const other = data[key];
      if (typeof other === 'number') agents.add(other);
    }
    inbox ||= type.startsWith('inbox_') || type === 'operator_notified';
    const isPolicy = type === 'handoff_policy_changed';
    personas ||= /^(?:persona|point|lesson)_/.test(type) || isPolicy;
    projects ||= type.startsWith('project_') || isPolicy;
    settings ||= type.startsWith('settings_');
    candidates ||= CANDIDATES.has(type);
    worktrees ||= type.startsWith('worktree_') || WHO_IS_WHERE.has(type);
    fleet ||= type.startsWith('fleet_');
  }
  return { agents, runs, packages, inbox, personas, projects, settings, candidates, worktrees, fleet };
}

export const isNothing = ({ agents, runs, packages, ...flags }: Changes): boolean =>
  agents.size === 0 && runs.size === 0 && packages.size === 0 && !Object.values(flags).some(Boolean);
