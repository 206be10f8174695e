import { type Agent, agentProcess } from '../../domain/agents/agent.ts';
import type { Question } from '../../domain/agents/question.ts';
import type { DrawnScreens } from '../engine/observe-panes.ts';
import { readQuestion } from '../messages/read-question.ts';
import type { Ports } from '../ports/index.ts';
import type { ScreenState } from '../ports/terminal.ts';

/**
 * Reads the screens of agents. Most agents do nothing most of the time, so a screen is captured again only after it has
 * changed.
 */
export interface ScreenMemory {
  /** Takes the version of each screen from the latest list of panes. Call this function before reading the screens. */
  noteDrawn(drawn: DrawnScreens): void;
  /** Returns the state that the screen shows now; undefined if the agent has no screen or its runtime is unknown. */
  read(agent: Agent): Promise<ShownState | undefined>;
  /**
   * Returns whether the agent's program is in the foreground of its terminal. This is false, for example, after Ctrl-Z
   * has suspended the program.
   */
  hasTerminal(agent: Agent): Promise<boolean>;
}

export interface ShownState {
  readonly seen: ScreenState;
  readonly asked: Question | undefined;
}

/**
 * How long Baton relies on the last check that the agent's program is in the foreground of its terminal, if the screen
 * has not changed. A shell that came to the foreground would draw its prompt and so change the screen.
 */
const TERMINAL_TRUST_MS = 30_000;

export function createScreenMemory(
  ports: Pick<Ports, 'terminal' | 'runtimes' | 'chance' | 'clock' | 'ownsTerminal'>,
): ScreenMemory {
  let drawn: DrawnScreens = new Map();
  const owned = new Map<number, { readonly mark: string; readonly atMs: number }>();
  const known = new Map<number, ShownState & { readonly mark: string }>();

  const capture = async ({ pane, runtime }: Agent): Promise<ShownState | undefined> => {
    const screen = pane === null ? undefined : await ports.terminal.capture(pane);
    const seen = screen === undefined ? undefined : ports.runtimes.get(runtime)?.readScreen(screen);
    return screen === undefined || seen === undefined
      ? undefined
      : { seen, asked: readQuestion(ports, runtime, screen) };
  };
  return {
    noteDrawn: (now) => {
      drawn = now;
      for (const memory of [known, owned])
        for (const [id, { mark }] of memory) if (drawn.get(id) !== mark) memory.delete(id);
    },
    read: async (agent) => {
      const before = known.get(agent.id);
      if (before !== undefined) return before;
      // Take the version of the screen before the capture. If the screen changes during the capture, the next list of
      // panes shows a newer version, and Baton captures the screen again.
      const mark = drawn.get(agent.id);
      const shown = await capture(agent);
      if (shown !== undefined && mark !== undefined) known.set(agent.id, { ...shown, mark });
      return shown;
    },
    hasTerminal: async ({ id, pane, state }) => {
      if (pane === null || state === 'starting') return true;
      const atMs = ports.clock.monotonicMs();
      const before = owned.get(id);
      if (before !== undefined && atMs - before.atMs < TERMINAL_TRUST_MS) return true;
      const mark = drawn.get(id);
      const isOwned = await ports.ownsTerminal(agentProcess(pane));
      if (isOwned && mark !== undefined) owned.set(id, { mark, atMs });
      else owned.delete(id);
      return isOwned;
    },
  };
}
