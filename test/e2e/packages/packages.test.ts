import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SealedPackage } from '../../../src/contract/packages/package.ts';
import type { Event } from '../../../src/contract/resources.ts';
import type { SocketFault } from '../../../src/surfaces/socket/socket-fault.ts';
import { delegation, full, gatePackage, returnPackage } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess, type Told } from './package-process.ts';

/** Tests the whole life of packages in the real product, with real processes, store, files and git. */
let scene: PackageProcess;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
});
afterAll(() => scene.baton.cleanUp());

const archive = () => join(scene.projectPath, '.project/07-audit/sessions', scene.con.session_uuid, 'handoffs');
const statePath = () => join(scene.baton.home, 'data/projects', stateFolder(), 'state/current.json');
const stateFolder = () => readdirSync(join(scene.baton.home, 'data/projects'))[0] ?? '';
const rebuild = () =>
  scene.call<{ packages: number; mended: number; written: number }>('operator', 'POST', '/rebuild', {});

/** Returns the content of the state file and of each file in the package archive, by path. */
function written(): Record<string, string> {
  const sessions = join(scene.projectPath, '.project/07-audit/sessions');
  const files = readdirSync(sessions, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries([...files, statePath()].sort().map((file) => [file, readFileSync(file, 'utf8')]));
}

async function delivered(): Promise<Told> {
  const { body } = await scene.create(delegation());
  return (await scene.call<{ package: Told }>(scene.ann, 'POST', `/${body.id}/receive`, {})).body.package;
}

/** Runs `count` commands at once, each in its own process. */
const racing = (count: number, argv: (index: number) => readonly string[], by: Parameters<PackageProcess['cli']>[0]) =>
  Promise.all(Array.from({ length: count }, (_, index) => scene.cli(by, ...argv(index))));

describe('`baton package new`', () => {
  const GIVEN = [
    ...['--why', 'Ann reviewed the API', '--summary', 'docs/api.md has 12 endpoints', '--artifact', 'docs/api.md'],
    ...['--deliverable', 'docs/risks.md with 3 risks', '--criterion', 'docs/risks.md exists', '--approval'],
  ];

  it('`baton package new` sends a package to the persona that --to names', async () => {
    const { stdout, stderr, code } = await scene.cli(
      'operator',
      ...['package', 'new', '--to', 'Ann', ...GIVEN, '--project', scene.projectPath, '--json'],
    );
    expect([stderr, code]).toEqual(['', 0]);
    const made = JSON.parse(stdout) as Told & { package: object };
    expect(made).toMatchObject({ state: 'pending', type: 'sequential', from: 'human', to: 'reviewer-ann-2' });
    expect(made.package).toMatchObject({
      context: { artifacts: [{ path: 'docs/api.md', role: 'referenced' }] },
      expectations: { deliverable: 'docs/risks.md with 3 risks' },
    });
    const unknown = await scene.cli('operator', 'package', 'new', '--to', 'Zoe', ...GIVEN);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Zoe')]);
  });

  it('`baton package new` names the missing options and sends nothing', async () => {
    const { stderr, code } = await scene.cli('operator', 'package', 'new', '--to', 'Ann', '--summary', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Missing: --why, --deliverable.')]);
  });

  it('`baton package new FILE` writes a file with TODOs that the lint refuses, and never overwrites an existing file', async () => {
    const file = join(scene.baton.home, 'new.yaml');
    const written = await scene.cli('operator', 'package', 'new', file, '--to', 'Ann', '--summary', '12 endpoints');
    expect([written.stderr, written.code]).toEqual(['', 0]);
    expect(written.stdout).toContain('Replace the 3 TODOs');
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      handoff: { to: { agent: 'reviewer-ann-2' }, context: { summary: '12 endpoints' } },
    });
    const refused = await scene.cli('operator', 'package', 'create', file, '--project', scene.projectPath);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('HP005')]);
    const before = readFileSync(file, 'utf8');
    const again = await scene.cli('operator', 'package', 'new', file);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('was not written')]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('packages on the command line', () => {
  it('[004 Delegation (Specialist)] a delegation goes to another agent and is answered by a return package', async () => {
    const made = await scene.cli(
      scene.con,
      'package',
      'create',
      scene.file('d.yaml', { handoff: delegation() }),
      '--json',
    );
    expect([made.stderr, made.code]).toEqual(['', 0]);
    const { id } = JSON.parse(made.stdout) as Told;
    expect((await scene.cli(scene.ann, 'package', 'inbox')).stdout).toContain(id);
    const got = await scene.cli(scene.ann, 'package', 'receive', id);
    const take = /baton (package ack HO-\S+ --task) /.exec(got.stdout)?.[1]?.split(' ') ?? [];
    expect((await scene.cli(scene.ann, ...take, 'Report the risks of the API')).stdout).toContain(
      'owned by the receiver',
    );
    expect((await scene.cli(scene.con, 'package', 'progress', id)).code).toBe(1);
    const back = scene.file('r.yaml', { handoff: returnPackage() });
    expect((await scene.cli(scene.ann, 'package', 'return', id, back)).code).toBe(0);
    expect((await scene.cli('operator', 'package', 'list')).stdout).toMatch(new RegExp(`${id}.*completed`));
    expect((await scene.cli('operator', 'package', 'chain', id)).stdout).toContain('return');
  });

  it('a person can find a package by its text', async () => {
    const { body } = await scene.create(gatePackage());
    const found = await scene.cli(
      'operator',
      'package',
      'list',
      '--type',
      'gate',
      '--text',
      'blocking',
      '--limit',
      '1',
    );
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(body.id)]);
    const report = await scene.cli('operator', 'package', 'report', body.id);
    expect(report.stdout).toMatch(/^docs\/api\.md: as sealed \([0-9a-f]{64}\)\n/);
    expect((await scene.call('operator', 'GET', `/${body.id}`)).body.read_at).toBeNull();
    const events = await scene.cli('operator', 'events', '--package', body.id, '--json');
    const types = events.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Event).type);
    expect(types.slice(0, 2)).toEqual(['package_created', 'package_sealed']);
  });

  it('only a person can decide a gate', async () => {
    const { body } = await scene.create(gatePackage());
    const tried = await scene.cli(scene.con, 'package', 'decide', body.id, 'approve');
    expect([tried.code, tried.stderr]).toEqual([
      1,
      expect.stringContaining('agents cannot run `baton package decide`'),
    ]);
    expect((await scene.cli('operator', 'package', 'decide', body.id, 'approve')).stdout).toContain('You approved');
    expect((await scene.cli('operator', 'package', 'decide', body.id, 'reject', '--reason', 'x')).stderr).toContain(
      'already decided',
    );
  });

  it('[package P2] invalid YAML or a YAML bomb is rejected before the package is sent', async () => {
    const bomb = `a: &a [1,1]\nb: &b [*a,*a]\nhandoff: *b\n`;
    const ran = await scene.cli(scene.con, 'package', 'create', scene.file('bomb.yaml', bomb));
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('HP001')]);
  });
});

