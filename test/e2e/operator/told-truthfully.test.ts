import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Agent } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Checks that the command line tells the truth about a handoff that failed or waits for the operator. */

const baton = new BatonProcess();
beforeAll(() => baton.start());
afterAll(() => baton.cleanUp());

const typed = async (...argv: readonly string[]): Promise<string> => {
  const { BATON_AGENT_TOKEN: _, ...env } = process.env;
  return (await run(process.execPath, [PROGRAM, ...argv], { ...env, BATON_HOME: baton.home })).stdout;
};

const handOff = async ({ id }: Agent, wanted: object = {}): Promise<number> =>
  (await baton.call<{ run_id: number }>('POST', `/api/agents/${id}/handoff`, wanted)).body.run_id;

it("[D7] [D13] if an agent ends after its handoff failed without a document, the inbox says that the agent has ended, and the successor's prompt does not name the missing document", async () => {
  const agent = await baton.agent({ behaviour: { handoff: 'ignore_once' } });
  const failed = await baton.over(await handOff(agent));
  const path = failed.document?.absolute_path ?? '';
  expect([failed.failure?.code, existsSync(path)]).toEqual(['document_missing', false]);
  expect(await typed('inbox', 'list')).toContain('The agent was left running.');
  await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
  await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
  const inbox = await typed('inbox', 'list');
  expect(inbox).not.toContain('left running');
  expect(inbox).toContain(`(agent ${agent.id}) has ended since then`);

  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/succeed`, {});
  await baton.over(body.run_id);
  const texts = await typed('handoff', 'texts', String(body.run_id));
  expect(texts).toContain('You continue the work of your predecessor');
  expect(texts).not.toContain(path);
});

it("[D17] a handoff's continuation package is in `baton package list` only after the handoff is approved", async () => {
  const agent = await baton.agent();
  const runId = await handOff(agent, { review: true });
  await baton.event(({ type, run_id }) => type === 'inbox_opened' && run_id === runId);
  const slug = agent.persona?.slug ?? '';
  expect(await typed('package', 'list')).not.toContain(slug);
  await typed('handoff', 'approve', String(runId));
  await baton.over(runId);
  await baton.event(({ type }) => type === 'package_created');
  expect(await typed('package', 'list')).toMatch(new RegExp(`continuation +${slug} +${slug}`));
});
