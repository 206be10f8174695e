import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LastWords } from '../../app/ports/agent-files.ts';

/** As tmux leaves them in the agent's folder when its program ends. */
const WORDS = 'last-words';
const EXIT = 'exit';

const MOST_LINES = 12;

/** Of an earlier try to start it. */
export async function forgetLastWords(agentFolder: string): Promise<void> {
  for (const name of [WORDS, EXIT]) await rm(join(agentFolder, name), { force: true });
}

export async function readLastWords(agentFolder: string): Promise<LastWords | undefined> {
  const exit = await readSoon(join(agentFolder, EXIT));
  const words = await readText(join(agentFolder, WORDS));
  if (words === undefined && exit === undefined) return undefined;
  const [status = '', signal = ''] = (exit ?? '').split('|');
  const lines = (words ?? '')
    .split('\n')
    .map((line) => line.replace(/\p{Cc}/gu, '').trim())
    .filter((line) => line !== '' && !/^Pane is dead\b/.test(line));
  return {
    end: signal !== '' ? `signal ${signal}` : status !== '' ? `exit code ${status}` : null,
    said: lines.slice(-MOST_LINES).join(' / '),
  };
}

const TRIES = 20;
const PACE_MS = 25;

/** A pane is seen to be dead a moment before tmux has written down how it ended. */
async function readSoon(path: string): Promise<string | undefined> {
  for (let left = TRIES; ; left--) {
    const text = await readText(path);
    if (text || left === 0) return text;
    await sleep(PACE_MS);
  }
}

const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
