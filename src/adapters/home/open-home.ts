import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { HomeFault } from './home-fault.ts';

/** All paths in Baton's home. Outside of the home, Baton owns only files in projects. */
export interface Home {
  readonly path: string;
  readonly database: string;
  readonly lock: string;
  readonly config: string;
  readonly token: string;
  readonly secret: string;
  readonly address: string;
  readonly log: string;
  readonly apiSocket: string;
  readonly tmuxSocket: string;
  readonly tmuxConfig: string;
  /** The operator's own options for Baton's tmux. */
  readonly ownTmuxConfig: string;
  readonly spool: string;
  readonly bin: string;
  /** The script that runs when one of the hooks in the operator's own settings fires. */
  readonly externalSessionScript: string;
  readonly adoptedScript: string;
  /** The folder for adopted sessions, with one file per session. Each file contains the token of its session. */
  readonly adopted: string;
  readonly agents: string;
  readonly documents: string;
  /**
   * The folder with the key of this machine in its fleet and, on the machine that founded the fleet, with the files of
   * the hub.
   */
  readonly fleet: string;
}

/**
 * The folder of agents' worktrees. The folder is not inside `data`: a backup would copy the worktrees, even while
 * agents change files in them, and a restore would move a live agent's worktree away.
 */
export const WORKTREES = 'worktrees';

/**
 * The maximum length of the home's path in bytes. The path of a Unix socket may have at most 103 bytes on macOS (107 on
 * Linux), and `/baton.sock` needs 11 of them.
 */
const MAX_HOME_BYTES = 90;

/**
 * Creates the home if it does not exist. Throws HomeFault if other users could read, change or replace the home, or if
 * the folder belongs to another program.
 */
export function openHome(path: string): Home {
  refuseUnusablePath(path);
  if (!exists(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  refuseUnsafeFolder(path);
  const home = layout(path);
  for (const folder of [home.spool, home.bin, home.agents, home.documents, home.adopted]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  return home;
}

export function layout(path: string): Home {
  const inside = (name: string): string => join(path, name);
  return {
    path,
    database: inside('baton.db'),
    lock: inside('lock.db'),
    config: inside('config.json'),
    token: inside('token'),
    secret: inside('secret'),
    address: inside('address.json'),
    log: inside('baton.log'),
    apiSocket: inside('baton.sock'),
    tmuxSocket: inside('tmux.sock'),
    tmuxConfig: inside('baton.tmux.conf'),
    ownTmuxConfig: inside('tmux.conf'),
    spool: inside('spool'),
    bin: inside('bin'),
    externalSessionScript: inside('bin/baton-candidate'),
    adoptedScript: inside('bin/baton-adopted'),
    adopted: inside('adopted'),
    agents: inside('agents'),
    documents: inside('documents'),
    fleet: inside('fleet'),
  };
}

/** Throws HomeFault if the path is relative, too long, or contains `#` or control characters. */
export function refuseUnusablePath(path: string): void {
  if (!isAbsolute(path))
    throw new HomeFault(`Baton's home must be an absolute path, not "${path}". Set BATON_HOME to an absolute path.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
  if (/[#\u0000-\u001f\u007f]/.test(path))
    throw new HomeFault(
      `The path of Baton's home may not contain "#" or control characters: ${JSON.stringify(path)}. Set BATON_HOME to another path.`,
    );
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_HOME_BYTES) {
    throw new HomeFault(
      `The path of Baton's home is ${bytes} bytes long, but the sockets in it allow at most ${MAX_HOME_BYTES}. Set BATON_HOME to a shorter path.`,
    );
  }
}

/** Throws HomeFault if the path is not a folder that belongs only to this user and to Baton. */
export function refuseUnsafeFolder(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink())
    throw new HomeFault(
      `${path} is a symbolic link, but Baton's home must be a real folder. Set BATON_HOME to the real folder.`,
    );
  if (!stat.isDirectory()) throw new HomeFault(`${path} is not a folder. Set BATON_HOME to another path.`);
  const me = process.getuid?.();
  if (me !== undefined && stat.uid !== me)
    throw new HomeFault(`${path} belongs to another user (uid ${stat.uid}). Set BATON_HOME to a folder of your own.`);
  refuseForeignFolder(path);
  if ((stat.mode & 0o077) !== 0)
    throw new HomeFault(`${path} can be read or changed by others. Fix it with: chmod 700 ${path}`);
  if (isClosed(path))
    throw new HomeFault(
      `You cannot read and write in ${path}. Fix it with: chmod 700 ${path} (or make its disk writable, if it is read-only)`,
    );
  const parent = statSync(dirname(path));
  if ((parent.mode & 0o002) !== 0 && (parent.mode & 0o1000) === 0) {
    throw new HomeFault(
      `${dirname(path)} can be changed by every user, so another user could replace ${path}. Choose another path for BATON_HOME.`,
    );
  }
}

/** Files that exist only if Baton has been started on this home. */
const MARKS: ReadonlySet<string> = new Set(['baton.db', 'lock.db', 'baton.log', 'baton.tmux.conf', 'spool', 'adopted']);
/**
 * Files that may be in the home before Baton's first start: files that the operator prepared, a restored backup, or the
 * output of the demo's server.
 */
const PREPARED: ReadonlySet<string> = new Set([
  'config.json',
  'tmux.conf',
  'templates',
  'data',
  'token',
  'secret',
  'server.out',
]);

/**
 * Throws HomeFault if the folder has files but none of Baton's files, because the folder may belong to another program
 * that is also named "baton".
 */
function refuseForeignFolder(path: string): void {
  if (isClosed(path)) return;
  const names = readdirSync(path).filter((name) => name !== '.DS_Store');
  const strange = names.find((name) => !PREPARED.has(name));
  if (strange === undefined || names.some((name) => MARKS.has(name))) return;
  throw new HomeFault(
    `${path} contains "${strange}" but no data of Baton, so it seems to belong to another program. Baton does not use it. Set BATON_HOME to another folder, such as: BATON_HOME=${path}-agents baton start`,
  );
}

/**
 * True if the current user lacks access to the folder. Without this check, the files in the folder would seem to be
 * missing or damaged.
 */
export function isClosed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return false;
  } catch {
    return exists(path);
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
