import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAgentFiles } from '../../../src/adapters/files/agent-files.ts';
import { sweepEnvironments } from '../../../src/adapters/files/launch-environment.ts';
import { layout } from '../../../src/adapters/home/open-home.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const AT = '2026-02-20T14:30:25.000Z' as Instant;
const SLUG = 'developer-con-1';
const MARKER = '<!-- handoff-end:T -->';

describe('the files of personas and agents', () => {
  let home = layout('/');
  let files = createAgentFiles(home);
  let path = '';
  let absolute = '';
  beforeEach(async () => {
    home = layout(realpathSync(mkdtempSync(join(tmpdir(), 'btf-'))));
    mkdirSync(home.documents);
    mkdirSync(home.agents);
    files = createAgentFiles(home);
    ({ path, absolutePath: absolute } = await files.prepareDocumentPlace({
      slug: SLUG,
      uuid8: '4b6f8a2c',
      at: AT,
      taken: [],
    }));
  });

  it('[002 FR3] [002 FR4] Baton chooses a document path that follows the naming convention', () => {
    expect(path).toBe('data/personas/developer-con-1/handoffs/20260220T143025-4b6f8a2c.md');
    expect(absolute).toBe(join(home.path, path));
    expect(statSync(dirname(absolute)).mode & 0o777).toBe(0o700);
  });

  describe('[F28] a file that the operator adopts', () => {
    const place = () => ({ path, endToken: 'T', allowedFolders: [dirname(absolute)] });
    const elsewhere = () => join(dirname(absolute), 'notes.md');

    it('Baton keeps a copy of the previous document if the operator adopts another file as the document', async () => {
      writeFileSync(elsewhere(), 'all is said');
      writeFileSync(absolute, 'half of it');
      expect(await files.adoptDocument(elsewhere(), place())).toBeUndefined();
      expect(readFileSync(absolute, 'utf8')).toBe(`all is said\n\n${MARKER}\n`);
      expect(readFileSync(elsewhere(), 'utf8')).toBe('all is said');
      const hash = createHash('sha256').update('half of it').digest('hex');
      expect(await files.keptDocument(hash)).toEqual({ text: 'half of it' });
      writeFileSync(elsewhere(), `whole\n${MARKER}\n`);
      await files.adoptDocument(elsewhere(), place());
      expect(readFileSync(absolute, 'utf8')).toBe(`whole\n${MARKER}\n`);
    });

    it('Baton adopts a file although the folder of the document was deleted', async () => {
      const project = join(home.path, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'notes.md'), 'all is said');
      rmSync(dirname(absolute), { recursive: true });
      const allowing = { ...place(), allowedFolders: [project] };
      expect(await files.adoptDocument(join(project, 'notes.md'), allowing)).toBeUndefined();
      expect(readFileSync(absolute, 'utf8')).toBe(`all is said\n\n${MARKER}\n`);
    });

    it('if Baton cannot write the adopted file, it says which path and why', async () => {
      const project = join(home.path, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'notes.md'), 'all is said');
      rmSync(dirname(absolute), { recursive: true });
      writeFileSync(dirname(absolute), 'a file in place of the folder');
      const allowing = { ...place(), allowedFolders: [project] };
      const problem = await files.adoptDocument(join(project, 'notes.md'), allowing);
      expect(problem).toContain(`Baton could not copy ${join(project, 'notes.md')} to ${absolute}: EEXIST`);
    });

    it("if a file is outside the agent's folders or reached through a symbolic link, Baton does not adopt the file as the handoff document", async () => {
      const outside = join(home.path, 'outside.md');
      writeFileSync(outside, 'x');
      symlinkSync(home.path, join(dirname(absolute), 'door'));
      symlinkSync(outside, join(dirname(absolute), 'link.md'));
      for (const from of [outside, join(dirname(absolute), '../../../../outside.md'), 'notes.md', '/proc/self/environ'])
        expect(await files.adoptDocument(from, place()), from).toContain(from);
      for (const name of ['door/outside.md', 'link.md', 'absent.md'])
        expect(await files.adoptDocument(join(dirname(absolute), name), place()), name).toContain(name);
      expect(await files.readDocumentFacts(path, 'T')).toBeUndefined();
    });
  });

  it('if a file exists at a document path, Baton chooses another path', async () => {
    writeFileSync(absolute, 'old');
    expect((await files.prepareDocumentPlace({ slug: SLUG, uuid8: '4b6f8a2c', at: AT, taken: [] })).path).toContain(
      '143026',
    );
  });

  it('Baton never reuses the document path of an earlier run', async () => {
    const place = await files.prepareDocumentPlace({ slug: SLUG, uuid8: '4b6f8a2c', at: AT, taken: [path] });
    expect(place.path).toContain('143026');
  });

  it('[F29] Baton restores a lost document from its stored copy', async () => {
    writeFileSync(absolute, `story\n${MARKER}`);
    const checked = await files.checkDocument(path, 'T');
    const sha256 = checked.verdict === 'good' ? checked.sha256 : '';
    expect(await files.restoreDocument(path, sha256, false)).toBe('there');
    rmSync(absolute);
    expect(await files.restoreDocument(path, sha256, false)).toBe('restored');
    expect(readFileSync(absolute, 'utf8')).toBe(`story\n${MARKER}`);
    writeFileSync(absolute, 'other');
    expect(await files.restoreDocument(path, sha256, false)).toBe('changed');
    expect(readFileSync(absolute, 'utf8')).toBe('other');
  });

  it('[F29] Baton restores a lost document although its folder was deleted, too', async () => {
    writeFileSync(absolute, `story\n${MARKER}`);
    const checked = await files.checkDocument(path, 'T');
    rmSync(join(home.path, 'data'), { recursive: true });
    expect(await files.restoreDocument(path, checked.verdict === 'good' ? checked.sha256 : '', false)).toBe('restored');
    expect(readFileSync(absolute, 'utf8')).toBe(`story\n${MARKER}`);
    expect(statSync(dirname(absolute)).mode & 0o777).toBe(0o700);
  });

  it('[H42] [T21] Baton puts the approved version back in the place of a changed document, and keeps the changed text', async () => {
    writeFileSync(absolute, `story\n${MARKER}`);
    const checked = await files.checkDocument(path, 'T');
    const sha256 = checked.verdict === 'good' ? checked.sha256 : '';
    expect(await files.restoreDocument(path, sha256, true)).toBe('there');
    writeFileSync(absolute, 'other');
    expect(await files.restoreDocument(path, sha256, true)).toBe('changed_and_put_back');
    expect(readFileSync(absolute, 'utf8')).toBe(`story\n${MARKER}`);
    const copies = readdirSync(home.documents).map((name) => readFileSync(join(home.documents, name), 'utf8'));
    expect(copies.sort()).toEqual(['other', `story\n${MARKER}`]);
    const elsewhere = join(home.path, 'elsewhere.md');
    writeFileSync(elsewhere, 'other');
    rmSync(absolute);
    symlinkSync(elsewhere, absolute);
    expect(await files.restoreDocument(path, sha256, true)).toBe('changed_and_put_back');
    expect([readFileSync(absolute, 'utf8'), readFileSync(elsewhere, 'utf8')]).toEqual([`story\n${MARKER}`, 'other']);
  });

  it('[H17] Baton stores a copy of a good document under the hash of its content', async () => {
    const text = `# Handoff\n${MARKER}\n`;
    writeFileSync(absolute, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(await files.checkDocument(path, 'T')).toEqual({
      verdict: 'good',
      sha256,
      bytes: text.length,
      markerFound: true,
    });
    rmSync(absolute);
    expect(readFileSync(join(home.documents, `${sha256}.md`), 'utf8')).toBe(text);
    expect(await files.checkDocument(path, 'T')).toEqual({ verdict: 'missing' });
  });

  it('a second check of a document gives the same result as the first check', async () => {
    writeFileSync(absolute, 'x');
    const first = await files.checkDocument(path, 'T');
    expect(await files.checkDocument(path, 'T')).toEqual(first);
  });

  it('[S-5] [H16] Baton adds a missing end marker to a document', async () => {
    writeFileSync(absolute, '# Handoff\n');
    const checked = await files.checkDocument(path, 'T');
    const whole = readFileSync(absolute, 'utf8');
    expect(whole).toBe(`# Handoff\n\n\n${MARKER}\n`);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(checked).toEqual({ verdict: 'good', sha256, bytes: whole.length, markerFound: false, markerAdded: true });
    expect(await files.keptDocument(sha256)).toEqual({ text: whole });
    const asWritten = createHash('sha256').update('# Handoff\n').digest('hex');
    expect(await files.keptDocument(asWritten)).toEqual({ text: '# Handoff\n' });
    expect(await files.restoreDocument(path, sha256, false)).toBe('there');
  });

  it('[S-5] Baton adds no end marker if the document would become too large', async () => {
    writeFileSync(absolute, 'x'.repeat(1_048_576));
    expect(await files.checkDocument(path, 'T')).toMatchObject({ verdict: 'good', markerFound: false });
    expect(readFileSync(absolute, 'utf8')).toHaveLength(1_048_576);
  });

  it("[S-16] the list of new files in an agent's folders contains only text files, the latest first", async () => {
    const project = join(home.path, 'project');
    mkdirSync(join(project, 'docs/deep'), { recursive: true });
    mkdirSync(join(project, 'node_modules'));
    const old = new Date('2026-01-01T00:00:00Z');
    for (const name of ['old.md', 'new.md', 'code.ts', 'docs/handoff.txt', 'docs/deep/far.md', 'node_modules/x.md']) {
      writeFileSync(join(project, name), 'x');
      if (name === 'old.md') utimesSync(join(project, name), old, old);
    }
    utimesSync(join(project, 'new.md'), new Date(), new Date(Date.now() + 5_000));
    const since = new Date().toISOString() as typeof AT;
    expect(await files.newTexts([project, join(home.path, 'nowhere')], since)).toEqual([
      join(project, 'new.md'),
      join(project, 'docs/handoff.txt'),
    ]);
  });

  it.each<[string, () => void, string]>([
    ['a missing document', () => undefined, 'missing'],
    ['an empty document', () => writeFileSync(absolute, ''), 'empty'],
    ['a folder', () => mkdirSync(absolute), 'not_a_regular_file'],
    ['a FIFO, without hanging', () => execFileSync('mkfifo', [absolute]), 'not_a_regular_file'],
    ['a link to another file', () => symlinkSync('/etc/passwd', absolute), 'reached_through_link'],
    [
      'a hard link',
      () => {
        writeFileSync(`${absolute}.other`, 'x');
        linkSync(`${absolute}.other`, absolute);
      },
      'reached_through_link',
    ],
    [
      'a sparse file of 8 GiB',
      () => {
        writeFileSync(absolute, 'x');
        truncateSync(absolute, 2 ** 33);
      },
      'too_large',
    ],
    ['a document that is one byte too long', () => writeFileSync(absolute, 'x'.repeat(1_048_577)), 'too_large'],
  ])('[T11] [F32] Baton refuses %s as the handoff document', async (_what, make, verdict) => {
    make();
    expect(await files.checkDocument(path, 'T')).toEqual({ verdict });
  });

  it('[T11] Baton refuses a document folder that is a symbolic link', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'btf-else-'));
    rmSync(dirname(absolute), { recursive: true });
    symlinkSync(elsewhere, dirname(absolute));
    writeFileSync(absolute, 'x');
    expect(await files.checkDocument(path, 'T')).toEqual({ verdict: 'reached_through_link' });
  });

  it('[T12] a document of exactly 1 MiB is accepted', async () => {
    writeFileSync(absolute, Buffer.alloc(1_048_576, 0xff));
    expect(await files.checkDocument(path, 'T')).toMatchObject({
      verdict: 'good',
      bytes: 1_048_576,
      markerFound: false,
    });
  });

  describe('[X-6] a stored document copy that was changed', () => {
    const kept = (sha256: string) => join(home.documents, `${sha256}.md`);
    const keep = async (): Promise<string> => {
      writeFileSync(absolute, `all is said\n${MARKER}\n`);
      const checked = await files.checkDocument(path, 'T');
      return checked.verdict === 'good' ? checked.sha256 : '';
    };

    it('Baton does not show the stored copy of a document if the copy was changed', async () => {
      const sha256 = await keep();
      expect(await files.keptDocument(sha256)).toEqual({ text: `all is said\n${MARKER}\n` });
      chmodSync(kept(sha256), 0o600);
      writeFileSync(kept(sha256), 'something else');
      expect(await files.keptDocument(sha256)).toEqual({
        problem: `Baton's copy of the document (${kept(sha256)}) was changed after Baton verified the document, so Baton does not show the copy.`,
      });
      rmSync(kept(sha256));
      expect(await files.keptDocument(sha256)).toEqual({});
    });

    it('Baton does not restore a lost document from a stored copy that was changed', async () => {
      const sha256 = await keep();
      rmSync(absolute);
      chmodSync(kept(sha256), 0o600);
      writeFileSync(kept(sha256), 'something else');
      await expect(files.restoreDocument(path, sha256, false)).rejects.toThrow('was changed');
      expect(existsSync(absolute)).toBe(false);
      writeFileSync(absolute, 'other');
      await expect(files.restoreDocument(path, sha256, true)).rejects.toThrow('the document was changed. Baton');
      rmSync(kept(sha256));
      await expect(files.restoreDocument(path, sha256, true)).rejects.toThrow('its approved copy');
      expect(readFileSync(absolute, 'utf8')).toBe('other');
    });
  });

  describe('[X-8] a skill that is not a plain text file', () => {
    const skill = () => join(home.path, 'data/personas', SLUG, 'skill.md');

    it('a skill file that is a FIFO, a device or a folder is refused at once', async () => {
      await files.seedPersona(SLUG, 'Con', 'developer');
      rmSync(skill());
      execFileSync('mkfifo', [skill()]);
      await expect(files.readSkill(SLUG)).rejects.toThrow(`${skill()} is not a regular file`);
      rmSync(skill());
      symlinkSync('/dev/zero', skill());
      await expect(files.readSkill(SLUG)).rejects.toThrow(`${skill()} is not a regular file`);
      rmSync(skill());
      mkdirSync(skill());
      await expect(files.readSkill(SLUG)).rejects.toThrow(`${skill()} is not a regular file`);
    });

    it('a skill file that is too large is not read', async () => {
      await files.seedPersona(SLUG, 'Con', 'developer');
      truncateSync(skill(), 3 * 1024 ** 3);
      await expect(files.readSkill(SLUG)).rejects.toThrow(`${skill()} is larger than 1 MiB`);
      rmSync(skill());
      writeFileSync(join(home.path, 'mine.md'), 'mine');
      symlinkSync(join(home.path, 'mine.md'), skill());
      expect((await files.readSkill(SLUG)).skill).toBe('mine');
    });
  });

  it('Baton creates the skill file of a persona once and never overwrites it', async () => {
    await files.seedPersona(SLUG, 'Con', 'developer');
    const skill = join(home.path, 'data/personas', SLUG, 'skill.md');
    expect(readFileSync(skill, 'utf8')).toContain('You are Con');
    writeFileSync(skill, 'mine');
    await files.seedPersona(SLUG, 'Con', 'developer');
    expect((await files.readSkill(SLUG)).skill).toBe('mine');
    expect(await files.readSkill('nobody-1')).toEqual({ skill: undefined, experience: undefined });
  });

  it('[T8] the launch script passes hostile arguments literally', async () => {
    const project = join(home.path, "it's #(touch pwned) $HOME `id`");
    mkdirSync(project);
    const argv = await files.writeLaunch(7, {
      cwd: project,
      argv: [
        '/bin/sh',
        '-c',
        'printf "%s|%s|%s|%s" "$PWD" "$SECRET" "$GONE" "$1"; printf "|%s" "$(echo "$PATH" | cut -d: -f1)"',
        'sh',
        'a; touch pwned',
      ],
      env: { SECRET: "it's $(touch pwned)" },
      unsetEnv: ['GONE'],
      files: { 'settings.json': '{}' },
    });
    expect(argv.join(' ')).not.toContain('SECRET');
    const out = execFileSync(argv[0] ?? '', argv.slice(1), {
      env: { GONE: 'here', PATH: process.env.PATH },
      encoding: 'utf8',
    });
    expect(out).toBe(`${project}|it's $(touch pwned)||a; touch pwned|${home.bin}`);
    expect(statSync(argv[1] ?? '').mode & 0o777).toBe(0o600);
  });

  it('[S-6] the launch script reports a missing folder and a missing program with different exit codes', async () => {
    const start = async (cwd: string, program: string) => {
      const files7 = { cwd, argv: [program, 'x'], env: {}, unsetEnv: [], files: {} };
      const [shell = '', ...args] = await files.writeLaunch(7, files7);
      const { status, stderr } = spawnSync(shell, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
      return { status, last: stderr.trimEnd().split('\n').at(-1) };
    };
    expect(await start('/none/it\'s "here"', 'true')).toEqual({
      status: 97,
      last: 'the folder /none/it\'s "here" does not exist',
    });
    expect(await start('/', 'no-such-program')).toEqual({
      status: 96,
      last: 'the program no-such-program does not exist or cannot be run',
    });
    expect(await start('/', '/none/such')).toMatchObject({ status: 96 });
    expect(await start('/', 'true')).toMatchObject({ status: 0 });
  });

  describe('the file with the variables of an agent', () => {
    const launch = (value: string) =>
      files.writeLaunch(7, {
        cwd: '/',
        argv: ['/bin/sh', '-c', 'printf %s "$SECRET"'],
        env: { SECRET: value },
        unsetEnv: [],
        files: {},
      });
    const folder = () => join(home.agents, '7');

    it.each(['it\'s\n$(id) `id` \\ ""\n', '', 'a=b', '#', '日本'])(
      '[T20] an environment variable with the value %j reaches an agent unchanged through a private file',
      async (value) => {
        const [program = '', ...args] = await launch(value);
        const file = join(folder(), 'environment');
        expect(statSync(file).mode & 0o777).toBe(0o600);
        expect(readFileSync(join(folder(), 'launch.sh'), 'utf8')).not.toContain('SECRET=');
        expect(execFileSync(program, args, { encoding: 'utf8', env: {} })).toBe(value);
        expect(existsSync(file)).toBe(false);
        // The first run of the launch script deleted the file with the agent's variables. A second run must therefore
        // fail, because its agent would have no variables.
        expect(spawnSync(program, args, { env: {} }).status).toBe(98);
      },
    );

    it("[T20] if a killed Baton left a file with an agent's environment variables, the next Baton deletes the file", async () => {
      await launch('old');
      const half = join(folder(), 'environment.12-ab.tmp');
      writeFileSync(half, 'export SECRET=ol');
      const old = new Date(Date.now() - 3_600_000);
      for (const file of [half, join(folder(), 'environment')]) utimesSync(file, old, old);
      mkdirSync(join(home.agents, '8'));
      writeFileSync(join(home.agents, '8/environment'), 'export SECRET=new');
      await sweepEnvironments(home.agents);
      expect(readdirSync(folder())).toEqual(['launch.sh']);
      expect(readdirSync(join(home.agents, '8'))).toEqual(['environment']);
    });
  });

  it('the error about a folder that cannot be a project contains the reason', async () => {
    expect(await files.whyNotAProject('relative')).toContain('absolute');
    expect(await files.whyNotAProject('/does/not/exist')).toContain('does not exist');
    expect(await files.whyNotAProject('/etc/passwd')).toContain('not a folder');
    expect(await files.whyNotAProject('/tmp/\u0007')).toContain('control characters');
    expect(await files.whyNotAProject(home.path)).toBeUndefined();
    symlinkSync(home.path, `${home.path}/link`);
    expect(await files.whyNotAProject(`${home.path}/link`)).toContain('real folder');
  });
});
