import { describe, expect, it } from 'vitest';
import { aCode, admitted, controlWith, never } from './fake-fleet.ts';

const WHY = 'the hub at 127.0.0.1:7422 refuses the key of this machine';

/** Creates a machine that has joined a fleet. While `refuses` is true, the hub refuses the machine's key. */
async function member() {
  let refuses = false;
  const listeners: (() => void)[] = [];
  const { control, store, pass } = controlWith(
    { requestJoin: () => Promise.resolve(admitted()) },
    {
      isConnected: () => !refuses,
      isRefused: () => refuses,
      whyNotConnected: () => (refuses ? WHY : undefined),
      onChange: (listener) => void listeners.push(listener),
    },
  );
  await control.join(aCode());
  return {
    pass,
    problem: () => control.status().problem,
    inbox: () => store.read((tx) => tx.openInboxItems()).map(({ sentence }) => sentence),
    setRefused: (is: boolean) => {
      refuses = is;
      for (const listener of listeners) listener();
    },
  };
}

describe('a machine whose key the hub refuses', () => {
  it("after the hub has refused a machine's key for 30 seconds, an inbox item says how the machine can join again", async () => {
    const { pass, problem, inbox, setRefused } = await member();
    setRefused(true);
    pass(29_000);
    expect(problem()?.hint).toMatch(/^Baton tries again by itself/);
    pass(1_000);
    const sentence = `Baton is not connected to the hub: ${WHY}. The hub probably removed laptop, or the fleet was founded anew`;
    expect(problem()).toMatchObject({ code: 'not_a_member', sentence });
    expect(problem()?.hint).toContain('baton fleet invite laptop --replace');
    await expect.poll(inbox).toEqual([sentence]);
  });

  it('the inbox item about the refused key is resolved when the hub accepts the key again', async () => {
    const { pass, problem, inbox, setRefused } = await member();
    setRefused(true);
    pass(30_000);
    await expect.poll(() => inbox().length).toBe(1);
    setRefused(false);
    await expect.poll(inbox).toEqual([]);
    expect(problem()).toBeUndefined();
  });
});

describe('a machine that has just joined', () => {
  it("the join of a machine is complete only when the hub accepts the machine's new key", async () => {
    let isAccepted = false;
    const { control } = controlWith(
      { requestJoin: () => Promise.resolve(admitted()) },
      {
        isConnected: () => isAccepted,
        isRefused: () => !isAccepted,
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
