import { Agent } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { agentIdOf, getAgents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { confirm, hasTerminal } from '../maintenance/confirm.ts';
import { doEach } from '../messages/do-each.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';

export interface StopOptions {
  readonly all?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/**
 * Stops the named agents, or all live agents. Asks the operator for confirmation first. Without a terminal, the command
 * stops named agents without confirmation, but refuses --all and --force unless --yes is given.
 */
export async function stopAgents(cli: Cli, names: readonly string[], wanted: StopOptions): Promise<number> {
  const { all = false, force = false, yes = false } = wanted;
  if (all === names.length > 0)
    throw new CliFault('Name the agents to stop, or use --all.', { code: 'usage', exitCode: EXIT.usage });
  const api = operatorClient(cli.deps);
  const ids = all ? await liveIds(api) : await Promise.all(names.map((name) => agentIdOf(api, name)));
  if (ids.length === 0) throw new CliFault('No agent is running.', { code: 'agent_not_found' });
  const which = `${ids.length === 1 ? 'agent' : 'agents'} ${ids.join(', ')}`;
  const isSafe = !force && !all && !hasTerminal(cli);
  await confirm(cli, {
    yes: yes || isSafe,
    question: force
      ? `Kill ${which}? Unsaved work is lost.`
      : `Stop ${which}? Baton asks ${ids.length === 1 ? 'it' : 'them'} to exit. To continue a conversation later: baton agent resume.`,
    otherwise: `${which.charAt(0).toUpperCase()}${which.slice(1)} ${ids.length === 1 ? 'was' : 'were'} not stopped.`,
  });
  const [only] = ids;
  if (ids.length > 1 || only === undefined) return stopEach(cli, api, ids, force);
  const answer = await api.post(PATHS.stopAgent(only), { force }, Agent);
  return showAnswer(cli, answer, (agent) => [[sayMachine(cli, said(agent, force))]]);
}

const liveIds = async (api: ApiClient): Promise<number[]> =>
  (await getAgents(api, { live: true })).data.agents.map(({ id }) => id);

const said = ({ id, label }: Agent, force: boolean): string =>
  force ? `Killing ${label} (agent ${id}).` : `Asked ${label} (agent ${id}) to exit.`;

/** Stops several agents. If the server refuses to stop one agent, the other agents are still stopped. */
const stopEach = (cli: Cli, api: ApiClient, ids: readonly number[], force: boolean): Promise<number> =>
  doEach(cli, ids, {
    send: (id) => api.post(PATHS.stopAgent(id), { force }, Agent),
    done: (agent) => said(agent, force),
    notDone: (id) => `Agent ${id} was not stopped`,
    list: 'agents',
    named: (id) => ({ agent_id: id }),
  });

export async function interruptAgent(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.interruptAgent(id), {}, Agent);
  return showAnswer(cli, answer, ({ label }) => [[TICK, ` ${sayMachine(cli, `Interrupted ${label} (agent ${id}).`)}`]]);
}
