import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SettingsView } from '../../../src/contract/resources.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { runInHome } from './support/run-in-home.ts';

const template = (name: 'instruction' | 'injection', problem: string | null = null) => ({
  name,
  text: `the ${name}\nin two lines`,
  is_own: false,
  built_in: '',
  placeholders: [{ name: 'path', required: true }],
  path: `/home/data/templates/${name}.txt`,
  problem,
});
const settings: SettingsView = {
  handoff_at_percent: 80,
  notifications: {
    os: true,
    ntfy: null,
    webhook: 'https://hook.test/1',
    waits: true,
    finished: false,
    near_threshold: true,
    notices: true,
  },
  notify_finished_after_seconds: 60,
  quiet_hours: { from: '22:00', to: '07:00' },
  allowed_hosts: ['baton.example.test'],
  templates: [template('instruction'), template('injection', 'injection.txt is not used: The text is empty.')],
  config_path: '/home/config.json',
  home: '/home',
  version: '1',
};
let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.answer('GET /api/settings', settings);
  for (const path of ['', '/templates/instruction', '/templates/injection'])
    baton.answer(`POST /api/settings${path}`, settings);
});
afterEach(() => baton.remove());

it('`baton settings` shows the settings', async () => {
  const { stdout } = await run('settings', 'show');
  for (const part of [
    'handoff_at_percent',
    '80',
    'https://hook.test/1',
    'The text is empty.',
    '/home/config.json',
    '22:00-07:00',
  ])
    expect(stdout).toContain(part);
  expect(JSON.parse((await run('settings', 'show', '--json')).stdout)).toEqual(settings);
});

it.each<[string, string, object]>([
  ['handoff_at_percent', '70', { handoff_at_percent: 70 }],
  ['handoff_at_percent', 'default', { handoff_at_percent: null }],
  ['notifications.os', 'false', { notifications: { os: false } }],
  ['notifications.os', 'default', { notifications: { os: true } }],
  ['notifications.ntfy', 'https://ntfy.test/t', { notifications: { ntfy: 'https://ntfy.test/t' } }],
  ['notifications.webhook', 'default', { notifications: { webhook: null } }],
  ['notifications.finished', 'false', { notifications: { finished: false } }],
  ['notifications.near_threshold', 'default', { notifications: { near_threshold: true } }],
  ['notify_finished_after_seconds', '300', { notify_finished_after_seconds: 300 }],
  ['quiet_hours', '22:00-07:00', { quiet_hours: { from: '22:00', to: '07:00' } }],
  ['quiet_hours', 'none', { quiet_hours: null }],
  ['notifications.ntfy', 'none', { notifications: { ntfy: null } }],
  ['notifications.webhook', 'none', { notifications: { webhook: null } }],
])('`baton settings` sets %s to %s', async (key, value, body) => {
  expect((await run('settings', 'set', key, value)).code).toBe(0);
  expect(baton.seen.at(-1)?.body).toEqual(body);
});

it.each([
  [['set', 'colour', 'red'], 'handoff_at_percent, notifications.os'],
  [['set', 'handoff_at_percent', 'high'], 'Use a whole number'],
  [['set', 'notifications.os', 'maybe'], 'Use true or false'],
  [['set', 'notifications.failures', 'false'], 'Unknown setting'],
  [['set', 'quiet_hours', 'at night'], 'two times such as 22:00-07:00'],
  [['template', 'farewell'], 'Use instruction or injection'],
  [['template', 'injection', '--reset', '--file', 'x'], 'either'],
])('`baton settings` refuses %j and sends no request', async (argv, sentence) => {
  const { code, stderr } = await run('settings', ...argv);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  expect(baton.seen).toEqual([]);
});

it('`baton settings` can replace and reset a template', async () => {
  expect((await run('settings', 'template', 'instruction')).stdout).toBe('the instruction\nin two lines\n');
  expect(JSON.parse((await run('settings', 'template', 'instruction', '--json')).stdout).is_own).toBe(false);
  const file = join(baton.home, 'mine.txt');
  writeFileSync(file, 'mine {{path}}\n');
  await run('settings', 'template', 'instruction', '--file', file);
  await runInHome(baton.home, ['settings', 'template', 'injection', '--file', '-'], { stdin: 'from input' });
  await run('settings', 'template', 'injection', '--reset');
  expect(baton.seen.slice(2).map(({ url, body }) => [url, body])).toEqual([
    ['/api/settings/templates/instruction', { text: 'mine {{path}}\n' }],
    ['/api/settings/templates/injection', { text: 'from input' }],
    ['/api/settings/templates/injection', { text: null }],
  ]);
  expect((await run('settings', 'template', 'injection', '--file', '/no/such')).stderr).toContain('Cannot read');
});

it.each([
  ['0 if one channel was reached', 'sent', 0],
  ['1 if every channel failed', 'failed', 1],
] as const)('`baton settings test-notification` exits with the code %s', async (_how, outcome, code) => {
  const channels = [
    { channel: 'os', outcome, sentence: 'said so' },
    { channel: 'ntfy', outcome: 'failed', sentence: 'no answer' },
  ];
  baton.answer('POST /api/settings/test-notification', { channels, sentence: 'Tested' });
  expect((await run('settings', 'test-notification')).code).toBe(code);
});
