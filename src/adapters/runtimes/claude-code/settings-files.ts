import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A project's own, the later ones before the earlier ones. */
export const projectSettings = (folder: string): readonly string[] =>
  ['settings.local.json', 'settings.json'].map((name) => join(folder, '.claude', name));

/** The first of these files in which the operator has switched off all hooks. */
export async function whereHooksAreOff(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if ((await readSettings(file)).disableAllHooks === true) return file;
  return undefined;
}

/** Rules that deny every command; with one of them the client does not even name the tool to its model. */
const ALL_COMMANDS: ReadonlySet<unknown> = new Set(['Bash', 'Bash(*)']);

/** The first of these files with a rule that denies all commands. */
export async function whereCommandsAreDenied(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const { permissions } = await readSettings(file);
    const deny = typeof permissions === 'object' && permissions !== null && 'deny' in permissions && permissions.deny;
    if (Array.isArray(deny) && deny.some((rule) => ALL_COMMANDS.has(rule))) return file;
  }
  return undefined;
}

/** A file that is not there, or that the client could not read either, sets nothing. */
async function readSettings(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
