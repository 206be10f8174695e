import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBaton, OPERATOR_TOKEN } from './support/fake-baton.ts';
import { anAgent, aRun } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('every command', () => {
  it('if the server has died, a command exits 3 and says that Baton is not running', async () => {
    await baton.die();
    const sentence = `Baton is not running on ${baton.home}. Start it with: baton start`;
    expect(await run('status')).toEqual({ code: 3, stdout: '', stderr: `${sentence}\n` });
    const { code, stdout } = await run('status', '--json');
    expect([code, JSON.parse(stdout).error]).toEqual([3, sentence]);
  });

  it('if no server ever ran in the home, a command says that Baton is not running', async () => {
    const { code, stderr } = await runInHome(join(baton.home, 'nothing'), ['agent', 'list']);
    expect(code).toBe(3);
    expect(stderr).toContain('is not running on');
  });

  it('if the server refuses a request, the command prints the refusal and exits 1', async () => {
    const refusal = { error: 'Run 7 is over: completed', code: 'run_over', hint: 'See: baton handoff list' };
    baton.answer('GET /api/runs/7', aRun());
    baton.answer('POST /api/runs/7/cancel', refusal, 409);
    const plain = await run('handoff', 'cancel', '7');
    expect(plain).toEqual({ code: 1, stdout: '', stderr: `${refusal.error}\n${refusal.hint}\n` });
    const json = await run('handoff', 'cancel', '7', '--json');
    expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([1, refusal, '']);
  });

  it("if the server's answer lacks a field, a command reports an incompatible server", async () => {
    baton.answer('GET /api/runs/7', { id: 7, agent: 3 });
    const { code, stderr } = await run('handoff', 'show', '7');
    expect(code).toBe(1);
    expect(stderr).toContain('This CLI and the server are not compatible');
    expect(stderr).toContain('agent_id');
  });

  it('an invalid command line exits 2', async () => {
    for (const argv of [
      ['nonsense'],
      ['handoff', 'show', 'x'],
      ['handoff', 'show'],
      ['ack', '1', '--proof', 'x'],
      ['agent'],
    ]) {
      expect((await run(...argv)).code, argv.join(' ')).toBe(2);
    }
    const { code, stdout, stderr } = await run('handoff', 'show', 'x', '--json');
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout).error).toContain('whole number');
    expect(baton.seen).toEqual([]);
  });

  it('--help prints an example without sending a request to the server', async () => {
    const { code, stdout } = await run('agent', 'send', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('$ baton agent send 3');
    expect((await run('--version')).stdout).toBe('1.2.3\n');
  });
});

describe('baton start', () => {
  it('`baton start` exits with the exit code of the server', async () => {
    expect((await runInHome(baton.home, ['start'], { startServer: async () => 4 })).code).toBe(4);
  });
});

