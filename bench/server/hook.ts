import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import { measureCost } from '../../scripts/bench/hook-cost.mjs';
import { measureVisible, payloadOf } from '../../scripts/bench/hook-delivery.mjs';
import { type BenchOptions, MissingProgram, type PartResult } from '../frame/part.ts';
import { median, short as rounded } from '../frame/statistics.ts';

/**
 * Measures how long a hook delays the agent (part P7). Baton's hook is compared with a static C program that writes the
 * same file to the spool.
 */
export async function measureHook({ rounds, short }: BenchOptions): Promise<PartResult> {
  const baton = new BatonServer();
  try {
    await baton.start();
    const [agent] = await baton.startAgents(1);
    if (agent === undefined) throw new Error('no agent was started');
    const cost = await measureCost({
      folder: baton.folder,
      hook: baton.hook,
      agent,
      payload: payloadOf(agent, 'cost'),
      rounds: short ? 20 : 100 * rounds,
    });
    const ratio = cost.ratioTo('c');
    if (ratio === null) throw new MissingProgram('P7 needs a C compiler: install cc, for example with the package gcc');
    const visible = await measureVisible(baton, agent, short ? 5 : 100);
    return {
      floor_ms: rounded(cost.medianOf('c')),
      product_ms: rounded(cost.medianOf('hook')),
      ratio: rounded(ratio),
      visible_p50_ms: rounded(median(visible)),
    };
  } finally {
    await baton.cleanUp();
  }
}
