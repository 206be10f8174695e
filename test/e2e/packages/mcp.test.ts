import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageDetail, ReceivedPackage } from '../../../src/contract/packages/package-resources.ts';
import { PACKAGE_TOOLS, type PackageTool, toolSchema } from '../../../src/contract/packages/package-tools.ts';
import type { Agent } from '../../../src/contract/resources.ts';
import { PROGRAM } from '../../support/baton-process.ts';
import { delegation, escalation, gatePackage, returnPackage } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess } from './package-process.ts';

/**
 * Tests `baton mcp` in a process of its own. The client of the official MCP SDK calls the package tools of the agents.
 */
let scene: PackageProcess;
let con: Tools;
let ann: Tools;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
  con = await Tools.of(scene.con);
  ann = await Tools.of(scene.ann);
});
afterAll(async () => {
  await Promise.all([con, ann].map((tools) => tools?.client.close()));
  await scene.baton.cleanUp();
});

interface Said {
  readonly isError: boolean;
  readonly text: string;
  readonly value: unknown;
}

class Tools {
  readonly client = new Client({ name: 'a-client', version: '1' });

  static async of(agent: Agent | undefined, home = scene.baton.home): Promise<Tools> {
    const tools = new Tools();
    const token = agent === undefined ? {} : { BATON_AGENT_TOKEN: scene.token(agent) };
    const env = { PATH: process.env.PATH ?? '', BATON_HOME: home, ...token };
    await tools.client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
    return tools;
  }

  async use(name: string, given: Record<string, unknown> = {}): Promise<Said> {
    const { content, isError = false } = (await this.client.callTool({ name, arguments: given })) as {
      content: { text: string }[];
      isError?: boolean;
    };
    const json = content.at(-1)?.text ?? '';
    const value: unknown = json.startsWith('{') ? JSON.parse(json) : undefined;
    return { isError, text: content.map(({ text }) => text).join('\n'), value };
  }

  async got<T = PackageDetail>(name: PackageTool, given: Record<string, unknown> = {}): Promise<T> {
    const said = await this.use(name, given);
    if (said.isError) throw new Error(said.text);
    return said.value as T;
  }

  async refused(name: PackageTool, given: Record<string, unknown> = {}): Promise<string> {
    const said = await this.use(name, given);
    expect([name, said.isError]).toEqual([name, true]);
    return said.text;
  }
}

const understood = ({ package: each }: ReceivedPackage) => ({
  id: each.id,
  acknowledgment: { received: true, understood: { task: 'Report the risks of 12 endpoints' }, starting: true },
});

const delivered = async (): Promise<ReceivedPackage> => {
  const { id } = await con.got('handoff_create', { package: delegation() });
  return ann.got<ReceivedPackage>('handoff_receive', { id });
};

