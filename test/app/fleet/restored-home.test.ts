import { describe, expect, it } from 'vitest';
import { timeText } from '../../../src/app/fleet/hub-clock.ts';
import { purposes } from '../../../src/app/fleet/membership.ts';
import type { Sealed } from '../../../src/app/ports/fleet/fleet-link.ts';
import { LOG_START, type LogMark } from '../../../src/domain/fleet/compare-logs.ts';
import { aCode, controlWith, NOON, never } from './fake-fleet.ts';

/** An event that the log of the tested machine does not have, because its home was restored from an older copy. */
const LATER: LogMark = { seq: 1_000, hash: 'later' };

const sign = (purpose: string, text: string): Sealed => ({ text, signature: purpose });

/** A command of the machine `desk` for the tested machine, the machine `laptop`. */
const command = (method: 'GET' | 'POST'): Sealed => {
  const said = { method, route: '/api/agents/3/stop', query: '', body: null, operator: 'cli' };
  const id = '00000000-0000-4000-8000-000000000001';
  const life = { issued_at: NOON, expires_at: '2026-11-18T12:02:00.000Z' };
  return sign(purposes.command('laptop'), JSON.stringify({ id, machine: 'laptop', from: 'desk', ...said, ...life }));
};

/**
 * Starts the machine `laptop` in a fleet. The fake signature of a text is the purpose of the text. When the machine asks
 * for the hub's last event, the answer comes when the test calls `tell`. The machine's search for another Baton with the
 * same identity finds none. The search ends at once or, if `isSearchSlow` is true, when the test calls `endSearch`.
 */
