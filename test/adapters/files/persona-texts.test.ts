import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAgentFiles } from '../../../src/adapters/files/agent-files.ts';
import { layout } from '../../../src/adapters/home/open-home.ts';

const SLUG = 'developer-con-1';
const sha = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe("a persona's texts", () => {
  let files = createAgentFiles(layout('/'));
  let skill = '';
  beforeEach(async () => {
    const home = layout(realpathSync(mkdtempSync(join(tmpdir(), 'btt-'))));
    files = createAgentFiles(home);
    await files.seedPersona(SLUG, 'Con', 'developer');
    skill = join(home.path, 'data/personas', SLUG, 'skill.md');
  });
  const look = () => files.readPersonaText(SLUG, 'skill');
  const save = (text: string, basedOn: string | null) => files.savePersonaText(SLUG, 'skill', { text, basedOn });

  it.each(['backend', 'docs', 'developer', 'qa-lead'])(
    "[U15] the initial skill of a persona names the persona's role %s",
    async (role) => {
      await files.seedPersona(`${role}-ada-2`, 'Ada', role);
      const { text } = await files.readPersonaText(`${role}-ada-2`, 'skill');
      expect(text).toContain(`You are Ada, and your role is ${role}.`);
    },
  );

  it.each([
    ['plain', 'be careful\n'],
    ['without a newline at the end', 'a\nb'],
    ['with other newlines', 'a\r\nb\r\n\r'],
    ['with a byte order mark', '\ufeff# Zoë\n'],
    ['with control characters', 'a\u0000b\u001b[31m\t'],
    ['empty', ''],
  ])("a persona's text is stored byte for byte: %s", async (_what, text) => {
    writeFileSync(skill, text);
    const before = statSync(skill);
    const seen = await look();
    expect(seen).toEqual({ text, sha256: sha(text) });
    expect(await save(seen.text ?? 'none', seen.sha256)).toEqual({ outcome: 'same' });
    expect(statSync(skill)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(await save(`${text}more`, seen.sha256)).toEqual({ outcome: 'saved' });
    expect(readFileSync(skill)).toEqual(Buffer.from(`${text}more`));
    expect(readdirSync(dirname(skill)).sort()).toEqual(['experience.md', 'handoffs', 'skill.md']);
  });

  it('the skill and the experience of a persona are stored in separate files', async () => {
    const { sha256 } = await files.readPersonaText(SLUG, 'experience');
    await files.savePersonaText(SLUG, 'experience', { text: 'much', basedOn: sha256 });
    expect(await files.readPersonaText(SLUG, 'experience')).toMatchObject({ text: 'much' });
    expect((await look()).text).toContain('# Con, developer');
  });

  it("Baton does not overwrite a persona's text if another process has changed the file since Baton read the file", async () => {
    const { sha256 } = await look();
    expect(await save('mine', null)).toEqual({ outcome: 'changed_meanwhile' });
    writeFileSync(skill, 'by hand');
    expect(await save('mine', sha256)).toEqual({ outcome: 'changed_meanwhile' });
    expect(readFileSync(skill, 'utf8')).toBe('by hand');
    rmSync(skill);
    expect(await look()).toEqual({ text: null, sha256: null });
    expect(await save('mine', sha('by hand'))).toEqual({ outcome: 'changed_meanwhile' });
    expect(await save('mine', null)).toEqual({ outcome: 'saved' });
    expect(statSync(skill).mode & 0o777).toBe(0o600);
  });

  it("if several saves are based on the same version of a persona's text, only the first save succeeds", async () => {
    const { sha256 } = await look();
    const outcomes = await Promise.all(['one', 'two', 'three'].map((text) => save(text, sha256)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['saved', 'changed_meanwhile', 'changed_meanwhile']);
    expect(readFileSync(skill, 'utf8')).toBe('one');
  });

  it.each([
    ['a link', () => [renameSync(skill, `${skill}.real`), symlinkSync(`${skill}.real`, skill)]],
    ['a link to nothing', () => [rmSync(skill), symlinkSync('/nowhere/at/all', skill)]],
    ['a hard link', () => linkSync(skill, join(dirname(dirname(skill)), 'elsewhere'))],
    ['a folder', () => [rmSync(skill), mkdirSync(skill)]],
    ['a FIFO', () => [rmSync(skill), execFileSync('mkfifo', [skill])]],
    ['too large', () => truncateSync(skill, 1024 * 1024 + 1)],
    ['not UTF-8', () => writeFileSync(skill, Buffer.from([0x61, 0xff, 0x62]))],
  ])("a persona's text is neither shown nor written if its file is %s", async (_what, spoil) => {
    spoil();
    const before = statOf(skill);
    const seen = await look();
    expect(seen).toMatchObject({ text: null, sha256: null, problem: expect.stringContaining(skill) });
    expect(await save('mine', null)).toMatchObject({ outcome: 'unusable', why: seen.problem });
    expect(statOf(skill)).toBe(before);
  });

  it("a persona's text is not written if its folder is a symbolic link", async () => {
    const folder = dirname(skill);
    renameSync(folder, `${folder}-real`);
    symlinkSync(`${folder}-real`, folder);
    expect(await save('mine', sha(readFileSync(skill)))).toMatchObject({ outcome: 'unusable' });
  });

  it("a persona's text is not written if its file is read-only", async () => {
    const { sha256 } = await look();
    chmodSync(skill, 0o444);
    expect(await save('mine', sha256)).toMatchObject({
      outcome: 'unusable',
      why: expect.stringContaining('read-only'),
    });
    chmodSync(skill, 0o640);
    expect(await save('mine', sha256)).toEqual({ outcome: 'saved' });
    expect(statSync(skill).mode & 0o777).toBe(0o640);
  });

  it("a persona's text with a lone surrogate is refused", async () => {
    const { sha256 } = await look();
    expect(await save('a\ud800b', sha256)).toMatchObject({ outcome: 'unusable' });
    expect((await look()).sha256).toBe(sha256);
  });
});

const statOf = (path: string): string => execFileSync('stat', ['-c', '%i %s %F %Y', path]).toString();