describe('the requests of commands', () => {
  it("commands that the operator runs send the operator's token", async () => {
    baton.answer('GET /api/projects', { projects: [] });
    expect((await run('project', 'list')).code).toBe(0);
    expect(baton.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${OPERATOR_TOKEN}`, host: 'localhost' });
  });

  it("`baton ack` sends the agent's own token, never the operator's token", async () => {
    baton.answer('POST /api/runs/7/ack', aRun({ acknowledged: true }));
    const argv = ['ack', '7', '--proof', 'TOKEN', '--task', 'go on'];
    const env = { BATON_AGENT_TOKEN: 'agent-token-abcdef0123' };
    expect((await runInHome(baton.home, argv, { env })).code).toBe(0);
    expect(baton.seen[0]?.headers.authorization).toBe('Bearer agent-token-abcdef0123');
    expect(baton.seen[0]?.body).toEqual({ proof: 'TOKEN', task: 'go on' });
  });

  it('while the server stops, `baton ack` leaves the acknowledgment in the spool', async () => {
    baton.answer('POST /api/runs/7/ack', { error: 'Baton is stopping', code: 'stopping' }, 503);
    mkdirSync(join(baton.home, 'bin'));
    writeFileSync(join(baton.home, 'bin', 'baton-hook'), 'cat > "$(dirname "$0")/left"; printf kept\n');
    const env = { BATON_AGENT_TOKEN: 'agent-token-abcdef0123', BATON_AGENT_ID: '3', PATH: process.env.PATH ?? '' };
    const argv = ['ack', '7', '--proof', 'TOKEN', '--task', 'go on'];
    const { code, stdout } = await runInHome(baton.home, argv, { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Baton does not answer right now')]);
    expect(readFileSync(join(baton.home, 'bin', 'left'), 'utf8')).toContain('TOKEN');
  });

  it('`baton ack` sends no request if something other than an agent runs it', async () => {
    const { code, stderr } = await run('ack', '7', '--proof', 'TOKEN', '--task', 'go on');
    expect(code).toBe(1);
    expect(stderr).toContain('BATON_AGENT_TOKEN');
    expect(baton.seen).toEqual([]);
  });

  it.each(['-1', 'x', '1.5'])('`baton package decide` refuses --item %s and names the option', async (item) => {
    const { code, stderr } = await run('package', 'decide', 'HO-2026-001', 'approve', '--item', '0', '--item', item);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--item "${item}" is not the number of an item.`)]);
    expect(baton.seen).toEqual([]);
  });

  it.each(['', undefined])(
    "if BATON_AGENT_ID is set and BATON_AGENT_TOKEN is %j, commands do not use the operator's token",
    async (token) => {
      baton.answer('GET /api/projects', { projects: [] });
      const env = { BATON_AGENT_ID: '3', BATON_AGENT_TOKEN: token };
      for (const argv of [
        ['project', 'list'],
        ['package', 'decide', 'HO-2026-001', 'approve'],
        ['package', 'list'],
        ['handoff', '--self', '--reason', 'done'],
      ]) {
        const { code, stderr } = await runInHome(baton.home, argv, { env });
        expect([code, stderr], argv.join(' ')).toEqual([
          1,
          expect.stringContaining('Run the command in a shell that does not belong to an agent.'),
        ]);
      }
      expect(baton.seen).toEqual([]);
      const elsewhere = { ...env, BATON_SESSION_START: '/elsewhere/.baton/agents/3/session-start' };
      expect((await runInHome(baton.home, ['project', 'list'], { env: elsewhere })).code).toBe(0);
    },
  );

  it("commands resolve symbolic links in a project's path before they send the path", async () => {
    const real = join(baton.home, 'real');
    mkdirSync(real);
    symlinkSync(real, join(baton.home, 'link'));
    baton.answer('POST /api/projects', { id: 1, name: 'real', path: real, default_persona: null, created_at: '' }, 201);
    expect((await run('project', 'add', join(baton.home, 'link'))).code).toBe(0);
    expect(baton.seen[0]?.body).toEqual({ path: real });
  });

  it("`baton agent adopt` accepts the beginning of a session's id", async () => {
    const candidate = {
      runtime: 'practice',
      session_id: 'abc-1',
      folder: '/p',
      transcript_path: null,
      pid: 7,
      tmux: { socket: '/s', pane: '%3' },
      first_seen_at: '',
      last_seen_at: '',
      ended_at: null,
      alive: true,
      why_not: null,
      default_persona: null,
    };
    baton.answer('GET /api/candidates', { candidates: [candidate, { ...candidate, session_id: 'abd-2' }] });
    baton.answer('POST /api/candidates/abc-1/adopt', anAgent({ adopted: true }), 201);
    baton.answer('GET /api/agents/3', anAgent({ adopted: true }));
    const adopt = (...words: string[]) => run('agent', 'adopt', ...words, '--yes');
    expect((await adopt('abc')).stdout).toContain('baton agent release 3');
    await adopt('abc', '--persona', 'qa-zoe-2');
    await adopt('abc-1', '--no-persona');
    expect(baton.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { runtime: 'practice' },
      { runtime: 'practice', persona: 'qa-zoe-2' },
      { runtime: 'practice', persona: null },
    ]);
    expect(await adopt('ab')).toMatchObject({ code: 1, stderr: expect.stringContaining('2 sessions begin with') });
    expect(await adopt('x')).toMatchObject({ code: 1, stderr: expect.stringContaining('baton hooks status') });
  });

  it('`baton project runs-on` sends the agent types in order of preference, with their models and arguments', async () => {
    const project = { id: 2, name: 'tally', path: '/tally', default_persona: null, runs_on: [], created_at: '' };
    baton.answer('GET /api/projects', { projects: [project] });
    baton.answer('POST /api/projects/2/runs-on', project);
    const ran = await run('project', 'runs-on', '2', 'claude-code:opus --verbose --effort high, codex:m-1');
    expect(ran.stdout).toContain('run on: claude-code:opus --verbose --effort high, codex:m-1');
    expect(baton.seen.at(-1)?.body).toEqual({
      runs_on: [
        { runtime: 'claude-code', model: 'opus', client_args: ['--verbose', '--effort', 'high'] },
        { runtime: 'codex', model: 'm-1' },
      ],
    });
  });

  it('the operator can set and remove the default persona of a project by a command', async () => {
    const project = { id: 2, name: 'p', path: '/p', default_persona: 'qa-zoe-2', created_at: '' };
    baton.answer('GET /api/projects', { projects: [project] });
    baton.answer('POST /api/projects/2/default-persona', project);
    expect((await run('project', 'default-persona', '2', 'qa-zoe-2')).stdout).toContain('is qa-zoe-2');
    await run('project', 'default-persona', '2', '--none');
    expect(baton.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { persona: 'qa-zoe-2' },
      { persona: null },
    ]);
    expect((await run('project', 'default-persona', '2')).stderr).toContain('is qa-zoe-2');
  });

  it('`baton handoff` sends only the options that were given', async () => {
    baton.answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 7 });
    expect((await run('handoff', '3', '--reason', 'boredom')).stdout).toContain('Handoff 7');
    await run('handoff', '3', '--note', 'mind the gap');
    expect(baton.seen.map(({ body }) => body)).toEqual([{ reason: 'boredom' }, { note: 'mind the gap' }]);
  });

  it('the exit code of a message command depends on the outcome of the message', async () => {
    const answer = (verdict: string, sentence: string) =>
      baton.answer('POST /api/agents/3/messages', { verdict, reason: null, sentence, ref: 'message-1' });
    answer('accepted', 'Agent 3 has the message.');
    expect((await run('agent', 'send', '3', 'do', 'it')).code).toBe(0);
    expect((await runInHome(baton.home, ['agent', 'send', '3', '-'], { stdin: 'line 1\nline 2' })).code).toBe(0);
    expect(baton.seen.map(({ body }) => body)).toEqual([{ text: 'do it' }, { text: 'line 1\nline 2' }]);
    for (const [verdict, code] of [
      ['refused', 1],
      ['unconfirmed', 4],
    ] as const) {
      answer(verdict, `What became of it: ${verdict}.`);
      const told = await run('agent', 'send', '3', 'do it');
      expect(told.code).toBe(code);
      expect(told.stdout).toContain(`What became of it: ${verdict}.`);
      const json = await run('agent', 'send', '3', 'do it', '--json');
      expect([json.code, JSON.parse(json.stdout).verdict]).toEqual([code, verdict]);
    }
    expect((await run('agent', 'send', '--help')).stdout).toContain('4 unconfirmed');
  });
});

