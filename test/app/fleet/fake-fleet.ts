import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import { createFleetControl, type FleetDeps } from '../../../src/app/fleet/fleet-control.ts';
import { writeCode } from '../../../src/app/fleet/invitation-code.ts';
import type { RemoteCalls } from '../../../src/app/fleet/take-commands.ts';
import type { FleetTransport, FounderLink } from '../../../src/app/ports/fleet/fleet-link.ts';
import type { Instant } from '../../../src/domain/instant.ts';

export const NOON = '2026-11-18T12:00:00.000Z' as Instant;
export const HUB = { host: '127.0.0.1', port: 7422, certificate: null };

export const never = <T>(): Promise<T> => new Promise(() => undefined);

/** An invitation code for a machine, valid for a day after NOON. */
export const aCode = (name = 'laptop'): string =>
  writeCode({
    id: 'i',
    name,
    role: 'operator',
    expiresAt: '2026-11-19T12:00:00.000Z' as Instant,
    seed: 'S',
    hub: HUB,
    founder: { name: 'hub', key: 'K' },
  });

/** The founder's answer to a join request: a list of members that contains the machine `name`. */
export const admitted = (name = 'laptop'): string => {
  const members = [{ name, key: 'K', role: 'operator', joinedAt: NOON }];
  return JSON.stringify({ text: JSON.stringify({ version: 1, members }), signature: 'K' });
};

/** A fleet control with a fake transport. The hub is connected, but it answers no request. */
export function controlWith(
  transport: Partial<FleetTransport>,
  ownLink: Partial<FounderLink> = {},
  calls: Partial<RemoteCalls> = {},
) {
  const link = {
    isConnected: () => true,
    whyNotConnected: () => undefined,
    refusal: () => undefined,
    onChange: () => undefined,
    answerAsks: () => undefined,
    answerFounder: () => undefined,
    answerJoins: () => undefined,
    lastEvent: never,
    append: never,
    follow: never,
    takeCommands: never,
    ask: never,
    askFounder: never,
    publish: never,
    publishRoster: never,
    prepareMember: never,
    close: () => Promise.resolve(),
    ...ownLink,
  } as unknown as FounderLink;
  const keys = { publicKey: 'K', sign: (_: string, text: string) => ({ text, signature: 'K' }) };
  let removed = 0;
  let now = 0;
  const store = createMemoryStore('hub', () => NOON);
  const timers = new Set<() => void>();
  const later = (_: number, callback: () => void) => {
    timers.add(callback);
    return () => void timers.delete(callback);
  };
  const control = createFleetControl({
    ports: {
      store,
      clock: { now: () => NOON, monotonicMs: () => now, after: later },
      chance: { uuid: () => 'u', token: () => 'aaaaaaaaaaaaaaaa', sha256: (text: string) => text },
      secrets: { redact: (text: string) => text },
      settings: { instance: 'one', version: '1' },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
    loadTransport: () =>
      Promise.resolve({
        createKeys: () => keys,
        readKeys: () => keys,
        removeKeys: () => {
          removed += 1;
        },
        createLooseKeys: () => ({ publicKey: 'L', seed: 'S' }),
        verify: () => true,
        isPublicKey: () => true,
        connect: () => link,
        connectAsFounder: () => link,
        hub: {
          whyNot: () => Promise.resolve(undefined),
          isOwnAddress: () => Promise.resolve(true),
          apply: () => Promise.resolve(),
          ensureRunning: () => Promise.resolve(),
        },
        ...transport,
      } as unknown as FleetTransport),
    views: { current: () => [] },
    calls,
    takesCommands: () => true,
  } as unknown as FleetDeps);
  /** Advances the clock by `ms` and ends every wait that is in progress. */
  const pass = (ms = 0): void => {
    now += ms;
    for (const callback of [...timers]) {
      timers.delete(callback);
      callback();
    }
  };
  return { control, store, removedKeys: () => removed, pass };
}
