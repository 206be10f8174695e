// Compares the tokens that Baton counts for an agent with the tokens that the stub model reported in its answers.

import { until } from './baton-with-client.mjs';

/**
 * Waits until Baton has counted exactly the tokens of all answers in the agent's conversation. Call this function only
 * if no turn has failed or was interrupted, because the clients record such turns differently.
 * @param {Awaited<ReturnType<typeof import('./baton-with-client.mjs').startBatonWith>>} baton
 * @param {number} agentId
 * @param {readonly import('./model/stub-model.mjs').Asked[]} turns the requests of the agent's conversation
 */
export async function checkTokens(baton, agentId, turns) {
  const answered = turns.flatMap(({ spent }) => spent ?? []);
  const input = answered.reduce((sum, spent) => sum + spent.input, 0);
  const output = answered.reduce((sum, spent) => sum + spent.output, 0);
  const counted = async () => {
    const { rows } = await baton.call('GET', '/api/usage?by=agent');
    return rows.find((/** @type {any} */ { key }) => key === String(agentId));
  };
  const row = await until(
    `${input} input and ${output} output tokens of ${answered.length} answers`,
    counted,
    (seen) => seen?.tokens?.input === input && seen.tokens.output === output,
  );
  const money = row.cost_usd === null ? 'no money named' : `${row.cost_usd} USD named by the client`;
  return `${answered.length} answers, ${row.tokens.total} tokens, ${money}`;
}