describe('baton agent why', () => {
  const why = {
    agent_id: 3,
    label: 'Con',
    state: 'idle',
    state_reason: 'finished its turn',
    since: '2026-11-15T08:00:00.000Z',
    facts: [
      {
        seq: 8,
        at: '2026-11-15T07:59:00.000Z',
        type: 'prompt_submitted',
        sentence: 'Agent 3 received a prompt: “\u001b[31mred”',
      },
      { seq: 9, at: '2026-11-15T08:00:00.000Z', type: 'turn_ended', sentence: 'Agent 3 finished its turn' },
    ],
  };

  it("`baton agent why` prints the agent's state and the events that explain it", async () => {
    baton.answer('GET /api/agents/3/why', why);
    const { code, stdout } = await run('agent', 'why', '3');
    expect(code).toBe(0);
    expect(stdout).toContain('Con (agent 3) is idle: finished its turn');
    expect(stdout).toMatch(/:59:00 +prompt_submitted.*red[\s\S]*:00:00 +turn_ended +Agent 3 finished its turn/);
    expect(stdout).not.toContain('\u001b');
    expect(JSON.parse((await run('agent', 'why', '3', '--json')).stdout)).toEqual(why);
  });

  it("`baton agent why` prints the server's refusal", async () => {
    baton.answer('GET /api/agents/4/why', { error: 'Agent 4 not found', code: 'agent_not_found' }, 404);
    expect(await run('agent', 'why', '4')).toMatchObject({ code: 1, stderr: 'Agent 4 not found\n' });
  });
});