describe('an MCP client', () => {
  it('no MCP tool decides a gate or sets a handoff policy', async () => {
    const { tools } = await con.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...PACKAGE_TOOLS]);
    for (const { name, inputSchema } of tools) expect(inputSchema).toEqual(toolSchema(name as PackageTool));
    expect(tools.filter(({ name }) => /decide|approve|waive|policy|setting|countdown/.test(name))).toEqual([]);
    expect(con.client.getInstructions()).toContain('handoff_inbox');
  });

  it('[004 Delegation (Specialist)] with five MCP calls, an agent can delegate a task and read the result', async () => {
    const { id } = await con.got('handoff_create', { package: delegation() });
    expect(JSON.stringify(await ann.got('handoff_inbox'))).toContain(id);
    const got = await ann.use('handoff_receive', { id });
    expect(got.text).toContain('Accept it with handoff_ack');
    const taken = await ann.got('handoff_ack', understood(got.value as ReceivedPackage));
    expect(taken.state).toBe('accepted');
    await ann.got('handoff_progress', { id, note: '1 of 2 read' });
    const results = [{ id: 'C-001', result: 'pass', evidence: '2 of 2 addressed' }];
    const { context } = returnPackage();
    const back = await ann.got('handoff_return', { id, package: { context, criteria_results: results } });
    expect([back.type, back.to]).toEqual(['return', 'developer-con-1']);
    const read = await con.got<ReceivedPackage>('handoff_receive', { id: back.id });
    expect(read.package.state).toBe('completed');
    expect((await scene.call('operator', 'GET', `/${id}`)).body).toMatchObject({ state: 'completed', results });
  });

  it('an MCP client can list the possible receivers', async () => {
    const { you, agents } = await con.got<{ you: string[]; agents: { name: string; live: boolean }[] }>(
      'handoff_agents',
    );
    expect(you[0]).toBe('developer-con-1');
    expect(agents.map(({ name, live }) => [name, live])).toEqual(
      expect.arrayContaining([
        ['reviewer-ann-2', true],
        ['human', true],
      ]),
    );
    expect(agents.map(({ name }) => name)).not.toContain('developer-con-1');
  });

  it('the structured content of an MCP answer matches the listed schema', async () => {
    const { tools } = await con.client.listTools();
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
    const { structuredContent } = await con.client.callTool({ name: 'handoff_inbox', arguments: {} });
    expect(structuredContent).toMatchObject({ packages: expect.any(Array) });
  });

  it("with an MCP tool, the sender can answer a receiver's questions by their ids", async () => {
    const { package: one } = await delivered();
    const partial = { received: true, understood: 'partial', questions: ['Which API?'], starting: false };
    await ann.got('handoff_ack', { id: one.id, acknowledgment: partial });
    const { packages } = await con.got<{ packages: { id: string; questions: { id: string }[] }[] }>('handoff_inbox');
    const asked = packages.find(({ id }) => id === one.id);
    expect(asked?.questions).toEqual([{ id: 'Q-1-1', text: 'Which API?' }]);
    const answers = [{ id: 'Q-1-1', text: 'The public one' }];
    const anew = await con.got('handoff_answer', { id: one.id, answers });
    expect([anew.state, anew.revision]).toEqual(['pending', 2]);
    // The receiver has read only the earlier revision, so Baton must refuse its acknowledgment.
    const stale = await ann.refused('handoff_ack', understood({ package: one } as ReceivedPackage));
    expect(stale).toContain('has changed since it was read');
    expect((await ann.got('handoff_decline', { id: one.id, code: 'overload', reason: 'Busy' })).state).toBe('rejected');
  });

  it('an MCP client can read packages and chains as resources', async () => {
    const { id } = await con.got('handoff_create', { package: delegation() });
    const read = async (uri: string) => {
      const [{ text = '' } = {}] = (await con.client.readResource({ uri })).contents as { text?: string }[];
      return JSON.parse(text);
    };
    expect((await read(`handoff://${id}`)).id).toBe(id);
    expect((await read(`handoff://chain/${id}`)).root).toBe(id);
    expect((await read('handoff://schema/1')).$schema).toContain('2020-12');
    for (const uri of ['handoff://HO-2026-999', 'handoff://chain/..%2Fagents', 'handoff://..', 'file:///etc/passwd'])
      await expect(read(uri)).rejects.toThrow();
    // A bad package id must be rejected before a request is sent, because the id becomes part of a URL.
    await expect(read('handoff://chain/..%2Fagents')).rejects.toThrow('is not the address of a package');
  });
});

