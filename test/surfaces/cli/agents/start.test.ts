import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../../../src/contract/resources.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { aHealth, anAgent } from '../support/resources.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
let folder: string;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const bodies = (path: string) =>
  baton.seen.filter(({ method, url }) => method === 'POST' && url === path).map((seen) => seen.body);

const persona = (slug: string, name: string, role = 'developer') => ({
  slug,
  name,
  role,
  status: 'active',
  folder: '/x',
  created_at: '2026-11-15T08:00:00.000Z',
});
const project = (over: object = {}) => ({
  id: 1,
  name: 'p',
  path: folder,
  default_persona: null,
  created_at: '2026-11-15T08:00:00.000Z',
  ...over,
});
const prompted = (state: string, over: Partial<Agent> = {}) =>
  anAgent({ ...over, first_prompt: { state, excerpt: 'go', sentence: 'Agent 3 has the message.' } } as Partial<Agent>);

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-start-')));
  baton = new FakeBaton();
  await baton.listen();
  baton.answer('POST /api/projects', project(), 201);
  baton.answer('POST /api/agents', anAgent({ state: 'starting' }), 201);
  baton.answer('GET /api/agents/3', anAgent());
  baton.answer('GET /api/agents', { agents: [] });
  baton.answer('GET /api/personas', { personas: [] });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await baton.remove();
});

describe('baton agent start --prompt', () => {
  it.each([
    ['accepted', 0],
    ['refused', 1],
    ['unconfirmed', 4],
  ] as const)('[U6] `baton agent start --prompt` waits until the prompt is %s, and exits %i', async (state, code) => {
    baton.answer('POST /api/agents', prompted('waiting', { state: 'starting' }), 201);
    const looks = [
      prompted('waiting'),
      prompted('sending', { state: 'working' }),
      prompted(state, { state: 'working' }),
    ];
    baton.on('GET /api/agents/3', (_seen, answer) =>
      answer.end(JSON.stringify(looks.length > 1 ? looks.shift() : looks[0])),
    );
    const ran = await run('agent', 'start', '--project', '1', '--persona', 'Con', '--prompt', 'go on');
    expect([ran.code, ran.stdout]).toEqual([code, expect.stringContaining('Agent 3 has the message.')]);
    expect(bodies('/api/agents')).toEqual([{ project_id: 1, persona: 'Con', prompt: 'go on' }]);
  });

  it('[U6] `baton agent start --count` starts several agents, and --json lists them', async () => {
    const { code, stdout } = await run(
      ...['agent', 'start', '--project', '1', '--persona', 'Con', '--count', '3', '--worktree', '--no-wait', '--json'],
    );
    expect([code, JSON.parse(stdout).agents.length]).toEqual([0, 3]);
    expect(bodies('/api/agents')).toEqual(Array(3).fill({ project_id: 1, persona: 'Con', worktree: '' }));
    for (const argv of [
      ['--count', '0'],
      ['--count', '21'],
      ['--count', '2', '--worktree', 'shared'],
      ['--prompt', ' '],
    ])
      expect((await run('agent', 'start', '--project', '1', '--no-persona', ...argv)).code, argv.join(' ')).toBe(2);
    expect(bodies('/api/agents')).toHaveLength(3);
  });
});

