import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { realPath } from '../adapters/home/real-path.ts';
import { COMMAND_HOME } from '../adapters/home/write-shim.ts';
import { agentAbove, isInTmuxOf, processChain } from '../adapters/system/agent-above.ts';

type Variables = Record<string, string | undefined>;

/**
 * Returns the home that this command works on, and stores it in BATON_HOME for child processes if the command in
 * `<home>/bin` was run. BATON_HOME comes first, then the home of the command that was run, then ~/.baton. In the shell
 * of an agent, the command of the agent's own home ignores BATON_HOME: a project may set the variable to another home,
 * where `baton ack` could not find the agent.
 */
export function chooseHome(env: Variables): string {
  const own = env[COMMAND_HOME] || undefined;
  // Child processes must not inherit the variable: they may run the command of another home.
  delete env[COMMAND_HOME];
  const chosen = own !== undefined && (!env.BATON_HOME || isAgentsShell(own, env)) ? own : env.BATON_HOME;
  if (own !== undefined) env.BATON_HOME = chosen;
  const given = chosen || join(homedir(), '.baton');
  // A relative path of the home stays unchanged, because it is refused later with an explanation.
  return isAbsolute(given) ? realPath(given) : given;
}

function isAgentsShell(homePath: string, env: Variables): boolean {
  const processes = processChain();
  return agentAbove(homePath, env, processes) !== undefined || isInTmuxOf(homePath, processes);
}
