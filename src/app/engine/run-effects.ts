import { EFFECT_IN_WORDS, type Effect } from '../../domain/effects.ts';
import type { Fact } from '../../domain/facts.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { PendingEffect } from '../ports/store.ts';
import { perform } from './effects/perform.ts';
import { stillWanted } from './effects/still-wanted.ts';
import { recordFact } from './record-facts.ts';

/**
 * The only code that performs effects. The effects of one agent are performed one at a time, in the order in which they
 * were enqueued; different agents are handled in parallel.
 */
export interface EffectRunner {
  /** Call when effects may have been enqueued. */
  wake(): void;
  /** Starts no further effects; resolves when the results of those under way are recorded. */
  stop(): Promise<void>;
}

export function createEffectRunner(ports: Ports): EffectRunner {
  const underWay = new Map<number, { readonly effectId: number; readonly work: Promise<void> }>();
  let stopped = false;

  const wake = (): void => {
    // Release stray claims first, so that the effects of an agent stay in order. The release calls `wake` again.
    if (stopped || releaseStray()) return;
    for (const pending of ports.store.read((tx) => tx.pendingEffects())) {
      const { agentId } = pending.effect;
      if (underWay.has(agentId)) continue;
      const work = runOne(ports, pending).then(
        (end) => {
          underWay.delete(agentId);
          // A failed effect is retried at the next reconcile; waking here would retry it in a busy loop.
          if (end === 'done') wake();
        },
        (error: unknown) => {
          ports.log.error(`could not record the result of an effect: ${errorMessage(error)}`, {
            effect: pending.effect.kind,
          });
          // Do not wake here, because while the store refuses writes this would be a busy loop. The next reconcile
          // wakes the runner and releases the claim.
          underWay.delete(agentId);
        },
      );
      underWay.set(agentId, { effectId: pending.id, work });
    }
  };

  /**
   * Releases effects that this server claimed but no longer works on, because their result could not be written.
   * Performing an effect twice is safe.
   */
  const releaseStray = (): boolean => {
    const mine = new Set([...underWay.values()].map(({ effectId }) => effectId));
    const stray = ports.store.read((tx) => tx.effectsClaimedBy(ports.settings.instance)).filter((id) => !mine.has(id));
    if (stray.length === 0) return false;
    ports.store
      .write((tx) => {
        for (const id of stray) tx.releaseEffect(id);
      })
      .then(wake, (error: unknown) => ports.log.error(`could not write to the store: ${errorMessage(error)}`));
    return true;
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    await Promise.all([...underWay.values()].map(({ work }) => work));
  };

  return { wake, stop };
}

/**
 * Claims an effect, performs it and records its result. After a crash in between, the next server finds the row and
 * performs the effect again.
 */
async function runOne(ports: Ports, { id, effect, attempts }: PendingEffect): Promise<'done' | 'again'> {
  const { kind } = effect;
  const mine = await ports.store.write((tx) => tx.claimEffect(id, ports.settings.instance, ports.clock.now()));
  if (!mine) return 'done';
  ports.checkpoint(`${kind}:claimed`);
  const performed = stillWanted(ports, effect) ? await performSafely(ports, effect) : facts([]);
  ports.checkpoint(`${kind}:performed`);
  const again = performed.kind === 'retry' && attempts < MAX_ATTEMPTS_COUNT;
  await ports.store.write((tx) => {
    if (performed.kind === 'facts') for (const fact of performed.facts) recordFact(tx, ports, fact);
    if (again) tx.releaseEffect(id);
    else tx.finishEffect(id, ports.clock.now());
  });
  ports.checkpoint(`${kind}:committed`);
  return again ? 'again' : 'done';
}

/**
 * `retry` means that the effect failed and no fact reports this, so the effect stays enqueued; it must not be lost
 * because tmux hangs for a moment.
 */
type Performed = { readonly kind: 'facts'; readonly facts: readonly Fact[] } | { readonly kind: 'retry' };
const facts = (observed: readonly Fact[]): Performed => ({ kind: 'facts', facts: observed });
const MAX_ATTEMPTS_COUNT = 10;

async function performSafely(ports: Ports, effect: Effect): Promise<Performed> {
  try {
    return facts(await perform(ports, effect));
  } catch (error) {
    const detail = errorMessage(error);
    ports.log.error(`could not ${EFFECT_IN_WORDS[effect.kind]}: ${detail}`, { agent: effect.agentId });
    if ('runId' in effect && effect.runId !== null) {
      return facts([{ type: 'effect_failed', runId: effect.runId, doing: effect.kind, detail }]);
    }
    return withoutRun(effect, detail);
  }
}

/** Returns the facts that report a failed effect outside a run, or `retry` if there are none. */
function withoutRun(effect: Effect, detail: string): Performed {
  const { agentId } = effect;
  if (effect.kind === 'launch_agent') return facts([{ type: 'agent_launch_failed', agentId, detail }]);
  return effect.kind === 'prime_agent' ? facts([{ type: 'priming_failed', agentId, detail }]) : { kind: 'retry' };
}