describe('baton agent start without --persona', () => {
  it('if the project has a default persona, `baton agent start` sends no persona, so that the server uses the default', async () => {
    baton.answer('POST /api/projects', project({ default_persona: 'developer-con-1' }), 201);
    await run('agent', 'start', '--project', folder);
    expect(bodies('/api/agents')).toEqual([{ project_id: 1 }]);
  });

  it('[U4] without a default persona, `baton agent start` uses the persona that this project used last, but never an archived persona', async () => {
    const con = { slug: 'developer-con-1', name: 'Con', role: 'developer' };
    const old = { slug: 'developer-old-2', name: 'Old', role: 'developer' };
    const here = anAgent().project;
    baton.answer('POST /api/projects', project({ id: here.id }), 201);
    baton.answer('GET /api/personas', {
      personas: [persona('developer-con-1', 'Con'), { ...persona('developer-old-2', 'Old'), status: 'archived' }],
    });
    const elsewhere = { ...anAgent().project, id: 99 };
    const agents = [
      anAgent({ id: 1, persona: con }),
      anAgent({ id: 2, persona: old }),
      anAgent({ id: 4, project: elsewhere, persona: { ...con, slug: 'x' } }),
      anAgent({ id: 5, persona: null }),
    ];
    baton.answer('GET /api/agents', { agents });
    expect((await run('agent', 'start', '--project', folder)).code).toBe(0);
    expect(bodies('/api/agents')).toEqual([{ project_id: here.id, persona: 'developer-con-1' }]);
  });

  it('if `baton agent start` cannot tell which persona to use, it lists the personas', async () => {
    baton.answer('GET /api/personas', {
      personas: [persona('developer-con-1', 'Con'), persona('tester-eve-2', 'Eve')],
    });
    const { code, stderr } = await run('agent', 'start', '--project', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Con (developer-con-1), Eve (tester-eve-2)')]);
    expect(stderr).toContain('--no-persona');
    baton.answer('GET /api/personas', { personas: [] });
    expect((await run('agent', 'start', '--project', folder)).stderr).toContain('baton persona register');
    expect(bodies('/api/agents')).toEqual([]);
    expect((await run('agent', 'start', '--project', folder, '--no-persona')).code).toBe(0);
  });

  it('[U12] if the project folder does not exist, the error of `baton agent start` contains the path of the folder', async () => {
    const { code, stderr } = await run('agent', 'start', '--project', join(folder, 'none'));
    expect([code, stderr]).toEqual([
      1,
      `Cannot open the project folder ${join(folder, 'none')}: there is no such file or folder.\n`,
    ]);
  });
});

describe('baton up', () => {
  const team = (text: string): string => {
    const file = join(folder, 'team.yaml');
    writeFileSync(file, text);
    return file;
  };
  const TWO =
    'agents:\n  - name: Con\n    role: developer\n    prompt: go on\n  - name: Eve\n    role: tester\n    worktree: true\n';

  it('[U6] `baton up` creates missing personas and starts each agent of the team file with its prompt and worktree', async () => {
    baton.answer('GET /api/personas', { personas: [persona('developer-con-1', 'Con')] });
    baton.answer('POST /api/personas/register', persona('tester-eve-2', 'Eve', 'tester'), 201);
    const { code, stdout } = await run('up', team(TWO), '--no-wait');
    expect([code, stdout]).toEqual([0, 'Con (agent 3) is starting.\nEve (agent 3) is starting.\n']);
    expect(bodies('/api/personas/register')).toEqual([{ role: 'tester', name: 'Eve' }]);
    expect(bodies('/api/projects')).toEqual([{ path: folder }, { path: folder }]);
    expect(bodies('/api/agents')).toEqual([
      { project_id: 1, persona: 'developer-con-1', prompt: 'go on' },
      { project_id: 1, persona: 'tester-eve-2', worktree: '' },
    ]);
  });

  it('[U6] `baton up` skips an entry of the team file whose persona already has a live agent in the project', async () => {
    baton.answer('GET /api/personas', {
      personas: [persona('developer-con-1', 'Con'), persona('tester-eve-2', 'Eve', 'tester')],
    });
    const there = { ...anAgent().project, path: folder };
    const con = { slug: 'developer-con-1', name: 'Con', role: 'developer' };
    const elsewhere = { ...anAgent().project, path: '/elsewhere' };
    const eve = { slug: 'tester-eve-2', name: 'Eve', role: 'tester' };
    const agents = [
      anAgent({ id: 8, persona: con, project: there }),
      anAgent({ id: 9, persona: eve, project: elsewhere }),
    ];
    baton.answer('GET /api/agents', { agents });
    const file = team(TWO);
    const dry = await run('up', file, '--dry-run');
    expect(dry.stdout).toContain(`Skipped Con: agent 8 already runs in ${folder}.`);
    expect(dry.stdout).toContain(
      `Would start Eve in ${folder} (tester-eve-2, default runtime, worktree with a free name, no prompt).`,
    );
    expect(baton.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    const { stdout } = await run('up', file, '--no-wait', '--json');
    expect(JSON.parse(stdout).agents).toMatchObject([
      { name: 'Con', action: 'skip', agent_id: 8 },
      { name: 'Eve', action: 'start', agent_id: 3, persona: 'tester-eve-2', creates_persona: false },
    ]);
    expect(bodies('/api/agents')).toHaveLength(1);
  });

  it('[U6] if one agent cannot be started, `baton up` still starts the other agents', async () => {
    baton.answer('GET /api/personas', {
      personas: [persona('developer-con-1', 'Con'), persona('tester-eve-2', 'Eve', 'tester')],
    });
    let asked = 0;
    baton.on('POST /api/agents', (_seen, answer) => {
      asked += 1;
      if (asked === 1)
        answer.writeHead(409).end(JSON.stringify({ error: 'no git here', code: 'worktree_not_possible' }));
      else answer.writeHead(201).end(JSON.stringify(anAgent()));
    });
    const { code, stdout } = await run('up', team(TWO), '--no-wait');
    expect([code, stdout]).toEqual([1, '✗ Con: no git here\nEve (agent 3) is starting.\n']);
  });

  it.each([
    [
      'agents:\n  - name: Con\n    rol: developer\n',
      'line 3: agents.0.rol: This key is unknown. The keys are name, role,',
    ],
    [
      'projekt: .\nagents:\n  - name: Con\n    role: dev\n',
      'line 1: projekt: This key is unknown. The keys are project, runtime, agents.',
    ],
    ['agents:\n  - role: developer\n', 'line 2: agents.0: name is missing.'],
    [
      'agents:\n  - name: Con\n    role: developer\n    worktree: 5\n',
      'line 4: agents.0.worktree: This value must be true, false or a name.',
    ],
    ['agents: []\n', 'line 1: agents: This list is empty.'],
    ['agents:\n  - name: Con\n    role: dev\n    prompt: ""\n', 'line 4: agents.0.prompt: This value is empty.'],
    [
      'agents:\n  - name: Con\n    role: dev\n    worktree: no\n',
      'line 4: agents.0.worktree: "no" is read as a text, not as true or false. Write true or false',
    ],
    [
      'agents:\n  - name: Con\n    role: dev\n    worktree: my tree\n',
      'line 4: agents.0.worktree: A worktree name consists of',
    ],
    ['agents:\n\t- name: Con\n', 'line 2: A tab is used as indentation'],
    ['agents:\n  - name: Con\n    role: dev\n  - name: con\n', 'line 4: con is in this file twice'],
    ['agents:\n  - name: Con\n', 'line 2: No persona is named Con. Give the role'],
    ['project: nowhere\nagents:\n  - name: Con\n    role: dev\n', 'line 3: Cannot open the project folder'],
  ])('[U6] `baton up` refuses the team file %j and gives the number of the faulty line', async (text, says) => {
    const { code, stderr } = await run('up', team(text));
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/ENOENT|EACCES/);
    expect(baton.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('`baton up` says what to do if several personas have the same name and role', async () => {
    baton.answer('GET /api/personas', {
      personas: [persona('developer-con-1', 'Con'), persona('developer-con-2', 'Con')],
    });
    const file = team('agents:\n  - name: Con\n    role: developer\n');
    const { code, stderr } = await run('up', file, '--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('baton persona archive SLUG')]);
    expect(stderr).not.toContain('Give the role');
  });

  it('[U12] if the team file does not exist, the error of `baton up` contains the path of the file', async () => {
    expect(await run('up', join(folder, 'no.yaml'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no.yaml cannot be read: there is no such file or folder.'),
    });
  });
});

describe('baton stop', () => {
  it('[U6] `baton stop` waits until the server no longer answers', async () => {
    let looks = 0;
    baton.answer('POST /api/stop', { status: 'stopping', live_agents: 2 });
    baton.on('GET /api/health', (_seen, answer) => {
      looks += 1;
      answer.end(JSON.stringify(aHealth), () => {
        if (looks === 2) void baton.die();
      });
    });
    const { code, stdout } = await run('stop');
    expect([code, stdout]).toEqual([
      0,
      '✓ Baton has stopped.\n  2 agents keep running in tmux; baton start continues with them.\n',
    ]);
    expect(looks).toBeGreaterThanOrEqual(2);
    expect((await run('stop')).code).toBe(3);
  });

  it('on the machine with the hub, `baton stop` says that the hub keeps running', async () => {
    baton.answer('POST /api/stop', { status: 'stopping', live_agents: 0, hub_runs: true });
    baton.on('GET /api/health', (_seen, answer) => {
      answer.end(JSON.stringify(aHealth), () => void baton.die());
    });
    expect((await run('stop')).stdout).toBe(
      '✓ Baton has stopped.\n  The hub of the fleet (nats-server) keeps running for the other machines. To end the fleet: baton fleet leave\n',
    );
  });

  it('`baton stop` waits as long as the server says that it is still stopping', async () => {
    let looks = 0;
    baton.answer('POST /api/stop', { status: 'stopping', live_agents: 0 });
    baton.on('GET /api/health', (_seen, answer) => {
      looks += 1;
      answer.statusCode = 503;
      answer.end(JSON.stringify({ error: 'Baton is stopping', code: 'stopping' }), () => {
        if (looks === 3) void baton.die();
      });
    });
    expect(await run('stop')).toMatchObject({ code: 0, stdout: '✓ Baton has stopped.\n' });
    expect(looks).toBeGreaterThanOrEqual(3);
  });
});
