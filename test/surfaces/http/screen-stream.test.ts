import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ShownScreen } from '../../../src/app/agents/show-screen.ts';
import { createScreenWatch, type ScreenWatch, type ScreenWatcher } from '../../../src/app/engine/watch-screens.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { createScreenStreams } from '../../../src/surfaces/http/agents/screen-stream.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';

const shows = (text: string): ShownScreen => ({
  agentId: 1,
  at: instantFromMs(0),
  picture: { columns: 80, rows: 24, lines: [[{ text, style: '' }]], cursor: null },
});

/** A fake socket. The test decides when the socket accepts data. */
class Reader extends EventEmitter {
  takes = true;
  ended = false;
  readonly end = () => {
    this.ended = true;
  };
  readonly got: string[] = [];
  readonly writeHead = () => this;
  readonly write = (frame: string) => {
    this.got.push(frame);
    return this.takes;
  };
  get response() {
    return this as unknown as ServerResponse;
  }
  get texts() {
    return this.got.flatMap((frame) => /"text":"(\w+)"/.exec(frame)?.[1] ?? []);
  }
}

function stage() {
  const watchers = new Set<ScreenWatcher>();
  const screens: ScreenWatch = {
    watch: (_agentId, watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const draw = (text: string) => {
    for (const watcher of watchers) watcher.onScreen(shows(text));
  };
  return { watchers, draw, streams: createScreenStreams(screens, () => 0) };
}

describe("the stream of an agent's screens", () => {
  it('a slow reader of a screen stream gets only the latest screen', () => {
    const { streams, draw } = stage();
    const [slow, quick] = [new Reader(), new Reader()];
    for (const { response } of [slow, quick]) streams.open(response, 1);
    slow.takes = false;
    for (const text of ['one', 'two', 'three', 'four']) draw(text);
    expect([slow.texts, quick.texts]).toEqual([['one'], ['one', 'two', 'three', 'four']]);
    slow.takes = true;
    slow.emit('drain');
    expect(slow.texts).toEqual(['one', 'four']);
    slow.emit('drain');
    draw('five');
    expect(slow.texts).toEqual(['one', 'four', 'five']);
  });

  it('when a page is logged out, its screen stream ends', () => {
    const { streams, watchers } = stage();
    const [page, other] = [new Reader(), new Reader()];
    streams.open(page.response, 1, 'page');
    streams.open(other.response, 1);
    streams.closeFor(['page']);
    expect([page.ended, other.ended, watchers.size]).toEqual([true, false, 1]);
  });

  it('a reader that left before its screen stream began does not count towards the limit of streams', () => {
    const { streams, watchers } = stage();
    for (let n = 0; n < 100; n++) {
      const gone = Object.assign(new Reader(), { destroyed: true });
      expect(streams.open(gone.response, 1)).toBe(true);
    }
    expect(watchers.size).toBe(0);
    expect(streams.open(new Reader().response, 1)).toBe(true);
  });

  it('while 64 screen streams are open, another one is refused', () => {
    const { streams, watchers } = stage();
    const readers = Array.from({ length: 64 }, () => new Reader());
    expect(readers.every(({ response }) => streams.open(response, 1))).toBe(true);
    expect(streams.open(new Reader().response, 1)).toBe(false);
    readers[0]?.emit('close');
    expect(watchers.size).toBe(63);
    expect(streams.open(new Reader().response, 1)).toBe(true);
  });
});

describe('the screen captures for streams', () => {
  it("readers of the same agent's screen share one capture", async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    let looks = 0;
    const { terminal } = sim.ports;
    const picture = async () => {
      looks += 1;
      return shows(`look${Math.ceil(looks / 3)}`).picture;
    };
    const screens = createScreenWatch({ ...sim.ports, terminal: { ...terminal, picture } });
    const seen: string[][] = [[], []];
    let enough = (): void => undefined;
    const seenEnough = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const stops = seen.map((list) =>
      screens.watch(agent.id, {
        onScreen: (shown) => {
          list.push(shown.picture.lines[0]?.[0]?.text ?? '');
          if (list.includes('look3')) enough();
        },
        onGone: () => undefined,
      }),
    );
    await seenEnough;
    for (const stop of stops) stop();
    const then = looks;
    // Both readers must get each screen once. The screen changes after every third capture, so seven captures must be
    // enough for both readers.
    expect(seen).toEqual([
      ['look1', 'look2', 'look3'],
      ['look1', 'look2', 'look3'],
    ]);
    expect(then).toBe(7);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(then);
  });
});
