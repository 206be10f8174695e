import { EFFECT_IN_WORDS, type Effect, laneOf } from '../../domain/effects.ts';
import type { Fact } from '../../domain/facts.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { PendingEffect, Tx } from '../ports/store.ts';
import { perform } from './effects/perform.ts';
import { stillWanted } from './effects/still-wanted.ts';
import { recordFact } from './record-facts.ts';

/**
 * The only code that performs effects. The effects of one lane are performed one at a time, in the order in which they
 * were enqueued; different lanes are handled in parallel. Each agent has a lane (`laneOf`).
 */
export interface EffectRunner {
  /**
   * Performs the waiting effects and retries the failed ones. After the first call, each commit that stores effects
   * also reserves these effects for this server. So an effect can start without a second commit.
   */
  wake(): void;
  /** Starts no further effects. Resolves when the results of the running effects are recorded. */
  stop(): Promise<void>;
}

export function createEffectRunner(ports: Ports): EffectRunner {
  const { store, clock } = ports;
  const { instance } = ports.settings;
  const underWay = new Map<string, { readonly effectId: number; readonly work: Promise<void> }>();
  /**
   * Effects that have failed. The next call of `wake` retries them. A commit does not retry them: each retry commits to
   * the store, and would therefore cause the next retry at once.
   */
  const resting = new Set<number>();
  /**
   * Effects that the current transaction reserves for this server. The effects start once this transaction is
   * committed.
   */
  let claimed: PendingEffect[] = [];
  let ready: PendingEffect[] = [];
  let isActive = false;
  let claiming: Promise<void> | undefined;

  const claimIn = (tx: Tx): void => {
    claimed = [];
    const pending = isActive ? tx.pendingEffects() : [];
    if (pending.length === 0) return;
    const busy = new Set(tx.effectsClaimedBy(instance).map(({ effect }) => laneOf(effect)));
    for (const { id, effect, attempts } of pending) {
      const lane = laneOf(effect);
      if (busy.has(lane)) continue;
      if (!resting.has(id) && !stillWanted(ports, effect)) {
        tx.finishEffect(id, clock.now());
        continue;
      }
      // Later effects of the same lane must wait, because the effects of a lane are performed in order.
      busy.add(lane);
      if (!resting.has(id) && tx.claimEffect(id, instance, clock.now()))
        claimed.push({ id, effect, attempts: attempts + 1 });
    }
  };

  const endBefore = store.beforeCommit((tx) => {
    try {
      claimIn(tx);
    } catch (error) {
      claimed = [];
      ports.log.error(`could not claim effects: ${errorMessage(error)}`);
      throw error;
    }
  });
  const endAfter = store.onCommit(() => {
    ready.push(...claimed);
    claimed = [];
    startReady();
  });

  const startReady = (): void => {
    if (!isActive) return;
    const waiting = ready;
    ready = [];
    for (const each of waiting) {
      if (underWay.has(laneOf(each.effect))) ready.push(each);
      else start(each);
    }
  };

  const start = (each: PendingEffect): void => {
    const lane = laneOf(each.effect);
    const work = runOne(ports, each, () => void resting.add(each.id))
      .catch((error: unknown) => {
        // The result of this effect could not be recorded. The effect stays reserved for this server, and the next call
        // of `wake` performs it again. Performing an effect twice does no harm.
        const detail = `could not record the result of an effect: ${errorMessage(error)}`;
        ports.log.error(detail, { effect: each.effect.kind });
      })
      .then(() => {
        underWay.delete(lane);
        startReady();
      });
    underWay.set(lane, { effectId: each.id, work });
  };

  const wake = (): void => {
    isActive = true;
    resting.clear();
    const known = new Set([...[...underWay.values()].map(({ effectId }) => effectId), ...ready.map(({ id }) => id)]);
    const stray = store.read((tx) => tx.effectsClaimedBy(instance)).filter(({ id }) => !known.has(id));
    ready = [...stray, ...ready].sort((one, other) => one.id - other.id);
    startReady();
    if (store.read((tx) => tx.pendingEffects()).length === 0) return;
    // Commit an empty transaction, because Baton reserves waiting effects only as part of a commit.
    claiming = store
      .write(() => undefined)
      .catch((error: unknown) => ports.log.error(`could not write to the store: ${errorMessage(error)}`));
  };

  const stop = async (): Promise<void> => {
    await claiming;
    isActive = false;
    endBefore();
    endAfter();
    await Promise.all([...underWay.values()].map(({ work }) => work));
  };

  return { wake, stop };
}

/**
 * Performs an effect that is reserved for this server, and records its result. If Baton crashes before the result is
 * recorded, the next server performs the effect again.
 */
async function runOne(ports: Ports, { id, effect, attempts }: PendingEffect, rest: () => void): Promise<void> {
  const { kind } = effect;
  ports.checkpoint(`${kind}:claimed`);
  const performed = stillWanted(ports, effect) ? await performSafely(ports, effect) : facts([]);
  ports.checkpoint(`${kind}:performed`);
  await ports.store.write((tx) => {
    if (performed.kind === 'facts') for (const fact of performed.facts) recordFact(tx, ports, fact);
    if (performed.kind === 'retry' && attempts <= MAX_ATTEMPTS_COUNT) {
      rest();
      tx.releaseEffect(id);
    } else tx.finishEffect(id, ports.clock.now());
  });
  ports.checkpoint(`${kind}:committed`);
}

/**
 * The result of performing an effect. `retry` means that the effect failed and no fact describes the failure. Such an
 * effect stays enqueued, so that, for example, a short hang of tmux does not lose the effect.
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

/**
 * Returns the facts about a failed effect if the effect belongs to no run. Returns `retry` if no fact describes the
 * failure.
 */
function withoutRun(effect: Effect, detail: string): Performed {
  const { agentId } = effect;
  if (effect.kind === 'launch_agent') return facts([{ type: 'agent_launch_failed', agentId, detail }]);
  return effect.kind === 'prime_agent' ? facts([{ type: 'priming_failed', agentId, detail }]) : { kind: 'retry' };
}
