import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type ShownScreen, showScreen } from '../agents/show-screen.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Polls the screens that are being watched. All watchers of one agent share one loop, which ends when the last watcher
 * leaves.
 */
export interface ScreenWatch {
  /** Watches the screen of an agent; returns a function that ends the watch. */
  watch(agentId: number, watcher: ScreenWatcher): () => void;
}

export interface ScreenWatcher {
  /** Called at once with the current screen, and again whenever the screen has changed. */
  onScreen(shown: ShownScreen): void;
  /**
   * Called when Baton can no longer show the agent's screen. `why` says the reason. This is the last call to this
   * watcher.
   */
  onGone(why: Refusal): void;
}

const LOOK_EVERY_MS = 250;

interface Watched {
  readonly watchers: Set<ScreenWatcher>;
  last: { readonly shown: ShownScreen; readonly picture: string } | undefined;
}

export function createScreenWatch(ports: Ports): ScreenWatch {
  const watched = new Map<number, Watched>();

  /** Polls the screen until the last watcher has left. A later watcher starts another loop. */
  const follow = async (agentId: number, one: Watched): Promise<void> => {
    while (one.watchers.size > 0) {
      const shown = await showScreen(ports, agentId);
      // Skip this reading if tmux does not answer. If tmux keeps not answering, the engine's health check reports it.
      if (!isRefusal(shown)) show(one, shown);
      else if (shown.code !== 'busy') for (const watcher of takeAll(one)) watcher.onGone(shown);
      await new Promise<void>((resolve) => ports.clock.after(LOOK_EVERY_MS, resolve));
    }
    if (watched.get(agentId) === one) watched.delete(agentId);
  };

  return {
    watch: (agentId, watcher) => {
      const known = watched.get(agentId);
      const one = known ?? { watchers: new Set<ScreenWatcher>(), last: undefined };
      one.watchers.add(watcher);
      if (one.last !== undefined) watcher.onScreen(one.last.shown);
      if (known === undefined) {
        watched.set(agentId, one);
        // The polling loop throws when the server stops, because then the store is already closed.
        follow(agentId, one).catch((error: unknown) => {
          watched.delete(agentId);
          ports.log.warn(`stopped watching the screen of agent ${agentId}: ${errorMessage(error)}`);
        });
      }
      return () => void one.watchers.delete(watcher);
    },
  };
}

function show(one: Watched, shown: ShownScreen): void {
  const picture = JSON.stringify(shown.picture);
  if (picture === one.last?.picture) return;
  one.last = { shown, picture };
  for (const watcher of one.watchers) watcher.onScreen(shown);
}

function takeAll({ watchers }: Watched): readonly ScreenWatcher[] {
  const all = [...watchers];
  watchers.clear();
  return all;
}