describe('baton agent start', () => {
  beforeEach(() => {
    baton.answer('POST /api/agents', anAgent({ state: 'starting', skill_injected_at: null }), 201);
  });

  it('`baton agent start` waits until the agent is idle and has received its skill', async () => {
    const looks = [
      anAgent({ state: 'starting', skill_injected_at: null }),
      anAgent({ skill_injected_at: null }),
      anAgent(),
    ];
    baton.on('GET /api/agents/3', (_seen, answer) =>
      answer.end(JSON.stringify(looks.length > 1 ? looks.shift() : looks[0])),
    );
    const { code, stdout } = await run('agent', 'start', '--project', '1', '--persona', 'developer-con-1');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Con (agent 3) is ready')]);
    expect(looks).toHaveLength(1);
    expect(baton.seen[0]?.body).toEqual({ project_id: 1, persona: 'developer-con-1' });
  });

  it('if the agent has ended, `baton agent start` stops waiting', async () => {
    baton.answer('GET /api/agents/3', anAgent({ state: 'ended', state_reason: 'could not be started' }));
    const { code, stderr } = await run('agent', 'start', '--project', '1', '--no-persona');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Agent 3 is ended: could not be started')]);
  });

  it('[L14] if the agent asks a question, `baton agent start` stops waiting', async () => {
    const question = {
      id: 'q',
      text: 'Use this MCP server?',
      options: [],
      takes_text: false,
      how_to_answer: "This question can only be answered in the agent's terminal: baton agent attach 3",
    };
    const state_reason = 'its screen shows a question: Use this MCP server?';
    baton.answer('GET /api/agents/3', anAgent({ state: 'awaiting_input', state_reason, question }));
    const { code, stderr } = await run('agent', 'start', '--project', '1', '--no-persona');
    expect(code).toBe(1);
    expect(stderr).toContain('Agent 3 is not ready yet, because it asks a question: its screen shows a question');
    expect(stderr).toContain("This question can only be answered in the agent's terminal: baton agent attach 3");
    expect(baton.seen).toHaveLength(2);
  });

  it('`baton agent start --no-wait` returns at once', async () => {
    const { code, stdout } = await run('agent', 'start', '--project', '1', '--no-persona', '--no-wait', '--json');
    expect([code, JSON.parse(stdout).state, baton.seen.length]).toEqual([0, 'starting', 1]);
  });
});

