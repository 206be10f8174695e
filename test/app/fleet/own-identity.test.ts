import { describe, expect, it } from 'vitest';
import type { FleetContext } from '../../../src/app/fleet/membership.ts';
import { answerPing, findOther, watchIdentity } from '../../../src/app/fleet/own-identity.ts';
import type { FleetLink, Sealed } from '../../../src/app/ports/fleet/fleet-link.ts';

/**
 * Creates two Batons with the same key. The first Baton can ask whether the second Baton is running. The fake signature
 * of a text is the purpose of the text.
 */
function batons(ownInstance: string, otherInstance: string) {
  const timers: (() => void)[] = [];
  const identity = (instance: string) =>
    ({
      ports: {
        settings: { instance },
        log: { info: () => undefined },
        clock: {
          after: (_: number, callback: () => void) => {
            timers.push(callback);
            return () => void timers.splice(timers.indexOf(callback), 1);
          },
        },
      },
      transport: { verify: (_: string, purpose: string, { signature }: Sealed) => signature === purpose },
      keys: { publicKey: 'K', sign: (purpose: string, text: string) => ({ text, signature: purpose }) },
      membership: { machine: 'laptop' },
    }) as unknown as FleetContext;
  let other: 'reporting' | 'waiting' | undefined;
  let isConnected = true;
  const link = {
    isConnected: () => isConnected,
    answerAsks: () => undefined,
    onChange: () => undefined,
    ask: async (_: string, sealed: Sealed) => {
      const answer = other && answerPing(identity(otherInstance), sealed, other);
      if (answer === undefined) throw new Error('no answer');
      return answer;
    },
    close: () => Promise.resolve(),
  } as unknown as FleetLink;
  return {
    own: identity(ownInstance),
    link,
    otherIs: (is: typeof other) => {
      other = is;
    },
    connected: (is: boolean) => {
      isConnected = is;
    },
    /** Lets the waiting Baton check once for the other Baton, and waits until this check is done. */
    look: async () => {
      for (const callback of timers.splice(0)) callback();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function watching(ownInstance = 'a', otherInstance = 'b') {
  const world = batons(ownInstance, otherInstance);
  let freed = 0;
  watchIdentity(world.own, world.link, 10_000, () => {
    freed += 1;
  });
  return { ...world, freed: () => freed };
}

describe('a Baton whose identity another Baton uses', () => {
  it('Baton finds another Baton with the same identity and learns whether that Baton reports to the fleet or waits', async () => {
    const { own, link, otherIs } = batons('a', 'b');
    expect(await findOther(own, link)).toBeUndefined();
    otherIs('reporting');
    expect(await findOther(own, link)).toEqual({ is: 'reporting', instance: 'b' });
    otherIs('waiting');
    expect(await findOther(own, link)).toEqual({ is: 'waiting', instance: 'b' });
  });

  it('a Baton waits until two checks in a row find no other Baton with the same identity', async () => {
    const { look, otherIs, freed } = watching();
    otherIs('reporting');
    await look();
    otherIs(undefined);
    await look();
    otherIs('reporting');
    await look();
    otherIs(undefined);
    await look();
    expect(freed()).toBe(0);
    await look();
    expect(freed()).toBe(1);
  });

  it('a Baton that waits because another Baton has its identity does not continue while the connection to the hub is lost', async () => {
    const { look, connected, freed } = watching();
    connected(false);
    for (let count = 0; count < 3; count++) await look();
    expect(freed()).toBe(0);
  });

  it('if two Batons with the same identity wait for each other, only one continues', async () => {
    const [lower, higher] = [watching('a', 'b'), watching('b', 'a')];
    for (const { otherIs, look } of [lower, higher]) {
      otherIs('waiting');
      for (let count = 0; count < 3; count++) await look();
    }
    expect([lower.freed(), higher.freed()]).toEqual([1, 0]);
  });
});
