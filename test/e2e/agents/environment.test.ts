import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hitsBelow, hitsIn } from '../../../prove/guard/scan.ts';
import { SECRET_KINDS, seededSecrets } from '../../../prove/guard/secrets.ts';
import type { Environment } from '../../../src/contract/environment.ts';
import type { Agent, Event, Health } from '../../../src/contract/resources.ts';
import { shellQuote } from '../../../src/domain/shell-quote.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/**
 * The tests run the built product as a service manager does. The agents' environment then comes from the operator's
 * shell files.
 */
const SECRET = 'walk-in-the-rain-again';
const secrets = seededSecrets(3, SECRET_KINDS.length);
const known = secrets.filter(({ variable }) => variable !== undefined);

const operatorHome = realpathSync(mkdtempSync(join(tmpdir(), 'bth-')));
const baton = new BatonProcess({ message_receipt_seconds: 30, env: { ADDED: 'by config', TAKEN: null } });
const bare = { HOME: operatorHome, SHELL: '/bin/bash', TAKEN: 'from the server' };
beforeAll(async () => {
  writeFileSync(
    join(operatorHome, '.bash_profile'),
    [
      'echo "Welcome back"; printf "X=1\\000"',
      `export SHOP_TOKEN=${shellQuote(SECRET)} TOOL_VERSION='3.1 "beta"'`,
      ...known.map(({ variable, value }) => `export ${variable}=${shellQuote(value)}`),
      '',
    ].join('\n'),
  );
  await baton.start(bare);
});
afterAll(() => baton.cleanUp());

const cli = (...args: string[]) =>
  run(process.execPath, [PROGRAM, ...args], { ...process.env, BATON_HOME: baton.home });
