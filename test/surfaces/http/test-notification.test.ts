import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestNotification } from '../../../src/contract/resources.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess } from './api-in-process.ts';

let sim: SimWorld;
let api: ApiInProcess;
beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
});
afterEach(() => api.remove());

const test = () => api.call<TestNotification>('POST', '/api/settings/test-notification', {});

it('[D11] a test notification is sent to every channel', async () => {
  expect(await test()).toMatchObject({
    status: 200,
    body: {
      channels: [{ channel: 'os', outcome: 'sent', sentence: 'The desktop accepted the notification.' }],
      sentence: 'The desktop accepted the notification.',
    },
  });
  expect(sim.notified).toMatchObject([{ title: 'Baton: test notification', urgency: 'normal' }]);
});

it('[D11] if no notification channel is on, the answer to a test notification says so', async () => {
  Object.assign(sim.ports, { notifier: { send: async () => [] } });
  const { sentence, channels } = (await test()).body;
  expect([channels, sentence]).toEqual([
    [],
    'Baton sent nothing, because no notification channel is on: desktop, ntfy or webhook.',
  ]);
});

it('[D11] if a notification channel fails, the answer to a test notification contains the error sentence of the channel', async () => {
  const failed = { channel: 'ntfy', outcome: 'failed', sentence: 'The ntfy server answered 403.' } as const;
  Object.assign(sim.ports, { notifier: { send: async () => [failed] } });
  expect((await test()).body).toEqual({ channels: [failed], sentence: failed.sentence });
});
