import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, Event, RunTexts, SettingsView } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

const baton = new BatonProcess({ notifications: { os: false, near_threshold: false } });
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const cli = (...argv: string[]) =>
  run(process.execPath, [PROGRAM, ...argv], { ...process.env, BATON_HOME: baton.home });
const events = async (query: string) => (await baton.get<{ events: Event[] }>(`/api/events?${query}`)).events;

describe('settings', () => {
  it('changed settings apply at once and are saved in config.json', async () => {
    const told: string[] = [];
    const hook = createServer((request, answer) => {
      told.push(request.url ?? '');
      request.resume().on('end', () => answer.end());
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/s3cr3t`;
    const { status, body } = await baton.call<SettingsView>('POST', '/api/settings', {
      handoff_at_percent: 10,
      notifications: { webhook },
    });
    expect([status, body.handoff_at_percent, body.notifications.webhook]).toEqual([200, 10, webhook]);
    const config = join(baton.home, 'config.json');
    expect(Object.keys(JSON.parse(readFileSync(config, 'utf8')))).toEqual([
      'port',
      'reconcile_every_ms',
      'notifications',
      'handoff_at_percent',
    ]);
    expect(statSync(config).mode & 0o777).toBe(0o600);
    const agent = await baton.agent();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === agent.id);
    await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${agent.id}`)).handoff_offer.offered).toBe(true);
    // A run with a review waits for the operator's approval, so Baton must send a notification.
    const { body: begun } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {
      review: true,
    });
    const notified = await baton.event(({ type, run_id }) => type === 'operator_notified' && run_id === begun.run_id);
    expect([notified.data.outcome, told]).toEqual([{ webhook: 'sent' }, ['/s3cr3t']]);
    await new Promise((resolve) => hook.close(resolve));
    const changed = await events('type=settings_changed');
    expect(changed.map(({ data }) => data)).toEqual([{ keys: ['handoff_at_percent', 'notifications.webhook'] }]);
    expect(JSON.stringify(await events('after=0'))).not.toContain('s3cr3t');
    expect(readFileSync(join(baton.home, 'baton.log'), 'utf8')).not.toContain('s3cr3t');
    await baton.call('POST', '/api/settings', { notifications: { webhook: null } });
  });

  it('the API and `baton start` refuse invalid settings with the same message', async () => {
    const { status, body } = await baton.call('POST', '/api/settings', { notifications: { ntfy: 'https://n.test/' } });
    expect([status, body.code, body.error]).toEqual([
      400,
      'bad_settings',
      `${baton.home}/config.json: "notifications.ntfy": must end with a topic, such as https://ntfy.sh/my-topic.`,
    ]);
    const config = join(baton.home, 'config.json');
    const good = readFileSync(config, 'utf8');
    writeFileSync(config, '{"prot": 1}');
    const told = await cli('settings', 'set', 'handoff_at_percent', '60');
    expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('Unknown key "prot"')]);
    expect(readFileSync(config, 'utf8')).toBe('{"prot": 1}');
    writeFileSync(config, good);
    expect((await cli('settings', 'set', 'handoff_at_percent', '60')).code).toBe(0);
  });

  it('a template without a required placeholder is rejected', async () => {
    const file = join(baton.home, 'data/templates/instruction.txt');
    const bad = await baton.call('POST', '/api/settings/templates/instruction', { text: 'Write to {{path}}.' });
    expect([bad.status, bad.body.code, bad.body.error]).toEqual([
      400,
      'bad_template',
      expect.stringContaining('The text lacks {{end_marker}} and {{sections}}'),
    ]);
    expect(existsSync(file)).toBe(false);
    const mine = 'Schreib {{path}}.\r\n{{sections}}\r\n{{end_marker}}\r\n';
    const { body } = await baton.call<SettingsView>('POST', '/api/settings/templates/instruction', { text: mine });
    expect(body.templates[0]).toMatchObject({ is_own: true, path: file, text: mine.replaceAll('\r', '') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await cli('settings', 'template', 'instruction', '--reset')).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect((await baton.get<SettingsView>('/api/settings')).templates[0]?.is_own).toBe(false);
  });

  it('a template cannot be saved if it has changed since it was read', async () => {
    const path = '/api/settings/templates/instruction';
    const { templates } = await baton.get<SettingsView>('/api/settings');
    const text = templates.find(({ name }) => name === 'instruction')?.text ?? '';
    const save = (body: object) => baton.call<{ code?: string; error?: string }>('POST', path, body);
    expect((await save({ text: `${text}\nFirst.`, based_on: text })).status).toBe(200);
    const refused = await save({ text: `${text}\nSecond.`, based_on: text });
    expect([refused.status, refused.body.code]).toEqual([409, 'template_changed']);
    expect((await save({ text: null })).status).toBe(200);
    mkdirSync(join(baton.home, 'data/templates/instruction.txt', 'x'), { recursive: true });
    const inTheWay = await save({ text: `${text}\nThird.` });
    expect([inTheWay.status, inTheWay.body.code]).toEqual([409, 'template_unusable']);
    rmSync(join(baton.home, 'data/templates/instruction.txt'), { recursive: true });
  });
});

describe('the prompts of a handoff', () => {
  it('the stored prompts of a handoff stay the same when the templates change', async () => {
    const agent = await baton.agent();
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const over = await baton.over(body.run_id);
    expect(over.step).toBe('completed');
    const text = '{{path}}\n{{sections}}\n{{end_marker}}';
    await baton.call('POST', '/api/settings/templates/instruction', { text });
    await baton.kill();
    await baton.start();
    const { texts } = await baton.get<RunTexts>(`/api/runs/${body.run_id}/texts`);
    expect(texts.map(({ purpose, agent_id, outcome }) => [purpose, agent_id, outcome])).toEqual([
      ['instruction', agent.id, 'typed'],
      ['exit', agent.id, 'typed'],
      ['skill', over.successor_agent_id, 'typed'],
      ['injection', over.successor_agent_id, 'typed'],
    ]);
    for (const { purpose, agent_id, text: shown } of texts)
      if (purpose !== 'exit')
        expect(baton.evidence(agent_id).some((each) => each.type === 'submitted' && each.text === shown)).toBe(true);
    const printed = await cli('handoff', 'texts', String(body.run_id));
    expect(printed.stdout).toContain(texts[0]?.text.split('\n')[0]);
    await baton.call('POST', '/api/settings/templates/instruction', { text: null });
  });
});

describe('the login of a page', () => {
  it('[T4] a page stays logged in after kill -9 of the server', async () => {
    const { body } = await baton.call<{ url: string }>('POST', '/api/login-codes', {});
    const code = body.url.split('#code=')[1];
    const { token } = (await baton.call<{ token: string }>('POST', '/api/login', { code })).body;
    await baton.kill();
    await baton.start();
    expect((await baton.call('GET', '/api/health', undefined, token)).status).toBe(200);
    expect(readFileSync(join(baton.home, 'baton.db')).includes(token)).toBe(false);
    const told = await cli('logout', '--everywhere');
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('1 page signed out')]);
    expect((await baton.call('GET', '/api/health', undefined, token)).status).toBe(401);
    expect((await cli('logout')).stderr).toContain('Only a page can be logged out');
  });
});