describe('the files of packages on disk', () => {
  it('[004 Persistence] the state file and the archive of packages follow specification 004', async () => {
    const one = await delivered();
    await rebuild();
    const file = join(archive(), `${one.id}.yaml`);
    expect(SealedPackage.parse(parse(readFileSync(file, 'utf8')).handoff).id).toBe(one.id);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(archive()).mode & 0o777).toBe(0o700);
    expect((await scene.cli('operator', 'lint', file)).code).toBe(0);
    const { handoffs } = JSON.parse(readFileSync(statePath(), 'utf8'));
    expect(handoffs.at(-1)).toEqual({
      id: one.id,
      timestamp: one.created_at,
      from: 'developer-con-1',
      to: 'reviewer-ann-2',
      status: 'pending',
    });
    expect(Object.keys(handoffs[0])).toEqual(['id', 'timestamp', 'from', 'to', 'status']);
  });

  it('damaged package files are written again from the log, byte for byte', async () => {
    const one = await delivered();
    await rebuild();
    const before = written();
    writeFileSync(join(archive(), `${one.id}.yaml`), 'handoff: {}\n');
    rmSync(statePath());
    rmSync(join(archive(), `${one.id}.record.yaml`));
    const { body } = await rebuild();
    expect(body).toMatchObject({ mended: 0, written: 3 });
    expect(written()).toEqual(before);
    expect((await scene.cli('operator', 'rebuild')).stdout).toContain('0 files written');
  });

  it.each([
    'commit:after',
    'package:archived',
    'file:opened',
    'file:written',
    'file:written#2',
    'file:renamed#3',
    'package:stated',
    'package:noted',
  ])('[F1] after a kill at %s, the next server writes the package files that are missing', async (point) => {
    await scene.baton.kill('SIGTERM');
    const armed = join(scene.baton.home, 'crash-at');
    await scene.baton.start({ BATON_CRASH_AT: armed });
    writeFileSync(armed, point);
    await scene.create(delegation()).catch(() => undefined);
    expect(await scene.baton.ended()).toBe('SIGKILL');
    await scene.baton.start();
    const { packages } = (await scene.call<{ packages: Told[] }>('operator', 'GET', '')).body;
    await expect.poll(() => JSON.parse(readFileSync(statePath(), 'utf8')).handoffs.length).toBe(packages.length);
    const before = written();
    expect((await rebuild()).body).toMatchObject({ packages: packages.length, mended: 0, written: 0 });
    expect(written()).toEqual(before);
    expect(Object.keys(before).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  it('if the folder of the package files is a symbolic link, no package files are written', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'btx-'));
    const victim = scene.baton.project();
    const { body: project } = await scene.baton.call<{ id: number }>('POST', '/api/projects', { path: victim });
    symlinkSync(outside, join(victim, '.project'));
    const given = delegation({ from: { agent: 'human' }, context: { ...delegation().context, artifacts: [] } });
    const made = await scene.call('operator', 'POST', '', { package: given, project_id: project.id });
    expect(made.status).toBe(201);
    await rebuild();
    expect(readdirSync(outside)).toEqual([]);
    // Baton cannot write the archive, but it must still write the state file, which is in another folder. Baton must
    // also report that the archive could not be written.
    const folder = readdirSync(join(scene.baton.home, 'data/projects')).find((name) => name.endsWith(`-${project.id}`));
    const state = readFileSync(join(scene.baton.home, 'data/projects', folder ?? '', 'state/current.json'), 'utf8');
    expect(state).toContain(made.body.id);
    const { trouble } = await scene.baton.get<{ trouble: string[] }>('/api/health');
    expect(trouble.join()).toContain('writes nothing there');
  });
});

