import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { realPath } from '../adapters/home/real-path.ts';
import { COMMAND_HOME } from '../adapters/home/write-shim.ts';
import { agentAbove, isInTmuxOf, processChain } from '../adapters/system/agent-above.ts';

type Variables = Record<string, string | undefined>;

/**
 * Returns the home that this command works on: BATON_HOME, or else the home whose `bin` folder contains the command, or
 * else ~/.baton. In an agent's shell, the home of the command comes first, because a project may set BATON_HOME to
 * another home.
 */
export function chooseHome(env: Variables): string {
  const own = env[COMMAND_HOME] || undefined;
  // Child processes must not inherit COMMAND_HOME, because they may run the command of another home.
  delete env[COMMAND_HOME];
  const chosen = own !== undefined && (!env.BATON_HOME || isAgentsShell(own, env)) ? own : env.BATON_HOME;
  if (own !== undefined) env.BATON_HOME = chosen;
  const given = chosen || join(homedir(), '.baton');
  // Do not resolve a relative path. Baton refuses it later and explains why.
  return isAbsolute(given) ? realPath(given) : given;
}

function isAgentsShell(homePath: string, env: Variables): boolean {
  const processes = processChain();
  return agentAbove(homePath, env, processes) !== undefined || isInTmuxOf(homePath, processes);
}