async function laptop(isSearchSlow = false) {
  const lastEvents: ((mark: LogMark) => void)[] = [];
  const appends: ((isStored: boolean) => void)[] = [];
  const searches: ((error: Error) => void)[] = [];
  const listeners: (() => void)[] = [];
  const done = { published: 0, followed: 0, performed: [] as string[] };
  let isConnected = true;
  let take: ((sealed: Sealed) => Promise<void>) | undefined;
  let answer: (sealed: Sealed) => Promise<Sealed | undefined> = never;
  const keys = { publicKey: 'K', sign };
  const members = ['desk', 'laptop'].map((name) => ({ name, key: 'K', role: 'operator', joinedAt: NOON }));
  const { control, store, pass } = controlWith(
    {
      createKeys: () => keys,
      readKeys: () => keys,
      verify: (_, purpose, { signature }) => signature === purpose,
      requestJoin: () =>
        Promise.resolve(JSON.stringify(sign(purposes.roster, JSON.stringify({ version: 1, members })))),
    },
    {
      isConnected: () => isConnected,
      onChange: (listener) => void listeners.push(listener),
      lastEvent: () =>
        new Promise((resolve) => {
          lastEvents.push(resolve);
        }),
      ask: () =>
        new Promise((_, reject) => {
          if (isSearchSlow) searches.push(reject);
          else reject(new Error('no other Baton answers'));
        }),
      askFounder: (_, { text }) => Promise.resolve(sign(purposes.founder('time'), timeText(text, NOON, 1))),
      answerAsks: (answerAsk) => {
        answer = answerAsk;
      },
      append: () =>
        new Promise((resolve) => {
          appends.push(resolve);
        }),
      publish: async () => {
        done.published += 1;
      },
      follow: () => {
        done.followed += 1;
        return never();
      },
      takeCommands: async (perform) => {
        take = perform;
      },
    },
    {
      refuse: () => undefined,
      actsFirst: () => false,
      perform: async ({ method }) => {
        done.performed.push(method);
        return { status: 200, body: {} };
      },
    },
  );
  await control.join(aCode());
  const change = (is: boolean): void => {
    isConnected = is;
    for (const listener of listeners) listener();
  };
  return {
    ...{ control, done, lastEvents },
    isTaking: () => take !== undefined,
    take: (sealed: Sealed) => (take === undefined ? never<void>() : take(sealed)),
    answer: (sealed: Sealed) => answer(sealed),
    /**
     * Makes the hub refuse the events that the machine has sent, as if another Baton had sent events in the machine's
     * name.
     */
    refuseEvents: async () => {
      await expect.poll(() => appends.length).toBeGreaterThan(0);
      for (const resolve of appends.splice(0)) resolve(false);
    },
    /** Answers the machine's request for the position of the last event that the hub has. */
    tell: async (mark: LogMark) => {
      await expect.poll(() => lastEvents.length).toBeGreaterThan(0);
      for (const resolve of lastEvents.splice(0)) resolve(mark);
    },
    slowDownSearches: () => {
      isSearchSlow = true;
    },
    endSearch: async () => {
      await expect.poll(() => searches.length).toBeGreaterThan(0);
      for (const reject of searches.splice(0)) reject(new Error('no other Baton answers'));
    },
    reconnect: () => {
      change(false);
      change(true);
    },
    /** Records an event and ends all timed waits of the machine, so that the machine continues its work. */
    work: async () => {
      await store.write((tx) =>
        tx.appendEvent({ at: NOON, agentId: null, runId: null, type: 'tool_used', data: {}, dedupeKey: null }),
      );
      for (let count = 0; count < 5; count++) {
        pass();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** Starts the machine. The hub answers that it has no event of the machine yet, so the machine takes commands. */
async function reportingLaptop() {
  const machine = await laptop();
  await machine.tell(LOG_START);
  await expect.poll(machine.isTaking).toBe(true);
  return machine;
}

describe('a machine that has not compared its log with the hub', () => {
  it('[T27] a machine publishes no state and takes no command until it knows that its log continues the events of the hub', async () => {
    const { done, isTaking, tell, take, work } = await laptop();
    await expect.poll(() => done.followed).toBe(1);
    await work();
    expect(done.published).toBe(0);
    expect(isTaking()).toBe(false);
    await tell(LOG_START);
    await expect.poll(isTaking).toBe(true);
    await work();
    expect(done.published).toBeGreaterThan(0);
    await take(command('POST'));
    expect(done.performed).toEqual(['POST']);
  });

  it('[T27] a machine answers checks of its identity at once, but other questions only if its log continues the events of the hub', async () => {
    const { done, tell, answer } = await laptop();
    await expect.poll(() => done.followed).toBe(1);
    expect(await answer(sign(purposes.question('ping', 'laptop'), 'two'))).toMatchObject({ text: 'one' });
    const answered = answer(command('GET'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done.performed).toEqual([]);
    await tell(LOG_START);
    expect(await answered).toBeDefined();
  });

  it('[T27] a machine sends nothing while it searches for another Baton with its identity, even if it records an event', async () => {
    const { done, lastEvents, endSearch, work } = await laptop(true);
    await work();
    expect(lastEvents).toEqual([]);
    expect(done.published).toBe(0);
    await endSearch();
    await expect.poll(() => lastEvents.length).toBe(1);
  });

  it("a machine takes commands after a reconnect, even if the hub never named the machine's last event over the earlier connection", async () => {
    const { done, isTaking, lastEvents, tell, reconnect } = await laptop();
    await expect.poll(() => done.followed).toBe(1);
    lastEvents.splice(0);
    reconnect();
    await tell(LOG_START);
    await expect.poll(isTaking).toBe(true);
  });

  it("[T27] after a reconnect, a machine asks the hub once more for the machine's last event, even if the hub had just answered over the earlier connection", async () => {
    for (let steps = 0; steps < 8; steps++) {
      const { done, lastEvents, tell, reconnect, take } = await laptop();
      await expect.poll(() => done.followed).toBe(1);
      await tell(LOG_START);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      reconnect();
      await expect.poll(() => lastEvents.length, { message: `after ${steps} steps` }).toBe(1);
      void take(command('POST'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(done.performed, `after ${steps} steps`).toEqual([]);
    }
  });

  it('if a machine stops while it waits for the hub to name the last event, the machine refuses a received command, so that the hub keeps it', async () => {
    const { control, done, take, reconnect } = await reportingLaptop();
    reconnect();
    const refused = expect(take(command('POST'))).rejects.toThrow('contains all events');
    await control.stop();
    await refused;
    expect(done.performed).toEqual([]);
  });
});

describe('a machine whose home was restored from an older copy', () => {
  it('[T27] a machine with a restored home publishes no state and takes no command while it searches for another Baton, nor after it has halted', async () => {
    const { control, done, isTaking, tell, slowDownSearches, endSearch, work } = await laptop();
    await expect.poll(() => done.followed).toBe(1);
    slowDownSearches();
    await tell(LATER);
    await work();
    expect(control.status().problem).toBeUndefined();
    await endSearch();
    await expect.poll(() => control.status().problem?.code).toBe('log_went_back');
    await work();
    expect(done.published).toBe(0);
    expect(isTaking()).toBe(false);
  });

  it("[T27] after a reconnect, a machine refuses commands until it has compared its log with the hub's events, and also after it has halted", async () => {
    const { control, done, tell, take, reconnect, slowDownSearches, endSearch, work } = await reportingLaptop();
    await work();
    slowDownSearches();
    reconnect();
    const { published } = done;
    const refused = expect(take(command('POST'))).rejects.toThrow('contains all events');
    await work();
    await tell(LATER);
    await refused;
    const refusedLater = expect(take(command('POST'))).rejects.toThrow('contains all events');
    await work();
    await endSearch();
    await refusedLater;
    await expect.poll(() => control.status().problem?.code).toBe('log_went_back');
    await expect(take(command('POST'))).rejects.toThrow('contains all events');
    await work();
    expect(done).toMatchObject({ performed: [], published });
  });

  it('[T27] a machine refuses commands as soon as it sees that another Baton has sent events in its name', async () => {
    const { control, done, tell, take, refuseEvents, slowDownSearches, endSearch, work } = await reportingLaptop();
    slowDownSearches();
    await refuseEvents();
    await tell(LATER);
    await work();
    const refused = expect(take(command('POST'))).rejects.toThrow('contains all events');
    await work();
    await endSearch();
    await refused;
    expect(control.status().problem?.code).toBe('log_went_back');
    expect(done.performed).toEqual([]);
  });

  it('after a reconnect, a machine performs a command as soon as it knows that its log continues the events of the hub', async () => {
    const { done, tell, take, reconnect } = await reportingLaptop();
    reconnect();
    const taken = take(command('POST'));
    await tell(LOG_START);
    await taken;
    expect(done.performed).toEqual(['POST']);
  });
});