describe('concurrent requests about packages', () => {
  it('if 32 processes try to accept a package, only one succeeds', async () => {
    const one = await delivered();
    const ran = await racing(32, (index) => ['package', 'ack', one.id, '--task', `Try ${index}`], scene.ann);
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toContain('was already acknowledged');
    const after = (await scene.call('operator', 'GET', `/${one.id}`)).body;
    expect([after.state, after.owner]).toEqual(['accepted', 'receiver']);
    expect(await eventsOf(one.id, 'package_acknowledged')).toHaveLength(1);
  });

  it('if 32 processes decide a gate at the same time, only one decision counts', async () => {
    const { body } = await scene.create(gatePackage());
    const ran = await racing(
      32,
      (index) => [
        'package',
        'decide',
        body.id,
        index % 2 === 0 ? 'approve' : 'reject',
        '--reason',
        `Reason ${index}`,
        '--seen',
        body.seen ?? '',
      ],
      'operator',
    );
    expect(ran.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toContain('already decided by operator');
    expect(await eventsOf(body.id, 'package_decided')).toHaveLength(1);
  });

  it('24 packages that are created at the same time get 24 consecutive ids', async () => {
    const before = (await scene.call<{ packages: Told[] }>('operator', 'GET', '')).body.packages.length;
    const made = await Promise.all(Array.from({ length: 24 }, () => scene.create(delegation())));
    const numbers = made.map(({ body }) => Number(body.id.split('-')[2])).sort((a, b) => a - b);
    expect(new Set(numbers).size).toBe(24);
    expect(numbers[0]).toBe(before + 1);
    expect(numbers.at(-1)).toBe(before + 24);
  });
});

async function eventsOf(id: string, type: string): Promise<readonly Event[]> {
  const { events } = await scene.baton.get<{ events: Event[] }>(`/api/events?type=${type}&limit=1000`);
  return events.filter(({ data }) => data.packageId === id);
}

describe('hostile packages in the real server', () => {
  const artifacts = (path: string) => ({ context: { ...delegation().context, artifacts: [{ path }] } });
  const deep = () => JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
  const secret = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_');
  const SPOTS: readonly (readonly [string, () => unknown, string])[] = [
    ['a path that leaves the project', () => delegation(artifacts('../../etc/passwd')), 'HP202'],
    ['an absolute path', () => delegation(artifacts('/etc/passwd')), 'HP202'],
    ['a link to outside', () => delegation(artifacts('docs/link.md')), 'HP202'],
    ['a path through a link', () => delegation(artifacts('out/passwd')), 'HP202'],
    ['a folder with a link in it', () => delegation(artifacts('nested/')), 'HP202'],
    ['what is not there', () => delegation(artifacts('docs/none.md')), 'HP201'],
    ['control characters', () => delegation({ to: { agent: 'reviewer-ann-2', reason: 'a\u0000b' } }), 'HP001'],
    ['an escape sequence', () => delegation({ to: { agent: 'reviewer-ann-2', reason: 'a\u001b[201~b' } }), 'HP001'],
    ['500 levels', () => delegation({ extensions: { 'org.example': deep() } }), 'HP001'],
    ['5,000 values', () => delegation({ extensions: { 'org.example': Array(5_000).fill(1) } }), 'HP001'],
    ['a key that nobody knows', () => delegation({ admin: true }), 'HP002'],
    ['no package at all', () => [], 'HP002'],
    ['a secret', () => delegation({ to: { agent: 'reviewer-ann-2', reason: `Use ${secret}` } }), 'HP701'],
    ['a secret as a key', () => delegation({ extensions: { 'org.example': { [secret]: 1 } } }), 'HP701'],
    ['an unknown receiver', () => delegation({ to: { agent: 'nobody-9', reason: 'Why not' } }), 'HP507'],
  ];
  beforeAll(() => {
    symlinkSync('/etc/passwd', join(scene.projectPath, 'docs/link.md'));
    symlinkSync('/etc', join(scene.projectPath, 'out'));
    mkdirSync(join(scene.projectPath, 'nested'));
    symlinkSync('/etc', join(scene.projectPath, 'nested/etc'));
  });

  it.each(SPOTS)('[T11] [T13] a new package is refused because of a lint finding: %s', async (_, given, rule) => {
    await rebuild();
    const { last_seq } = await scene.baton.get<{ last_seq: number }>('/api/health');
    const before = written();
    const { status, body } = await scene.create(given());
    expect([400, 409]).toContain(status);
    expect(body.findings?.map((finding) => finding.rule)).toContain(rule);
    expect(body.error).toContain(rule);
    expect(JSON.stringify(body)).not.toContain(secret);
    const events = (await scene.baton.get<{ events: Event[] }>(`/api/events?after=${last_seq}`)).events;
    // Ignore late events of older packages. A package is older if its id is in the path of a file that existed before
    // the request.
    const isNew = ({ type, data }: Event): boolean =>
      type.startsWith('package_') && !Object.keys(before).some((path) => path.includes(String(data.packageId)));
    expect(events.filter(isNew)).toEqual([]);
    expect(written()).toEqual(before);
  });

  it('a request body of 10 MB is rejected', async () => {
    const big = await scene
      .create(delegation({ extensions: { 'org.example': 'x'.repeat(10_000_000) } }))
      .catch((error: SocketFault) => ({ status: error.code, body: {} as Told }));
    expect([413, 'too_large']).toContain(big.status);
    expect((await scene.call('operator', 'GET', '')).status).toBe(200);
  });

  it('only the receiver can acknowledge a package, and another agent is refused', async () => {
    const one = await delivered();
    expect((await scene.call(scene.con, 'POST', `/${one.id}/ack`, full())).status).toBe(403);
    const hidden = full(`Use ${secret}`);
    expect((await scene.call(scene.ann, 'POST', `/${one.id}/ack`, hidden)).body.error).toContain('HP701');
    expect(readFileSync(join(scene.baton.home, 'baton.db')).includes(secret)).toBe(false);
  });

  it('[package P21] if an artifact has changed since the person saw the gate, an approval of the gate is refused', async () => {
    const { body } = await scene.create(gatePackage());
    writeFileSync(join(scene.projectPath, 'docs/api.md'), '# API\n13 endpoints\n');
    const decide = (seen: string | null) =>
      scene.call('operator', 'POST', `/${body.id}/decide`, { option: 'approve', seen });
    expect((await decide(body.seen)).body).toMatchObject({ code: 'stale_content' });
    expect((await decide(body.seen)).body).toMatchObject({ code: 'stale_content' });
    const shown = (await scene.call('operator', 'GET', `/${body.id}`)).body;
    expect((await decide(shown.seen)).body.state).toBe('completed');
  });

  it('[package P21] a changed gate can be approved only with the --seen value that `baton package contents` prints', async () => {
    const { body } = await scene.create(gatePackage());
    writeFileSync(join(scene.projectPath, 'docs/api.md'), '# API\n14 endpoints\n');
    const approve = (...more: string[]) => scene.cli('operator', 'package', 'decide', body.id, 'approve', ...more);
    for (const refused of [await approve(), await approve()]) {
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`docs/api.md changed after ${body.id} was submitted`);
      expect(refused.stderr).toContain(`baton package contents ${body.id}`);
    }
    const { stdout } = await scene.cli('operator', 'package', 'show', body.id);
    expect(stdout).toContain('docs/api.md (changed since it was submitted');
    const contents = (await scene.cli('operator', 'package', 'contents', body.id)).stdout;
    expect(contents).toContain('14 endpoints');
    const seen = /--seen (\S+)/.exec(contents)?.[1] ?? '';
    // The server must still refuse a `--seen` value from the time before the file changed, because it recorded the
    // change at the first decision.
    expect((await approve('--seen', body.seen ?? '')).code).toBe(1);
    expect((await approve()).code).toBe(1);
    const approved = await approve('--seen', seen);
    expect([approved.code, approved.stderr]).toEqual([0, '']);
    expect(approved.stdout).toContain('approved 0: ');
  });
});