describe('the output of commands', () => {
  const agents = [
    anAgent({ id: 1, label: '測試', state: 'ended' }),
    anAgent({ id: 12, label: 'evil\u001b]0;owned\u0007\u001b[2J\u009b1m\n name' }),
  ];

  it('if a list leaves out older entries, the output names the option that shows them', async () => {
    baton.answer('GET /api/agents', { agents: [anAgent({ id: 7 }), anAgent({ id: 8 })], next: 7 });
    const { stdout } = await run('agent', 'list', '--limit', '2', '--before', '9');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('There are older entries. Show them with --before 7.');
    expect(baton.seen.map(({ url }) => url)).toEqual(['/api/agents?limit=2&before=9', '/api/inbox']);
    expect((await run('agent', 'list', '--limit', '0')).code).toBe(2);
  });

  it('`baton agent list --all` lists ended agents in addition to live agents', async () => {
    baton.answer('GET /api/agents', { agents });
    const lines = (await run('agent', 'list', '--all')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/測試/, 'xxxx').indexOf('developer-con-1')).slice(1)).toEqual([15, 15]);
    expect(lines[0]?.indexOf('PERSONA')).toBe(15);
    expect(lines[2]).toContain('62 %');
    await run('agent', 'list');
    expect(baton.seen.map(({ url }) => url).filter((url) => url !== '/api/inbox')).toEqual([
      '/api/agents',
      '/api/agents?live=1',
    ]);
  });

  it('`baton agent show` says whether a handoff is suggested', async () => {
    baton.answer('GET /api/agents/3', anAgent());
    expect((await run('agent', 'show', '3')).stdout).toContain('not suggested: Context use is 62 %');
    const full = { tier: 'handoff', used_percent: 84, used_tokens: 1, window_tokens: 2, measured_at: '' } as const;
    baton.answer('GET /api/agents/3', anAgent({ context: full, handoff_offer: { offered: true, why_not: null } }));
    expect((await run('agent', 'show', '3')).stdout).toContain('suggested: baton handoff 3');
    baton.answer('GET /api/agents', { agents: [anAgent({ context: full })] });
    expect((await run('agent', 'list')).stdout).toContain('84 % !');
  });

  it('`baton agent show` says when a usage limit ends or when the client will try again', async () => {
    const at = '2026-11-18T09:02:40.000Z';
    const limit = { words: 'x', until: at, retries_at: null, continues_itself: true, since: at, waits: false };
    baton.answer('GET /api/agents/3', anAgent({ state: 'limited', limit }));
    const ends = (await run('agent', 'show', '3')).stdout;
    expect(ends).toMatch(/limit +ends 2026-11-18 .*; its client continues by itself then/);
    baton.answer('GET /api/agents/3', anAgent({ state: 'limited', limit: { ...limit, until: null, retries_at: at } }));
    const retries = (await run('agent', 'show', '3')).stdout;
    expect(retries).toMatch(/limit +its client does not say when the limit ends; it tries again 2026-11-18 /);
  });

  it('`baton agent show` names the model and the arguments of the client', async () => {
    baton.answer('GET /api/agents/3', anAgent({ runtime: 'codex', model: 'm-1', client_args: ['--search'] }));
    expect((await run('agent', 'show', '3')).stdout).toMatch(/runtime +codex m-1 --search\n/);
  });

  it('control characters from agents are removed from the output of commands', async () => {
    baton.answer('GET /api/agents', { agents });
    for (const argv of [
      ['agent', 'list'],
      ['agent', 'list', '--json'],
    ]) {
      const { stdout } = await runInHome(baton.home, argv, { tty: true, env: { NO_COLOR: '1' } });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(stdout).not.toContain('owned\u0007');
    }
    baton.answer('GET /api/agents', { error: 'No \u001b[31mway\u0007', code: 'x' }, 400);
    expect((await run('agent', 'list')).stderr).toBe('No way\n');
  });

  it('the output of commands is colored on a terminal unless NO_COLOR is set', async () => {
    baton.answer('GET /api/agents', { agents });
    const on = async (env: NodeJS.ProcessEnv, tty: boolean) =>
      (await runInHome(baton.home, ['agent', 'list'], { env, tty })).stdout.includes('\u001b[');
    expect([await on({}, true), await on({ NO_COLOR: '1' }, true), await on({}, false)]).toEqual([true, false, false]);
  });

  it('`baton agent attach --json` prints the attach command and does not run it', async () => {
    baton.answer('GET /api/agents/3', anAgent());
    const { stdout } = await run('agent', 'attach', '3', '--read-only', '--json');
    expect(JSON.parse(stdout).command).toEqual(['tmux', '-S', '/home/tmux.sock', 'attach', '-r', '-t', '=agent-3']);
  });

  it('`baton open` prints nothing but the login address', async () => {
    baton.answer('POST /api/login-codes', { url: 'http://127.0.0.1:1/#code=x' }, 201);
    expect((await run('open')).stdout).toBe('http://127.0.0.1:1/#code=x\n');
  });
});
