import { describe, expect, it } from 'vitest';
import { createScreenMemory } from '../../../src/app/agents/screen-memory.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';

const agent = { id: 1, runtime: 'r', pane: { paneId: '%1' } } as Agent;

function memoryOf(lines: () => string) {
  let captures = 0;
  const ports = {
    terminal: {
      capture: async () => {
        captures += 1;
        return { lines: [lines()], cursorX: 0, cursorY: 0 };
      },
    },
    runtimes: new Map([
      [
        'r',
        {
          readScreen: ({ lines: [line] }: { lines: string[] }) => ({ kind: 'unknown', text: line }),
          readQuestion: () => undefined,
        },
      ],
    ]),
  } as unknown as Ports;
  const memory = createScreenMemory(ports);
  const readAt = async (mark: string | undefined) => {
    memory.noteDrawn(new Map(mark === undefined ? [] : [[1, mark]]));
    return (await memory.read(agent))?.seen;
  };
  return { readAt, captures: () => captures };
}

describe('the cache of captured screens', () => {
  it('Baton shows the cached screen of a pane until tmux reports a change of the pane', async () => {
    let line = 'first';
    const { readAt, captures } = memoryOf(() => line);
    await readAt('a');
    line = 'second';
    expect([await readAt('a'), captures()]).toEqual([{ kind: 'unknown', text: 'first' }, 1]);
    expect([await readAt('b'), captures()]).toEqual([{ kind: 'unknown', text: 'second' }, 2]);
  });

  it('Baton captures the screen of a pane again if tmux cannot say whether the pane changed', async () => {
    const { readAt, captures } = memoryOf(() => 'x');
    for (const mark of [undefined, undefined, 'a', undefined, 'a']) await readAt(mark);
    expect(captures()).toBe(5);
  });

  it("Baton checks again whether another program has an agent's terminal if 30 s have passed, the screen has changed or the last check found such a program", async () => {
    let [checks, nowMs, isOwned] = [0, 0, true];
    const ports = {
      clock: { monotonicMs: () => nowMs },
      ownsTerminal: async () => {
        checks += 1;
        return isOwned;
      },
    } as unknown as Ports;
    const memory = createScreenMemory(ports);
    const working = { ...agent, state: 'idle' } as Agent;
    const checksAt = async (mark: string | undefined, atMs: number) => {
      nowMs = atMs;
      memory.noteDrawn(new Map(mark === undefined ? [] : [[1, mark]]));
      return [await memory.hasTerminal(working), checks];
    };
    expect(await checksAt('a', 0)).toEqual([true, 1]);
    expect(await checksAt('a', 29_000)).toEqual([true, 1]);
    expect(await checksAt('a', 30_000)).toEqual([true, 2]);
    isOwned = false;
    expect(await checksAt('b', 31_000)).toEqual([false, 3]);
    expect(await checksAt('b', 32_000)).toEqual([false, 4]);
    isOwned = true;
    expect(await checksAt(undefined, 33_000)).toEqual([true, 5]);
    expect(await checksAt(undefined, 34_000)).toEqual([true, 6]);
  });
});
