import { existsSync } from 'node:fs';
import type { PackageProcess } from '../../test/e2e/packages/package-process.ts';
import { run } from '../../test/support/baton-process.ts';
import { type HostileText, hostileTexts } from './attacks/hostile-texts.ts';
import { hasControl, type Sink, sinksOf } from './sinks.ts';

export interface Fed {
  readonly texts: number;
  readonly sinks: number;
  readonly put: number;
  /** One sentence for each text that was executed, broke something, or was printed with its control characters. */
  readonly found: readonly string[];
}

/**
 * The expected tmux sessions. `_baton` is Baton's own session, which keeps the tmux server running. Each of the two
 * agents in this test has one session.
 */
const OURS = ['_baton', 'agent-1', 'agent-2'];
/**
 * A sink is a place where text enters Baton. In a short run, a quick sink gets every 20th hostile text, and a slow sink
 * every 100th. Each sink begins with a different text.
 */
const SAMPLE = { quick: 20, slow: 100 };

/**
 * Enters every hostile text, or a sample of these texts, at every place where Baton accepts text. Then checks everything
 * that Baton prints.
 */
export async function feedSinks(
  scene: PackageProcess,
  { canary, short }: { readonly canary: string; readonly short: boolean },
): Promise<Fed> {
  const texts = hostileTexts(canary);
  const sinks = sinksOf(scene);
  const found: string[] = [];
  let put = 0;
  for (const [at, sink] of sinks.entries())
    for (const [index, hostile] of texts.entries()) {
      const every = short ? SAMPLE[sink.slow ? 'slow' : 'quick'] : 1;
      if ((index + at) % every !== 0) continue;
      put++;
      found.push(...(await putOne(sink, hostile, index)));
    }
  found.push(...(await whatIsSaid(scene)));
  if (existsSync(canary)) found.push('a text was run as a command');
  return { texts: texts.length, sinks: sinks.length, put, found };
}

async function putOne(sink: Sink, { kind, text }: HostileText, index: number): Promise<string[]> {
  const told = `${sink.name} with ${kind} ${JSON.stringify(text.slice(0, 60))}`;
  try {
    const status = await sink.put(text, index);
    return status >= 500 ? [`${told}: ${status}`] : [];
  } catch (error) {
    return [`${told}: ${(error as Error).message}`];
  }
}

/**
 * Runs every command that prints a list, and checks the output. Also checks that the agents and the server are still
 * running.
 */
async function whatIsSaid(scene: PackageProcess): Promise<string[]> {
  const found: string[] = [];
  const lists = [
    'agent list',
    'persona list',
    'project list',
    'package list',
    'inbox list',
    'runs',
    'events',
    'status',
  ];
  for (const list of lists) {
    const { code, stdout, stderr } = await scene.cli('operator', ...list.split(' '));
    if (code !== 0) found.push(`baton ${list} ended with ${code}: ${stderr.slice(0, 200)}`);
    if (hasControl(stdout + stderr)) found.push(`baton ${list} prints what a terminal obeys`);
  }
  const sessions = await run('tmux', ['-S', `${scene.baton.home}/tmux.sock`, 'list-sessions', '-F', '#{session_name}']);
  const names = sessions.stdout.trim().split('\n').sort();
  if (names.join() !== OURS.join()) found.push(`tmux has other sessions than ours: ${names.join(', ')}`);
  return found;
}
