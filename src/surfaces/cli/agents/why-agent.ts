import { AgentWhy } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { stamp, when } from '../output/when.ts';

/** Prints the facts from which Baton derived the agent's state. */
export async function whyAgent(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.agentWhy(id), AgentWhy);
  return showAnswer(cli, answer, ({ label, agent_id, state, state_reason, since, facts }) => [
    [ink('bold', `${label} (agent ${agent_id}) is ${state.replaceAll('_', ' ')}`), `: ${state_reason}`],
    ...(since === null ? [] : [[ink('dim', `  since ${when(since)}`)]]),
    ...(facts.length === 0 ? [['  No facts about it yet.']] : []),
    ...table(
      [],
      facts.map((fact) => [ink('dim', stamp(fact.at)), fact.type, fact.sentence]),
    ).map((line) => ['  ', ...line]),
  ]);
}
