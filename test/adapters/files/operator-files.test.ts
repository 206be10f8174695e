import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { operatorFiles } from '../../../src/adapters/files/operator-files.ts';
import { CannotEdit } from '../../../src/app/ports/operator-hooks.ts';

describe('a file that belongs to the operator', () => {
  let folder = '';
  let path = '';
  const text = () => readFileSync(path, 'utf8');
  const others = () => readdirSync(folder).filter((name) => name !== 'settings.json');
  const append = (before: string | undefined) => `${before ?? ''}+`;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'baton-op-'));
    path = join(folder, 'settings.json');
  });

  it('a file of the operator keeps its file mode when Baton changes the file', async () => {
    writeFileSync(path, 'before');
    chmodSync(path, 0o644);
    const backup = (await operatorFiles.edit(path, append)) as string;
    expect([text(), readFileSync(backup, 'utf8')]).toEqual(['before+', 'before']);
    expect([statSync(path).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o644, 0o600]);
    expect(backup).toMatch(/settings\.json\.baton-backup-\d{8}T\d{6}Z$/);
    expect(others()).toHaveLength(1);
  });

  it('a file of the operator gets a separate backup for each change', async () => {
    writeFileSync(path, '0');
    const copies = [];
    for (let n = 0; n < 5; n++) copies.push(await operatorFiles.edit(path, append));
    expect(copies.map((copy) => readFileSync(copy as string, 'utf8'))).toEqual(['0', '0+', '0++', '0+++', '0++++']);
  });

  it('a file of the operator is not written if an edit changes nothing', async () => {
    writeFileSync(path, 'same');
    const before = statSync(path, { bigint: true });
    expect(await operatorFiles.edit(path, (same) => same)).toBeNull();
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    expect([ino, mtimeNs, others()]).toEqual([before.ino, before.mtimeNs, []]);
  });

  it('Baton creates a new file that only the operator can read', async () => {
    expect(await operatorFiles.read(path)).toBeUndefined();
    expect(await operatorFiles.edit(path, () => 'new')).toBeNull();
    expect([text(), statSync(path).mode & 0o777]).toEqual(['new', 0o600]);
    const backup = await operatorFiles.edit(path, () => undefined);
    expect([existsSync(path), readFileSync(backup as string, 'utf8')]).toEqual([false, 'new']);
  });

  it('if a file of the operator is a symbolic link, Baton changes the target file and keeps the link', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    const real = join(folder, 'dotfiles', 'claude.json');
    writeFileSync(real, 'real');
    symlinkSync('dotfiles/claude.json', path);
    const backup = (await operatorFiles.edit(path, append)) as string;
    expect([readlinkSync(path), readFileSync(real, 'utf8')]).toEqual(['dotfiles/claude.json', 'real+']);
    expect([lstatSync(path).isSymbolicLink(), backup.startsWith(path)]).toEqual([true, true]);
    expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['claude.json']);
  });

  it('if another process changes a file while Baton edits the file, both changes are kept', async () => {
    writeFileSync(path, 'a');
    let asked = 0;
    const backup = await operatorFiles.edit(path, (before) => {
      if (++asked === 1) writeFileSync(path, 'b');
      return append(before);
    });
    expect([asked, text(), readFileSync(backup as string, 'utf8')]).toEqual([2, 'b+', 'b']);
    expect(others()).toHaveLength(1);
  });

  it('if another process creates a file just before Baton does, Baton edits the existing file', async () => {
    let asked = 0;
    await operatorFiles.edit(path, (before) => {
      if (++asked === 1) writeFileSync(path, 'came');
      return append(before);
    });
    expect(text()).toBe('came+');
  });

  it('if another program keeps changing a file, Baton gives up its edit and explains the reason', async () => {
    writeFileSync(path, 'a');
    let asked = 0;
    const edit = operatorFiles.edit(path, (before) => {
      writeFileSync(path, `other ${++asked}`);
      return append(before);
    });
    await expect(edit).rejects.toThrow(/Another program changed .* several times/);
    expect([text(), others()]).toEqual([`other ${asked}`, []]);
  });

  it("a process that reads the operator's file in a loop never sees a half-written file", async () => {
    const whole = (n: number) => `${n}${'x'.repeat(200_000)}${n}`;
    writeFileSync(path, whole(0));
    const script = join(folder, 'reader.mjs');
    writeFileSync(
      script,
      `import { readFileSync } from 'node:fs';
       let reads = 0, torn = 0, done = false;
       process.on('message', () => { done = true; });
       const read = () => {
         const text = readFileSync(${JSON.stringify(path)}, 'utf8');
         reads++;
         if (!/^(\\d+)x{200000}\\1$/.test(text)) torn++;
         if (!done) return setImmediate(read);
         process.send({ reads, torn }, () => process.exit());
       };
       read();
       process.send('reading');`,
    );
    const reader = fork(script);
    await once(reader, 'message');
    for (let n = 1; n <= 20; n++) await operatorFiles.edit(path, () => whole(n));
    const told = once(reader, 'message');
    reader.send('done');
    const [{ reads, torn }] = (await told) as [{ reads: number; torn: number }];
    expect([reads > 0, torn]).toEqual([true, 0]);
  });

  it.each([
    ['is read-only', () => chmodSync(path, 0o444), /is read-only/],
    ['is not UTF-8', () => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), /not UTF-8/],
  ])('Baton does not change a file that %s', async (_name, spoil, why) => {
    writeFileSync(path, 'x');
    spoil();
    const before = readFileSync(path);
    await expect(operatorFiles.edit(path, append)).rejects.toThrow(why);
    await expect(operatorFiles.edit(path, append)).rejects.toBeInstanceOf(CannotEdit);
    expect([readFileSync(path).equals(before), others()]).toEqual([true, []]);
  });

  it.each([
    ['is a folder', () => mkdirSync(path), /not a file/],
    ['is a link that leads nowhere', () => symlinkSync('/nowhere/at/all', path), /is a broken link/],
  ])('Baton cannot edit a file that %s', async (_name, spoil, why) => {
    spoil();
    await expect(operatorFiles.edit(path, append)).rejects.toThrow(why);
    expect(others()).toEqual([]);
  });

  it('Baton does not create a file in a missing folder', async () => {
    const lost = join(folder, 'none', 'settings.json');
    await expect(operatorFiles.edit(lost, append)).rejects.toThrow(/There is no folder .*none/);
    await expect(operatorFiles.edit(lost, append, { dryRun: true })).rejects.toThrow(/There is no folder .*none/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a dry run of an edit changes neither the file nor its folder', async () => {
    writeFileSync(path, 'before');
    expect(await operatorFiles.edit(path, append, { dryRun: true })).toBeNull();
    expect([text(), others()]).toEqual(['before', []]);
  });
});
