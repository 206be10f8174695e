import { existsSync, readdirSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adopted } from '../../app/ports/spool.ts';
import { shellQuote } from '../../domain/shell-quote.ts';

const PROCESS = /^[1-9]\d{0,9}$/;

/**
 * Writes the file of an adopted session. The file is named after the pid of the client. A hook knows this pid at once,
 * because the client is its parent process. The pid stays the same when `/clear` starts another session.
 */
export async function addAdopted(folder: string, adopted: Adopted): Promise<void> {
  const { pid, agentId, token, mark, sessionStartPath } = adopted;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, String(pid));
  const draft = `${path}.next`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${agentId} ${token} ${mark}\n${sessionStartPath}\n`);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

export const hasAdopted = (folder: string): boolean => namesIn(folder).length > 0;

/** Removes the files of agents that are not in `agentIds`. Returns the ids of the agents that still have a file. */
export async function saveAdopted(folder: string, agentIds: readonly number[]): Promise<readonly number[]> {
  const kept: number[] = [];
  for (const name of namesIn(folder).filter((each) => PROCESS.test(each))) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    const agentId = Number(/^(\d+) /.exec(text)?.[1] ?? 0);
    if (agentIds.includes(agentId)) kept.push(agentId);
    else await rm(join(folder, name), { force: true, recursive: true });
  }
  return kept;
}

/**
 * Returns the script that the hooks of adopted sessions run. The hook command starts the script with `exec`, so the
 * parent process of the script is the client, and the client's pid identifies the session. On systems that report the
 * start times of processes, the script also detects another process that has got the pid of an ended client.
 */
export function adoptedScript(folder: string, hookScriptPath: string): string {
  return `#!/bin/sh
# Leaves one hook event of a session that Baton has adopted. Written by Baton; changes are overwritten.
event=$1
BATON_AGENT_ID= BATON_AGENT_TOKEN= BATON_SESSION_START= mark= stat=
{ { read -r BATON_AGENT_ID BATON_AGENT_TOKEN mark && read -r BATON_SESSION_START; } <${shellQuote(folder)}/$PPID; } 2>/dev/null || BATON_AGENT_TOKEN=
if [ -r /proc/$PPID/stat ]; then
  { read -r stat </proc/$PPID/stat; } 2>/dev/null
  set -f
  set -- \${stat##*) }
  [ "\${20}" = "$mark" ] || BATON_AGENT_TOKEN=
fi
export BATON_AGENT_ID BATON_AGENT_TOKEN BATON_SESSION_START
[ -n "$BATON_AGENT_TOKEN" ] || exec cat >/dev/null
exec ${shellQuote(hookScriptPath)} "$event"
`;
}
