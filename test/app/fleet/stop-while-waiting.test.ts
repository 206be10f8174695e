import { describe, expect, it } from 'vitest';
import { writeCode } from '../../../src/app/fleet/invitation-code.ts';
import type { FleetTransport } from '../../../src/app/ports/fleet/fleet-link.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { controlWith, HUB, NOON, never } from './fake-fleet.ts';

/** Creates a fake wait that ends only when Baton stops. `begun` resolves when Baton begins the wait. */
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

describe('a stop of Baton while it waits for the hub', () => {
  it('when Baton is stopped while it waits for the hub to accept an invitation, the wait ends and the invitation stays valid', async () => {
    const { begun, wait } = endlessWait<void>((resolve) => resolve());
    const { control } = controlWith({ awaitAccess: (_hub, _invitation, stopping) => wait(stopping) });
    await control.found({ name: 'hub', address: '127.0.0.1:7422', plain: false });
    const invited = control.invite({ name: 'laptop', role: 'operator', replace: false });
    await begun;
    await control.stop();
    expect(await invited).toMatchObject({ name: 'laptop', role: 'operator' });
  });

  it('when Baton is stopped while it waits for the answer to its join request, the wait ends and Baton is not a member', async () => {
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
  it('when Baton is stopped while the hub is starting, Baton waits for the hub only for a limited time', async () => {
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
  it('the refusal of an expired invitation names the time of expiry, and the machine sends nothing to the hub', async () => {
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
