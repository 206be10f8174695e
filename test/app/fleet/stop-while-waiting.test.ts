import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import { createFleetControl, type FleetDeps } from '../../../src/app/fleet/fleet-control.ts';
import { writeCode } from '../../../src/app/fleet/invitation-code.ts';
import type { FleetTransport, FounderLink } from '../../../src/app/ports/fleet/fleet-link.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const NOON = '2026-11-18T12:00:00.000Z' as Instant;
const HUB = { host: '127.0.0.1', port: 7422, certificate: null };

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Begins a wait for the hub that ends only when Baton stops. `begun` resolves when the wait has begun. */
function endlessWait<T>(end: (resolve: (value: T) => void, reject: (error: Error) => void) => void) {
  let tell = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const wait = (stopping: AbortSignal | undefined): Promise<T> => {
    tell();
    return new Promise((resolve, reject) => {
      stopping?.addEventListener('abort', () => end(resolve, reject));
    });
  };
  return { begun, wait };
}

/** A fleet control with a fake transport: the hub is connected, but answers nothing. */
function controlWith(transport: Partial<FleetTransport>) {
  const link = {
    isConnected: () => true,
    whyNotConnected: () => undefined,
    onChange: () => undefined,
    answerAsks: () => undefined,
    answerFounder: () => undefined,
    answerJoins: () => undefined,
    lastEvent: never,
    ask: never,
    askFounder: never,
    publish: never,
    publishRoster: never,
    prepareMember: never,
    close: () => Promise.resolve(),
  } as unknown as FounderLink;
  const keys = { publicKey: 'K', sign: (_: string, text: string) => ({ text, signature: 'K' }) };
  let removed = 0;
  const timers = new Set<() => void>();
  const later = (_: number, callback: () => void) => {
    timers.add(callback);
    return () => void timers.delete(callback);
  };
  const control = createFleetControl({
    ports: {
      store: createMemoryStore('hub', () => NOON),
      clock: { now: () => NOON, monotonicMs: () => 0, after: later },
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
    calls: {},
    takesCommands: () => true,
  } as unknown as FleetDeps);
  /** Lets the time of every wait pass. */
  const pass = (): void => {
    for (const callback of timers) callback();
  };
  return { control, removedKeys: () => removed, pass };
}

describe('a stop of Baton while it waits for the hub', () => {
  it('a Baton that stops does not wait until the hub accepts a new invitation, and the invitation stays valid', async () => {
    const { begun, wait } = endlessWait<void>((resolve) => resolve());
    const { control } = controlWith({ awaitAccess: (_hub, _invitation, stopping) => wait(stopping) });
    await control.found({ name: 'hub', address: '127.0.0.1:7422', plain: false });
    const invited = control.invite({ name: 'laptop', role: 'operator', replace: false });
    await begun;
    await control.stop();
    expect(await invited).toMatchObject({ name: 'laptop', role: 'operator' });
  });

  it('a Baton that stops does not wait for the answer to its request to join a fleet, and does not become a member', async () => {
    const { begun, wait } = endlessWait<string>((_, reject) => reject(new Error('Baton was stopped')));
    const { control, removedKeys } = controlWith({
      requestJoin: (_hub, _invitation, _text, stopping) => wait(stopping),
    });
    const expiresAt = '2026-11-19T12:00:00.000Z' as Instant;
    const invitation = { id: 'i', name: 'laptop', role: 'operator', expiresAt, seed: 'S' } as const;
    const joined = control.join(writeCode({ ...invitation, hub: HUB, founder: { name: 'hub', key: 'K' } }));
    await begun;
    await control.stop();
    expect(await joined).toMatchObject({ code: 'hub_unreachable' });
    expect(control.status().membership).toBeUndefined();
    expect(removedKeys()).toBe(1);
  });
});

describe('a stop of Baton while the server of the hub starts', () => {
  it('a Baton that stops does not wait longer than its time limit for a hub that does not start', async () => {
    const { begun, wait } = endlessWait<void>(() => undefined);
    let applied = 0;
    const { control, pass } = controlWith({
      hub: {
        whyNot: () => Promise.resolve(undefined),
        isOwnAddress: () => Promise.resolve(true),
        apply: () => {
          applied += 1;
          return applied === 1 ? Promise.resolve() : wait(undefined);
        },
      } as unknown as FleetTransport['hub'],
    });
    void control.found({ name: 'hub', address: '127.0.0.1:7422', plain: false });
    await begun;
    const stopped = control.stop();
    pass();
    await stopped;
  });
});

describe('an invitation to a fleet', () => {
  it('a machine does not ask the hub to join with an expired invitation, and the refusal says when it expired', async () => {
    let asked = 0;
    const { control } = controlWith({
      requestJoin: () => {
        asked += 1;
        return never();
      },
    });
    const invitation = { id: 'i', name: 'laptop', role: 'operator', expiresAt: NOON, seed: 'S' } as const;
    const code = writeCode({ ...invitation, hub: HUB, founder: { name: 'hub', key: 'K' } });
    expect(await control.join(code)).toMatchObject({
      code: 'bad_invitation',
      sentence: 'The invitation expired at 2026-11-18 12:00 UTC',
    });
    expect(asked).toBe(0);
  });
});
