import type { AgentRuntime } from '../ports/agent-runtime.ts';
import {
  CannotEdit,
  type EditedSettings,
  type HookChange,
  type HookCommand,
  type HooksSeen,
  type OperatorFiles,
  type OperatorHooks,
} from '../ports/operator-hooks.ts';
import { lineDiff } from './line-diff.ts';

export type HooksRequest = 'look' | 'install' | 'uninstall';

export interface HooksResult {
  readonly seen: HooksSeen | undefined;
  readonly changes: readonly HookChange[];
  /** The change of the settings file as the lines of a unified diff; empty if nothing changes. */
  readonly diff: readonly string[];
  readonly backup: string | null;
  /** The reason why the hooks could not be read or changed. Null if there is no problem. */
  readonly problem: string | null;
}

interface Wanted {
  readonly files: OperatorFiles;
  readonly command: HookCommand;
  readonly request: HooksRequest;
  /** If true, the changes are reported but not applied. */
  readonly dryRun: boolean;
}

export const runtimesWithHooks = (runtimes: Iterable<AgentRuntime>) =>
  [...runtimes].flatMap(({ id, title, operatorHooks: hooks }) => (hooks === undefined ? [] : [{ id, title, hooks }]));

/** Inspects, installs or removes the hooks in the operator's own settings of one agent program. */
export async function requestHooks(hooks: OperatorHooks, wanted: Wanted): Promise<HooksResult> {
  try {
    return await carryOut(hooks, wanted);
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error;
    return { seen: undefined, changes: [], diff: [], backup: null, problem: error.message };
  }
}

async function carryOut(hooks: OperatorHooks, { files, command, request, dryRun }: Wanted): Promise<HooksResult> {
  let edited: EditedSettings = { text: undefined, changes: [] };
  let diff: readonly string[] = [];
  const change = (text: string | undefined): string | undefined => {
    if (request === 'look') edited = { text, changes: [] };
    else edited = request === 'install' ? hooks.install(text, command) : hooks.uninstall(text);
    diff = lineDiff(text ?? '', edited.text ?? '');
    return edited.text;
  };
  let backup: string | null = null;
  if (request === 'look') change(await files.read(hooks.file));
  else backup = await files.edit(hooks.file, change, { dryRun });
  const seen = hooks.look(dryRun ? await files.read(hooks.file) : edited.text, command);
  return { seen, changes: edited.changes, diff, backup, problem: null };
}
