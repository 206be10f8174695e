import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A project's settings files, sorted by precedence, highest first. */
export const projectSettings = (folder: string): readonly string[] =>
  ['settings.local.json', 'settings.json'].map((name) => join(folder, '.claude', name));

/**
 * Searches the given settings files in order. Returns the first file that switches off all hooks; undefined if no file
 * does this.
 */
export async function whereHooksAreOff(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if ((await readSettings(file)).disableAllHooks === true) return file;
  return undefined;
}

/**
 * Searches the given settings files in order. Returns the first file that has a rule against every use of the given
 * tool. A rule against only some uses of the tool does not count.
 */
export async function whereDenied(tool: string, files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const { permissions } = await readSettings(file);
    const deny = typeof permissions === 'object' && permissions !== null && 'deny' in permissions && permissions.deny;
    if (Array.isArray(deny) && (deny.includes(tool) || deny.includes(`${tool}(*)`))) return file;
  }
  return undefined;
}

/** Returns no settings for a missing or unreadable file, because the client cannot read such a file either. */
async function readSettings(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
