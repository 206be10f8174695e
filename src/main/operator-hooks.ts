import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { operatorFiles } from '../adapters/files/operator-files.ts';
import { layout, refuseUnusablePath } from '../adapters/home/open-home.ts';
import { createRuntimes } from '../adapters/runtimes/runtimes.ts';
import { operatorCommand } from '../adapters/spool/external-session-script.ts';
import { type HooksRequest, requestHooks, runtimesWithHooks } from '../app/sessions/operator-hooks.ts';
import type { HookSettings } from '../contract/resources.ts';
import { CliFault } from '../surfaces/cli/cli-fault.ts';

/**
 * Inspects or changes the hooks for the command line, without a server. The environment of the operator determines
 * which settings files are used.
 */
export async function changeOperatorHooks(
  { homePath, env }: { readonly homePath: string; readonly env: NodeJS.ProcessEnv },
  { wish, dryRun }: { readonly wish: HooksRequest; readonly dryRun: boolean },
): Promise<HookSettings[]> {
  try {
    refuseUnusablePath(homePath);
  } catch (error) {
    throw new CliFault((error as Error).message, { code: 'bad_home' });
  }
  const home = layout(homePath);
  const { externalSessionScript: script, adoptedScript, adopted: adoptedFolder } = home;
  const scripts = { externalSessionScript: script, adoptedScript, adoptedFolder };
  const scriptExists = ((statSync(script, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0;
  const runtimes = [...createRuntimes({ practice: '' }, env).values()];
  const withHooks = runtimesWithHooks(runtimes);
  // Leave out clients without a settings folder, because the operator does not use them. If no client has a settings
  // folder, include all clients except the practice agent.
  const used = withHooks.filter(({ hooks }) => existsSync(dirname(hooks.file)));
  const all = used.length > 0 ? used : withHooks.filter(({ id }) => id !== 'practice');
  return Promise.all(
    all.map(async ({ id, title, hooks }) => {
      const command = (event: string) => operatorCommand(scripts, id, event);
      const { seen, ...result } = await requestHooks(hooks, { files: operatorFiles, command, request: wish, dryRun });
      return {
        runtime: id,
        title,
        file: hooks.file,
        state: seen?.state ?? null,
        version: seen?.version ?? null,
        current_version: hooks.version,
        hooks: [...(seen?.entries ?? [])],
        script,
        script_exists: scriptExists,
        plugin: seen?.hasPlugin ?? false,
        sees_sessions:
          (seen?.state === 'installed' || seen?.hasPlugin === true) && scriptExists && seen.switchedOff === null,
        changes: [...result.changes],
        diff: [...result.diff],
        backup: result.backup,
        problem: result.problem ?? (seen?.switchedOff ? `No hook in ${hooks.file} runs: ${seen.switchedOff}.` : null),
      };
    }),
  );
}
