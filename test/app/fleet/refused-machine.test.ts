import { describe, expect, it } from 'vitest';
import { aCode, admitted, controlWith, never } from './fake-fleet.ts';

const WHY = 'the hub at 127.0.0.1:7422 refuses the key of this machine';

/**
 * Creates a machine that has joined a fleet. `setRefused` begins or ends a refusal: of the machine's key by the hub, or of
 * the hub's certificate by the machine. `stopHub` makes the hub answer nothing, until the next call of `setRefused`.
 */
async function member() {
  let refusal: 'key' | 'certificate' | undefined;
  let hubRuns = true;
  const listeners: (() => void)[] = [];
  const { control, store, pass } = controlWith(
    { requestJoin: () => Promise.resolve(admitted()) },
    {
      isConnected: () => hubRuns && refusal === undefined,
      refusal: () => refusal,
      whyNotConnected: () => (refusal === undefined ? undefined : WHY),
      onChange: (listener) => void listeners.push(listener),
    },
  );
  await control.join(aCode());
  const change = (runs: boolean, refused: typeof refusal): void => {
    hubRuns = runs;
    refusal = refused;
    for (const listener of listeners) listener();
  };
  return {
    pass,
    problem: () => control.status().problem,
    inbox: () => store.read((tx) => tx.openInboxItems()).map(({ sentence }) => sentence),
    setRefused: (now: typeof refusal) => change(true, now),
    stopHub: () => change(false, undefined),
    /** Makes the machine leave the fleet, and ends each of its waits for the hub immediately. */
    leave: async () => {
      let standing: Awaited<ReturnType<typeof control.leave>> | undefined;
      void control.leave().then((answer) => {
        standing = answer;
      });
      await expect
        .poll(() => {
          pass();
          return standing;
        })
        .toBeDefined();
      return standing;
    },
  };
}

describe('a machine whose key the hub refuses', () => {
  it("after the hub has refused a machine's key for 30 seconds, an inbox item says how the machine can join again", async () => {
    const { pass, problem, inbox, setRefused } = await member();
    setRefused('key');
    pass(29_000);
    expect(problem()?.hint).toMatch(/^Baton tries again by itself/);
    pass(1_000);
    const sentence = `Baton is not connected to the hub: ${WHY}. The hub probably removed laptop, or the fleet was ended and created again`;
    expect(problem()).toMatchObject({ code: 'not_a_member', sentence });
    expect(problem()?.hint).toContain('baton fleet invite laptop --replace');
    await expect.poll(inbox).toEqual([sentence]);
  });

  it('the inbox item about the refused key is resolved when the hub accepts the key again', async () => {
    const { pass, problem, inbox, setRefused } = await member();
    setRefused('key');
    pass(30_000);
    await expect.poll(() => inbox().length).toBe(1);
    setRefused(undefined);
    await expect.poll(inbox).toEqual([]);
    expect(problem()).toBeUndefined();
  });

  it('the inbox item about the refused key stays open until the hub accepts the key, even while the hub is stopped', async () => {
    const { pass, problem, inbox, setRefused, stopHub } = await member();
    setRefused('key');
    pass(30_000);
    await expect.poll(() => inbox().length).toBe(1);
    stopHub();
    pass(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(inbox()).toHaveLength(1);
    expect(problem()?.code).toBe('not_a_member');
    setRefused(undefined);
    await expect.poll(inbox).toEqual([]);
    expect(problem()).toBeUndefined();
  });
});

describe('a machine that leaves the fleet while it has no connection', () => {
  it("if the hub refuses a machine's key, the machine can leave the fleet without a warning, because the hub no longer lists the machine", async () => {
    const { setRefused, leave } = await member();
    setRefused('key');
    expect(await leave()).toMatchObject({ membership: undefined, problem: undefined });
  });

  it("if a machine does not accept the hub's certificate and leaves the fleet, the machine says that the hub still lists it", async () => {
    const { setRefused, leave } = await member();
    setRefused('certificate');
    expect(await leave()).toMatchObject({
      membership: undefined,
      problem: {
        code: 'hub_unreachable',
        hint: 'To remove laptop from the list, run on the hub: baton fleet revoke laptop',
      },
    });
  });
});

describe('a machine that has just joined', () => {
  it("the join of a machine is complete only when the hub accepts the machine's new key", async () => {
    let isAccepted = false;
    const { control } = controlWith(
      { requestJoin: () => Promise.resolve(admitted()) },
      {
        isConnected: () => isAccepted,
        refusal: () => (isAccepted ? undefined : 'key'),
        onChange: (listener) =>
          void setImmediate(() => {
            isAccepted = true;
            listener();
          }),
      },
    );
    expect(await control.join(aCode())).toMatchObject({ isConnected: true });
  });

  it("a machine begins to answer questions about its identity before it asks the hub for the machine's last event", async () => {
    const calls: string[] = [];
    const { control } = controlWith(
      { requestJoin: () => Promise.resolve(admitted()) },
      {
        ask: () => Promise.reject(new Error('no other Baton answers')),
        answerAsks: () => void calls.push('answerAsks'),
        lastEvent: () => {
          calls.push('lastEvent');
          return never();
        },
      },
    );
    await control.join(aCode());
    await expect.poll(() => calls).toEqual(['answerAsks', 'lastEvent']);
  });
});
