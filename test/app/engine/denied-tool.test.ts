import { expect, it } from 'vitest';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { aRun } from '../../adapters/stores/store-contract.ts';
import { SimWorld } from './sim-world.ts';

const FILE = '/home/con/.claude/settings.json';
const OVER = { ref: 'x', submitted: true, submittedPromptId: 'p', accepted: true, lastRefusal: null };

/** Creates a run whose successor has received the handoff prompt. */
async function waiting(over: Partial<Run['delivery']>): Promise<SimWorld> {
  const sim = new SimWorld();
  const { id: predecessor } = await sim.addAgent({ state: 'ended' });
  const { id: successor } = await sim.addAgent({ previousAgentId: predecessor });
  await sim.ports.store.write((tx) =>
    tx.insertRun({
      ...aRun(predecessor, {
        successorAgentId: successor,
        step: 'awaiting_acknowledgement',
        delivery: { ...OVER, ...over },
        lookedAt: sim.ports.clock.now(),
        createdAt: sim.ports.clock.now(),
      }),
    }),
  );
  return sim;
}

async function failureOf(sim: SimWorld): Promise<string | undefined> {
  await createReconciler(sim.ports, createHealth(sim.ports)).look();
  return sim.run().failure?.sentence;
}

it("[L18] the failure message of a run names the permission rule that denied the successor's acknowledgment", async () => {
  const byRule = await waiting({ isOverUnacknowledged: true });
  byRule.deniedByRule = { tool: 'Bash', file: FILE };
  expect(await failureOf(byRule)).toContain(`A permission rule in ${FILE} denies the agent the tool Bash`);

  const byTranscript = await waiting({ isOverUnacknowledged: true });
  byTranscript.deniedTool = 'Bash';
  expect(await failureOf(byTranscript)).toContain('One of your permission rules denied the agent the tool Bash');
});

it("[L18] the run keeps waiting for the acknowledgment while the successor's turn continues", async () => {
  const working = await waiting({});
  working.deniedByRule = { tool: 'Bash', file: FILE };
  expect(await failureOf(working)).toBeUndefined();
  expect(await failureOf(await waiting({ isOverUnacknowledged: true }))).toBeUndefined();
});
