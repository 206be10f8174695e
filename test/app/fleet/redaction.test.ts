import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import { createForwarder } from '../../../src/app/fleet/forward-events.ts';
import type { FleetContext } from '../../../src/app/fleet/membership.ts';
import { createStatePublisher } from '../../../src/app/fleet/publish-state.ts';
import type { FleetLink, Sealed } from '../../../src/app/ports/fleet/fleet-link.ts';
import { createKnownSecrets } from '../../../src/app/settings/known-secrets.ts';
import { LOG_START } from '../../../src/domain/fleet/compare-logs.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const NOON = '2026-11-18T12:00:00.000Z' as Instant;
const SECRET = 'hunter2-hunter2-hunter2-77';

it('[T20] no secret reaches the hub, even if Baton learns the secret only after it recorded the event that contains the secret', async () => {
  const sent: string[] = [];
  const link = {
    isConnected: () => true,
    lastEvent: () => Promise.resolve(LOG_START),
    append: (_: unknown, events: readonly Sealed[]) => {
      sent.push(...events.map(({ text }) => text));
      return Promise.resolve(true);
    },
    publish: (_: unknown, { text }: Sealed) => {
      sent.push(text);
      return Promise.resolve();
    },
  } as unknown as FleetLink;
  const store = createMemoryStore('laptop', () => NOON);
  const data = { text: `the key is ${SECRET}` };
  await store.write((tx) =>
    tx.appendEvent({ at: NOON, agentId: null, runId: null, type: 'tool_used', data, dedupeKey: null }),
  );
  const secrets = createKnownSecrets();
  secrets.learn([{ name: 'API_KEY', value: SECRET }]);
  const context = {
    ports: {
      store,
      secrets,
      clock: {
        now: () => NOON,
        monotonicMs: () => 0,
        after: (_: number, run: () => void) => {
          queueMicrotask(run);
          return () => undefined;
        },
      },
      chance: { sha256: (text: string) => text.slice(0, 10) },
      settings: { instance: 'one', version: '1' },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
    keys: { publicKey: 'K', sign: (_: string, text: string) => ({ text, signature: '' }) },
    membership: { machine: 'laptop' },
    takesCommands: () => true,
  } as unknown as FleetContext;
  createForwarder(context, link, {
    halt: () => undefined,
    isOtherAlive: () => Promise.resolve(false),
    beginHistory: () => Promise.resolve(),
  }).wake();
  createStatePublisher(context, link, {
    views: { current: () => [{ kind: 'agent', id: '1', body: { label: `uses ${SECRET}` } }] },
    hubNow: () => NOON,
    mayPublish: () => true,
    onGone: () => undefined,
  }).wake();
  // Wait for the three messages that the machine sends: an event, a state and a report.
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.join('\n')).toContain('the key is');
  expect(sent.join('\n')).toContain('uses');
  expect(sent.join('\n')).not.toContain(SECRET);
});