describe('the MCP tools', () => {
  it('the MCP tools return lint findings with rule, location and fix', async () => {
    const bad = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const text = await con.refused('handoff_create', { package: { ...bad, admin: true } });
    expect(text).toMatch(
      /^\d errors? keeps? the package from being sealed\.\nNothing was stored\. Correct the errors in the list/,
    );
    expect(text).toContain('- HP002 at /handoff/admin: ');
    const open = await con.refused('handoff_create', { package: bad });
    expect(open).toContain('- HP005 at /handoff/expectations/success_criteria/0: ');
    expect(open).toContain('Fix: Replace the placeholder');
    const tried = await con.use('handoff_create', { package: bad, try: true });
    expect([tried.isError, tried.text]).toEqual([false, expect.stringContaining('The package would be refused')]);
  });

  it('the MCP tools refuse an acknowledgment that does not restate the task', async () => {
    const { package: one } = await delivered();
    const acknowledgment = { received: true, understood: 'full', starting: true };
    const text = await ann.refused('handoff_ack', { id: one.id, acknowledgment });
    expect(text).toContain('understood.task');
    expect(text).toContain('Example:');
  });

  it('the MCP tools refuse malformed arguments and name the mistake', async () => {
    expect(await ann.refused('handoff_receive', { id: '../agents' })).toContain(
      'id: This value does not have the required format',
    );
    expect(await ann.refused('handoff_fail', { id: 'HO-2026-001' })).toContain('cause is missing');
    expect(await ann.refused('handoff_fail', { id: 'HO-2026-001', cause: 'x', by: 'human' })).toContain('by: ');
    expect(await ann.refused('handoff_fail', {})).toContain('The arguments of the tool are: id, cause.');
    expect(await ann.refused('handoff_receive', { id: 'HO-2026-999' })).toContain('There is no package HO-2026-999');
    expect(await con.refused('handoff_create', { package: delegation({ from: { agent: 'human' } }) })).toContain(
      'Write "from: { agent: developer-con-1 }"',
    );
    await expect(ann.use('gate_decide', { id: 'HO-2026-001', option: 'approve' })).rejects.toThrow('not found');
  });

  it('[package P20] the MCP tools cannot decide a gate', async () => {
    const { id } = await con.got('handoff_create', { package: gatePackage() });
    const { seen } = (await scene.call('operator', 'GET', `/${id}`)).body;
    for (const name of PACKAGE_TOOLS) await con.use(name, { id, option: 'approve', seen });
    expect(await con.refused('handoff_complete', { id })).toContain("waits for a person's decision");
    expect((await scene.call('operator', 'GET', `/${id}`)).body).toMatchObject({ state: 'pending', decision: null });
  });

  it('[004 Escalation (Human)] the MCP tools show the sender which option a person chose', async () => {
    const { id } = await con.got('handoff_create', { package: escalation() });
    const shown = await scene.cli('operator', 'package', 'show', id);
    expect(shown.stdout).toContain('A choice between A and B, with its reason');
    expect(shown.stdout).toContain('Approach A (fast) or B (robust)');
    expect(shown.stdout).toContain('Which comes first: A or B?');
    await scene.cli('operator', 'package', 'decide', id, 'approve', '--choice', 'B', '--reason', 'Robust first');
    const read = await con.got<ReceivedPackage>('handoff_receive', { id });
    expect(read.package).toMatchObject({ state: 'completed', decision: { choice: 'B', reason: 'Robust first' } });
    const decided = (await scene.cli(scene.con, 'package', 'show', id)).stdout;
    expect(decided).toContain('approve by operator: Robust first');
    expect(decided).toMatch(/choice +B/);
  });

  it('in MCP answers, hidden characters are shown as escapes', async () => {
    const reason = 'Turned \u202eround\u2066 here, \u009b31m';
    const { id } = await con.got('handoff_create', {
      package: delegation({ to: { agent: 'reviewer-ann-2', reason } }),
    });
    const { text, value } = await ann.use('handoff_receive', { id });
    expect(text).not.toMatch(/[\u202e\u2066\u009b]/);
    expect(text).toContain('Turned \\u202eround\\u2066 here, \\u009b31m');
    // The tool escapes hidden characters only in the text of its answer. The structured value keeps the original
    // characters.
    expect(JSON.stringify(value)).toContain(reason);
    const misspelt = await con.refused('handoff_fail', { '\u001b[2J\u202e': 1 });
    expect(misspelt).toContain('\\u001b[2J\\u202e');
    expect(misspelt).not.toContain('\u001b');
  });

  it('the MCP tools refuse a package above the size limit', async () => {
    const big = (size: number) => ({ package: delegation({ extensions: { 'org.example': 'x'.repeat(size) } }) });
    expect(await con.refused('handoff_create', big(600_000))).toContain('Name files as artifacts');
    await expect(con.use('handoff_create', big(6_000_000))).rejects.toThrow('too large');
    expect((await con.use('handoff_inbox')).isError).toBe(false);
  });

  it('the MCP tools refuse a call without an agent token', async () => {
    const stranger = await Tools.of(undefined);
    const text = await stranger.refused('handoff_inbox');
    expect(text).toContain('BATON_AGENT_TOKEN is not set');
    await stranger.client.close();
  });
});

describe('the process `baton mcp`', () => {
  /** Writes raw lines, to send input that no real client would send. */
  async function talk(lines: readonly string[], home = scene.baton.home) {
    const env = { PATH: process.env.PATH, BATON_HOME: home, BATON_AGENT_TOKEN: scene.token(scene.con) };
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
        if (stdout.includes('"id":"last"')) resolve();
      });
    });
    const initialize = {
      jsonrpc: '2.0',
      id: 'first',
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const last = { jsonrpc: '2.0', id: 'last', method: 'tools/call', params: { name: 'handoff_inbox', arguments: {} } };
    child.stdin.write([JSON.stringify(initialize), ...lines, JSON.stringify(last), ''].join('\n'));
    await answered;
    const ended = once(child, 'exit');
    child.stdin.end();
    const [code] = await ended;
    return { stdout, stderr, code };
  }

  it('`baton mcp` keeps running after input that is not JSON', async () => {
    const { stdout, code } = await talk(['{"broken', 'no json at all', '[]', '{"jsonrpc":"2.0"}', '\u0000\u001b[2J']);
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const message of messages) expect(message.jsonrpc).toBe('2.0');
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining(['first', 'last']));
    expect(code).toBe(0);
  });

  it('if Baton is not running, `baton mcp` says so', async () => {
    await scene.baton.kill();
    const text = await con.refused('handoff_inbox');
    expect(text).toContain('Baton is not running');
    expect(text).toContain('baton start');
    await scene.baton.start();
    // The call succeeds, because Baton's server is running again before the call. test/surfaces/mcp tests a call that
    // waits for a starting server.
    expect((await con.use('handoff_inbox')).isError).toBe(false);
  });

  it('if the server dies in the middle of a call, `baton mcp` reports that the outcome is unknown', async () => {
    const home = mkdtempSync(join(tmpdir(), 'bt-'));
    const dying = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => dying.listen(join(home, 'baton.sock'), resolve));
    const tools = await Tools.of(scene.con, home);
    const text = await tools.refused('handoff_create', { package: delegation() });
    expect(text).toContain('it is not known whether the request was performed');
    expect(text).toContain('Before you call the tool again');
    await tools.client.close();
    dying.close();
    rmSync(home, { recursive: true });
  });
});
