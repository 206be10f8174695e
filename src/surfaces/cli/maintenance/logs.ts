import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { onStopSignals } from '../demo/stage/stop-signals.ts';
import { ink, type Part } from '../output/ink.ts';
import { visible } from '../output/visible.ts';
import { stamp } from '../output/when.ts';
import { lastLines, openTail } from './log-tail.ts';

const MAX_LINES = 10_000;
/**
 * How often Baton checks the log for changes. A file watcher alone is not enough: some files cannot be watched, and a
 * watcher may miss changes.
 */
const LOOK_MS = 500;

export async function showLogs(cli: Cli, { follow, lines }: { follow: boolean; lines: number }): Promise<number> {
  const path = join(cli.deps.homePath, 'baton.log');
  const tail = openTail(path);
  const found = lastLines(path, Math.min(lines, MAX_LINES));
  if (found === undefined && !follow) {
    throw new CliFault(`No log yet at ${path}. Baton creates the log when Baton starts: baton start`, {
      code: 'not_found',
    });
  }
  for (const line of found ?? []) print(cli, line);
  return follow ? goOn(cli, path, tail) : EXIT.done;
}

/** Follows the log until the command is stopped, or until the program that reads the output has ended. */
async function goOn(cli: Cli, path: string, tail: ReturnType<typeof openTail>): Promise<number> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      for (const line of tail.next()) print(cli, line);
      if (cli.out.isUnread) stop();
    };
    const timer = setInterval(look, LOOK_MS);
    const watcher = watched(path, look);
    const { forget } = onStopSignals(() => stop());
    const stop = (): void => {
      clearInterval(timer);
      watcher?.close();
      forget();
      resolve();
    };
  });
  return EXIT.done;
}

function watched(path: string, look: () => void) {
  try {
    return watch(path, look);
  } catch {
    return undefined;
  }
}

/**
 * Escape the line. The log contains text of agents and programs, and a control character in this text must not affect
 * the operator's terminal.
 */
function print({ json, out }: Cli, line: string): void {
  const entry = parsed(line);
  if (json) out.jsonLine(entry ?? { text: line });
  else out.print(...(entry === undefined ? [visible(line)] : entryLine(entry)));
}

type Entry = Readonly<Record<string, unknown>>;

function parsed(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

const COLOURS: Readonly<Record<string, 'red' | 'yellow' | 'dim'>> = { error: 'red', warn: 'yellow', info: 'dim' };

function entryLine({ at, level, message, ...about }: Entry): Part[] {
  const details = Object.entries(about).map(([key, value]) => ` ${visible(key)}=${visible(String(value))}`);
  return [
    ink('dim', visible(stamp(String(at)))),
    ' ',
    ink(COLOURS[String(level)] ?? 'dim', visible(String(level)).padEnd(5)),
    ` ${visible(String(message))}`,
    ink('dim', details.join('')),
  ];
}
