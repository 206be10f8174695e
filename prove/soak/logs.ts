import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from './desk.ts';

/** One line of a practice agent's own log. */
export interface Entry {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly ok?: boolean;
  readonly input?: { readonly file_path?: string; readonly content?: string };
  readonly prompts?: readonly string[];
}

export type Logs = ReadonlyMap<number, readonly Entry[]>;

/** Reads the logs of all agents that ever ran, including any that Baton does not know. */
export function readLogs({ baton, own, adopted }: Pick<Desk, 'baton' | 'own' | 'adopted'>): Logs {
  const folder = join(baton.home, 'agents');
  const started = readdirSync(folder).map((id): [number, string] => [Number(id), join(folder, id, 'practice.jsonl')]);
  const taken = [...adopted].map(([agentId, { id }]): [number, string] => [agentId, own.logPath(id)]);
  return new Map(
    [...started, ...taken].filter(([, file]) => existsSync(file)).map(([id, file]) => [id, entriesOf(file)]),
  );
}

const entriesOf = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);

/** The reference in a prompt that Baton itself wrote; undefined for any other text. */
export const refOf = (text = ''): string | undefined => [...text.matchAll(/\[baton:([a-z0-9-]+)\]/g)].at(-1)?.[1];

/** Returns the prompts that the model received, according to this log. */
export const promptsIn = (log: readonly Entry[] = []): readonly string[] =>
  log.flatMap(({ type, text }) => (type === 'submitted' && text !== undefined ? [text] : []));
