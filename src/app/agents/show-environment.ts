import type { Agent } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import type { Variable, VariableOrigin } from '../../domain/environment/variable.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { isSecretName } from '../../domain/secrets/secret-names.ts';
import { identityEnv } from '../engine/effects/launch-agent.ts';
import type { EnvironmentState } from '../ports/agent-environment.ts';
import type { Ports } from '../ports/index.ts';
import type { Project } from '../ports/store.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';
import { agentEnvironmentOf } from './agent-environment.ts';

export interface ShownEnvironment {
  readonly project: Project | null;
  readonly agent: Agent | null;
  readonly state: EnvironmentState;
  readonly variables: readonly ShownVariable[];
  readonly removed: readonly string[];
  readonly problems: readonly string[];
}

export interface ShownVariable {
  readonly name: string;
  readonly origin: VariableOrigin;
  /** The value of the variable; null if the value is or may be a secret and therefore must not be shown. */
  readonly value: string | null;
}

export interface EnvironmentAsked {
  readonly agentId: number | undefined;
  readonly projectId: number | undefined;
}

/**
 * Returns the environment that a new agent would get if Baton started it now. The parameter chooses where the new agent
 * would run: in the project of an existing agent, in a named project, or outside of any project.
 */
export async function showEnvironment(
  ports: Ports,
  { agentId, projectId }: EnvironmentAsked,
): Promise<ShownEnvironment | Refusal> {
  const agent = agentId === undefined ? null : ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined) return agentNotFound(agentId ?? 0);
  const wanted = agent?.projectId ?? projectId;
  const project = wanted === undefined ? null : ports.store.read((tx) => tx.projectById(wanted));
  if (project === undefined) return { code: 'project_not_found', sentence: `Project ${wanted} not found` };
  const folder = agent === null ? undefined : ports.store.read((tx) => workingDirectoryOf(tx, agent))?.folder;
  const place = project && (folder === undefined ? project : { ...project, folder });
  const { variables, removed, problems } = await agentEnvironmentOf(ports, place);
  const own = agent === null ? {} : identityEnv(ports, agent);
  const all = [
    ...variables,
    ...Object.entries(own).map(([name, value]): Variable => ({ name, value, origin: 'baton' })),
  ];
  return {
    project,
    agent,
    state: ports.environment.state(),
    variables: all.map((variable) => shown(ports, variable)),
    removed,
    problems,
  };
}

const shown = ({ secrets }: Ports, { name, value, origin }: Variable): ShownVariable => ({
  name,
  origin,
  value: isSecretName(name) || secrets.redact(`${name}=${value}`) !== `${name}=${value}` ? null : value,
});
