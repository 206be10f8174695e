import { EFFECT_IN_WORDS, type Effect } from '../domain/effects.ts';
import type { Fact } from '../domain/facts.ts';
import { perform } from './effects/perform.ts';
import { messageOf } from './message-of.ts';
import type { PendingEffect } from './ports/store.ts';
import { recordFact } from './record-facts.ts';
import type { Ports } from './world.ts';

/** The single place where effects happen. One at a time for each agent, in the order they were wished; agents in parallel. */
export interface EffectRunner {
  /** Something may have been wished. */
  wake(): void;
  /** Takes no new effects; resolves when those under way have reported. */
  stop(): Promise<void>;
}

export function createEffectRunner(ports: Ports): EffectRunner {
  const underWay = new Map<number, Promise<void>>();
  let stopped = false;

  const wake = (): void => {
    if (stopped) return;
    for (const pending of ports.store.read((tx) => tx.pendingEffects())) {
      const { agentId } = pending.effect;
      if (underWay.has(agentId)) continue;
      const work = runOne(ports, pending).then(
        () => {
          underWay.delete(agentId);
          wake();
        },
        async (error: unknown) => {
          ports.log.error(`an effect could not be reported: ${messageOf(error)}`, { effect: pending.effect.kind });
          await giveBack(ports, pending.id);
          // No wake here: a store that refuses would spin. The next reconcile wakes us.
          underWay.delete(agentId);
        },
      );
      underWay.set(agentId, work);
    }
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    await Promise.all(underWay.values());
  };

  return { wake, stop };
}

/** Intent, effect, observation: a crash between any two leaves a row that the next server finds and performs again. */
async function runOne(ports: Ports, { id, effect }: PendingEffect): Promise<void> {
  const { kind } = effect;
  const mine = await ports.store.write((tx) => tx.claimEffect(id, ports.settings.instance, ports.clock.now()));
  if (!mine) return;
  ports.checkpoint(`${kind}:claimed`);
  const facts = await performSafely(ports, effect);
  ports.checkpoint(`${kind}:performed`);
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
    tx.finishEffect(id, ports.clock.now());
  });
  ports.checkpoint(`${kind}:committed`);
}

async function giveBack(ports: Ports, effectId: number): Promise<void> {
  await ports.store
    .write((tx) => tx.releaseEffect(effectId))
    .catch((error: unknown) => ports.log.error(`the store refuses: ${messageOf(error)}`));
}

async function performSafely(ports: Ports, effect: Effect): Promise<readonly Fact[]> {
  try {
    return await perform(ports, effect);
  } catch (error) {
    const detail = messageOf(error);
    ports.log.error(`could not ${EFFECT_IN_WORDS[effect.kind]}: ${detail}`, { agent: effect.agentId });
    if ('runId' in effect && effect.runId !== null) {
      return [{ type: 'effect_failed', runId: effect.runId, doing: effect.kind, detail }];
    }
    return effect.kind === 'launch_agent' ? [{ type: 'agent_launch_failed', agentId: effect.agentId, detail }] : [];
  }
}
