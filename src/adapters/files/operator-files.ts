import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CannotEdit, type OperatorFiles } from '../../app/ports/operator-hooks.ts';

const TRIES = 5;

/**
 * Reads and edits the operator's settings files. Other programs write the same files without a common lock. So Baton
 * replaces a file only if every byte is still as Baton read it. If the file has changed, Baton repeats the edit.
 */
export const operatorFiles: OperatorFiles = {
  read: async (path) => decode((await look(path)).bytes, path),

  edit: async (path, change, { dryRun } = { dryRun: false }) => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const found = await look(path);
      const before = decode(found.bytes, path);
      const after = change(before);
      if (after === before) return null;
      await refuseUnwritable(path, found);
      if (dryRun) return null;
      const backup = found.bytes === undefined ? null : await keepCopy(path, found.bytes);
      const isDone = await replace(found, after).catch(async (error: Error) => {
        if (backup !== null) await rm(backup, { force: true });
        throw new CannotEdit(`Baton could not write ${path}, so it left the file as it is: ${error.message}`);
      });
      if (isDone) return backup;
      if (backup !== null) await rm(backup, { force: true });
    }
    throw new CannotEdit(
      `Another program changed ${path} several times while Baton edited it, so Baton changed nothing. Try again.`,
    );
  },
};

interface Found {
  /**
   * Returns the path with all symbolic links resolved, so that an edit replaces the target of a link and not the link.
   */
  readonly path: string;
  readonly bytes: Buffer | undefined;
  readonly mode: number;
  readonly uid: number | undefined;
}

async function look(named: string): Promise<Found> {
  const path = await realpath(named).catch(unlessMissing);
  if (path === undefined) {
    if ((await lstat(named).catch(unlessMissing)) !== undefined)
      throw new CannotEdit(`${named} is a broken link, so Baton left it as it is. Fix it and try again.`);
    return { path: named, bytes: undefined, mode: 0o600, uid: undefined };
  }
  const { mode, uid } = await refuseOther(path, named);
  const bytes = await readFile(path).catch((error: Error) => {
    throw new CannotEdit(`${named} cannot be read, so Baton left it as it is: ${error.message}`);
  });
  return { path, bytes, mode, uid };
}

async function refuseOther(path: string, named: string): Promise<{ mode: number; uid: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new CannotEdit(`${named} is not a file, so Baton left it as it is.`);
  return found;
}

/** Throws if the bytes are not UTF-8, because decoding them to a string would lose bytes. */
function decode(bytes: Buffer | undefined, path: string): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CannotEdit(`${path} is not UTF-8 text, so Baton left it as it is. Fix it and try again.`);
  }
}

/**
 * Throws if the file is read-only or belongs to another user. Without this check, the rename would replace even such a
 * file.
 */
async function refuseUnwritable(named: string, { path, bytes, mode, uid }: Found): Promise<void> {
  const folder = dirname(path);
  if ((await stat(folder).catch(unlessMissing)) === undefined) {
    throw new CannotEdit(
      `There is no folder ${folder}, so nothing was written. Start the agent program once, so that it creates this folder, or correct the environment variable that contains the path of this folder.`,
    );
  }
  const isWritable = (what: string) => access(what, constants.W_OK).then(always(true), always(false));
  if (!(await isWritable(folder)))
    throw new CannotEdit(
      `${folder} is not writable, so Baton left ${named} as it is. Make the folder writable and try again.`,
    );
  if (bytes === undefined) return;
  const me = process.getuid?.();
  if (me !== undefined && uid !== me)
    throw new CannotEdit(
      `${named} belongs to another user (uid ${uid}), so Baton left it as it is. Run this command as that user.`,
    );
  if ((mode & 0o222) === 0 || !(await isWritable(path)))
    throw new CannotEdit(`${named} is read-only, so Baton left it as it is. Make the file writable and try again.`);
}

const always =
  <T>(value: T) =>
  (): T =>
    value;

/** Saves a backup copy under a new name, so that no older copy is overwritten. */
async function keepCopy(named: string, bytes: Buffer): Promise<string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  for (let more = 1; ; more++) {
    const path = `${named}.baton-backup-${time}${more === 1 ? '' : `-${more}`}`;
    try {
      await writeNew(path, bytes, 0o600);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new CannotEdit(
        `Baton could not make a copy of ${named} (${(error as Error).message}), so it left the file as it is.`,
      );
    }
  }
}

/** Replaces the file. Returns false if another process has changed the file since it was read. */
async function replace({ path, bytes, mode }: Found, text: string | undefined): Promise<boolean> {
  const isSame = async () => {
    const now = await readFile(path).catch(unlessMissing);
    return now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  };
  if (text === undefined) {
    if (!(await isSame())) return false;
    await rm(path);
    return true;
  }
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeNew(temporary, Buffer.from(text), mode & 0o777);
    if (!(await isSame())) return false;
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(path: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
