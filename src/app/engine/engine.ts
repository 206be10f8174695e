import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import { createOperatorNotifier } from '../inbox/notify-operator.ts';
import { settleAbandonedAnswers } from '../messages/abandoned-answers.ts';
import { settleAbandonedMessages } from '../messages/send-message.ts';
import { createPackageWriter } from '../packages/background/package-writer.ts';
import { type Rebuilt, rebuildPackages } from '../packages/background/rebuild-packages.ts';
import type { Ports } from '../ports/index.ts';
import { createIndexFiller } from '../search/fill-index.ts';
import { drainSpool } from './drain-spool.ts';
import { createHealth } from './health.ts';
import { createReconciler } from './reconcile.ts';
import { createEffectRunner } from './run-effects.ts';
import { createDocumentWatch } from './watch-documents.ts';

/** Runs the work that no request starts: draining the spool, performing effects and reconciling. */
export interface Engine {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns one sentence for each part of Baton that keeps failing. */
  healthProblems(): readonly string[];
  /** Rebuilds the rows and files of all packages from the log. */
  rebuildPackages(): Promise<Rebuilt>;
}

export function createEngine(ports: Ports): Engine {
  const runner = createEffectRunner(ports);
  const notifier = createOperatorNotifier(ports);
  const health = createHealth(ports);
  const reconciler = createReconciler(ports, health);
  const packageWriter = createPackageWriter(ports, health);
  const documents = createDocumentWatch(ports);
  const indexFiller = createIndexFiller(ports);
  let stopped = false;
  let cancelTick: (() => void) | undefined;
  let draining: Promise<void> | undefined;
  let moreArrived = false;
  let sessionBegan = false;

  const drain = (): Promise<void> => {
    moreArrived = true;
    draining ??= drainAll().finally(() => {
      draining = undefined;
    });
    return draining;
  };
  const drainAll = async (): Promise<void> => {
    while (moreArrived && !stopped) {
      moreArrived = false;
      sessionBegan = (await health.guard('read hooks', () => drainSpool(ports))) || sessionBegan;
    }
  };

  /**
   * Drains the spool. If a session began, also checks which programs have ended, because a program may end before Baton
   * knows that its session began. The pane of such a program stays open, so tmux does not report the end.
   */
  const drainArrived = async (): Promise<void> => {
    await drain();
    if (!sessionBegan) return;
    sessionBegan = false;
    observeEnds();
  };

  const reportFailure = (error: unknown): void => ports.log.error(`reconcile failed: ${errorMessage(error)}`);
  const nudge = (): void => {
    if (!stopped) void lookNow().catch(reportFailure);
  };
  /**
   * Checks which programs have ended. Drains the spool first, because a program sends its last hooks before it ends.
   */
  const observeEnds = (): void => {
    if (!stopped) void drain().then(reconciler.observeEnds).catch(reportFailure);
  };
  const lookNow = async (): Promise<void> => {
    await drain();
    await reconciler.look();
    runner.wake();
    // Wake the notifier even if nothing was committed: the end of quiet hours or of a mute makes notifications due
    // without a commit.
    notifier.wake();
    packageWriter.wake();
    indexFiller.wake();
  };
  const tick = (): void => {
    cancelTick = ports.clock.after(ports.settings.reconcileEveryMs, () => {
      nudge();
      if (!stopped) tick();
    });
  };

  /** Processes the hooks that arrived while Baton was down, before any deadline is checked or any effect performed. */
  const start = async (): Promise<void> => {
    await ports.terminal.connect();
    ports.checkpoint('recovery:connected');
    await ports.store.write((tx) => {
      const runsInFlight = tx.runsInFlight().length;
      tx.releaseEffectsNotOf(ports.settings.instance);
      appendNotice(
        tx,
        ports,
        { type: 'server_started', version: ports.settings.version, runsInFlight },
        { agentId: null, runId: null },
      );
    });
    ports.checkpoint('recovery:released');
    await drain();
    ports.checkpoint('recovery:drained');
    await settleAbandonedMessages(ports);
    await settleAbandonedAnswers(ports);
    await reconciler.look();
    ports.checkpoint('recovery:looked');
    ports.store.onCommit(() => {
      documents.follow();
      notifier.wake();
      packageWriter.wake();
    });
    ports.spool.onArrival(() => {
      void drainArrived().catch((error: unknown) =>
        ports.log.error(`could not read the spool: ${errorMessage(error)}`),
      );
    });
    ports.terminal.onChange(observeEnds);
    documents.follow();
    runner.wake();
    notifier.wake();
    packageWriter.wake();
    indexFiller.wake();
    tick();
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    cancelTick?.();
    documents.stop();
    await runner.stop();
    await notifier.stop();
    await packageWriter.stop();
    await indexFiller.stop();
    await draining;
  };

  return { start, stop, healthProblems: health.current, rebuildPackages: () => rebuildPackages(ports, packageWriter) };
}