const tmux = (...args: string[]) => run('tmux', ['-S', join(baton.home, 'tmux.sock'), ...args]);
const environOf = async (agent: Agent): Promise<Record<string, string>> => {
  const { stdout } = await tmux('display-message', '-p', '-t', agent.tmux.pane ?? '', '#{pane_pid}');
  const entries = readFileSync(`/proc/${stdout.trim()}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(entries.map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]));
};

describe('the environment of an agent', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await baton.agent({ persona: false });
  });

  it('an agent has the variables of the login shell and of config.json', async () => {
    const environ = await environOf(agent);
    expect(environ).toMatchObject({
      SHOP_TOKEN: SECRET,
      TOOL_VERSION: '3.1 "beta"',
      ADDED: 'by config',
      BATON_AGENT_ID: String(agent.id),
      HOME: operatorHome,
    });
    expect(environ).not.toHaveProperty('TAKEN');
    expect(environ).not.toHaveProperty('BATON_READS_ENVIRONMENT');
    expect(environ).not.toHaveProperty('TMUX');
    expect(environ.PATH?.startsWith(join(baton.home, 'bin'))).toBe(true);
  });

  it("[T4] [T20] an agent's secrets are in no command line and in no file", async () => {
    const { stdout: args } = await run('ps', ['-e', '-o', 'args=']);
    const { stdout: global } = await tmux('show-environment', '-g');
    const { stdout: session } = await tmux('show-environment', '-t', agent.tmux.session);
    for (const shown of [args, global, session]) expect(shown).not.toContain(SECRET);
    const folder = join(baton.home, 'agents', String(agent.id));
    expect(readdirSync(folder).filter((name) => name.startsWith('environment'))).toEqual([]);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!statSync(path).isFile()) continue;
      expect(readFileSync(path, 'utf8')).not.toContain(SECRET);
      expect(statSync(path).mode & 0o077).toBe(0);
    }
    const token = (await environOf(agent)).BATON_AGENT_TOKEN ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(folder, 'launch.sh'), 'utf8')).not.toContain(token);
  });

  it('`baton agent env` lists the variables without secret values', async () => {
    const text = await cli('agent', 'env', String(agent.id));
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/SHOP_TOKEN +login shell +masked/);
    expect(text.stdout).toMatch(/ADDED +config\.json +by config/);
    const json = await cli('agent', 'env', '--project', agent.project.path, '--json');
    const shown = JSON.parse(json.stdout) as Environment;
    expect(shown.variables.find(({ name }) => name === 'SHOP_TOKEN')).toEqual({
      name: 'SHOP_TOKEN',
      origin: 'login_shell',
      value: null,
    });
    expect(shown.removed).toContain('TAKEN');
    expect(shown.problems).toEqual([]);
    for (const { stdout } of [text, json]) {
      expect(stdout).not.toContain(SECRET);
      expect(hitsIn('shown', stdout, secrets)).toEqual([]);
    }
    expect((await cli('agent', 'env', '--project', 'nowhere')).code).toBe(1);
    expect((await cli('agent', 'env', '999')).stderr).toContain('Agent 999 not found');
  });

  it('[T22] no API request can give an agent a variable, a command or a shell', async () => {
    const before = readFileSync(join(baton.home, 'config.json'), 'utf8');
    const tried = await baton.call('POST', '/api/settings', { env: { EVIL: '1' } });
    expect(tried.status).toBe(400);
    const openapi = JSON.stringify(await baton.get('/api/openapi.json'));
    const bodies = [...openapi.matchAll(/"requestBody":\{.*?"schema":(\{.*?\})\}\}\}/g)]
      .map(([, schema]) => schema)
      .join();
    expect(bodies).toContain('"project_id":');
    expect(bodies).not.toMatch(/"(?:env|environment|command|argv|shell|path_prefix)":/);
    expect(readFileSync(join(baton.home, 'config.json'), 'utf8')).toBe(before);
  });
});

/** Collects the raw text of the event stream. */
async function listen(): Promise<{ readonly heard: () => string; readonly stop: () => void }> {
  let heard = '';
  const stream = await baton.openStream('/api/events?after=0');
  stream.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  stream.on('error', () => undefined);
  return { heard: () => heard, stop: () => stream.destroy() };
}

describe('[T20] a secret that is sent to an agent, or that an agent shows', () => {
  it('a secret that the operator types reaches the agent but is in no file of Baton', async () => {
    const stream = await listen();
    const agent = await baton.agent({ persona: false });
    for (const { line } of secrets) {
      const text = `Note this: ${line}`;
      const { body } = await baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
      expect(body).toMatchObject({ verdict: 'accepted' });
      expect(
        baton
          .evidence(agent.id)
          .filter((entry) => entry.type === 'submitted')
          .at(-1)?.text,
      ).toBe(text);
      await baton.ready(agent.id, false);
    }
    const asked = `Deploy with ${secrets.find(({ kind }) => kind === 'github_token')?.value}`;
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: `[[practice:dialog ${asked}]]` });
    const question = await baton.event(
      ({ type, agent_id, data }) => type === 'agent_seen_asking' && agent_id === agent.id && data.asked !== undefined,
    );
    expect(JSON.stringify(question.data)).toContain('[redacted github-token]');
    const { events } = await baton.get<{ events: Event[] }>('/api/events?limit=1000');
    expect(events.filter(({ type }) => type === 'message_verdict').length).toBeGreaterThanOrEqual(secrets.length);
    // Search all files except the practice agent's own log and transcript. A real client writes such files too, and
    // Baton cannot keep secrets out of them.
    expect(hitsBelow(baton.home, secrets, (path) => /practice\.jsonl$|transcript/.test(path))).toEqual([]);
    expect(stream.heard()).toContain('message_verdict');
    expect(hitsIn('event stream', stream.heard(), secrets)).toEqual([]);
    expect(hitsIn('answers', JSON.stringify(events), secrets)).toEqual([]);
    stream.stop();
  });
});

describe('a login shell that fails', () => {
  it('agents start even if the login shell fails', async () => {
    writeFileSync(join(operatorHome, '.bash_profile'), 'exit 5\n');
    const other = new BatonProcess();
    try {
      await other.start(bare);
      const agent = await other.agent({ persona: false });
      expect(agent.state).toBe('idle');
      await other.event(
        ({ type, data }) => type === 'inbox_opened' && /login shell .* code 5/.test(String(data.sentence)),
      );
      expect((await other.get<Health>('/api/health')).trouble.join()).toMatch(
        /read the environment for agents.*code 5/,
      );
      writeFileSync(join(operatorHome, '.bash_profile'), 'export BETTER=1\n');
      const { body } = await other.call<Environment>('POST', '/api/environment/refresh', {});
      expect(body.variables.find(({ name }) => name === 'BETTER')?.origin).toBe('login_shell');
      await other.event(({ type }) => type === 'inbox_resolved');
      expect(existsSync(join(other.home, 'agents', String(agent.id), 'environment'))).toBe(false);
    } finally {
      await other.cleanUp();
    }
  });
});
