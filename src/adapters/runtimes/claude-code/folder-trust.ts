import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';

/**
 * Claude Code asks once per folder whether to trust the folder, with "No, exit" preselected. An operator who adds a
 * folder to Baton as a project has thereby answered yes. So Baton records the trust for that folder and no other.
 */

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the client's configuration with this one folder marked as trusted; undefined if there is nothing to change.
 */
export function withTrustedFolder(config: unknown, folder: string): Json | undefined {
  const whole = config === undefined ? {} : config;
  if (!isObject(whole)) return undefined;
  const projects = isObject(whole.projects) ? whole.projects : {};
  const project = isObject(projects[folder]) ? projects[folder] : {};
  if (project.hasTrustDialogAccepted === true) return undefined;
  // Add an empty `allowedTools` if the entry of the folder lacks this list. Without the list, version 1 of Claude Code
  // fails at its start, even if the operator starts it without Baton.
  const trusted = { allowedTools: [], ...project, hasTrustDialogAccepted: true };
  return { ...whole, projects: { ...projects, [folder]: trusted } };
}

const TRIES = 5;

/**
 * Marks a folder as trusted in the client's configuration. Clients write the same file, and Baton cannot use their
 * lock. So Baton replaces the file only if it is still as Baton read it. A file that is not the expected JSON stays
 * unchanged.
 */
export function trustFolder(configPath: string, folder: string): Promise<void> {
  lastOfOurs = lastOfOurs.catch(() => undefined).then(() => mergeIn(configPath, folder));
  return lastOfOurs;
}

/** Several agents may be launched at the same time, so Baton's writes to the file run one after another. */
let lastOfOurs: Promise<void> = Promise.resolve();

async function mergeIn(configPath: string, folder: string): Promise<void> {
  const path = await realpath(configPath).catch(() => configPath);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const before = await fingerprint(path);
    const text = await readFile(path, 'utf8').catch(unlessMissing);
    const config = parse(text);
    const wanted = config === 'unreadable' ? undefined : withTrustedFolder(config, folder);
    if (wanted === undefined) return;
    if (await replace(path, `${JSON.stringify(wanted, null, 2)}\n`, before)) return;
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return 'unreadable';
  }
}

async function replace(path: string, text: string, before: string): Promise<boolean> {
  const temporary = `${path}.baton-${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if ((await fingerprint(path)) !== before) return false;
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function fingerprint(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(unlessMissing);
  return found === undefined ? 'missing' : `${found.ino}/${found.size}/${found.mtimeNs}`;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
