import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from './desk.ts';

/** A line of what a practice agent logged about itself. */
export interface Entry {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly ok?: boolean;
  readonly input?: { readonly file_path?: string; readonly content?: string };
  readonly prompts?: readonly string[];
}

export type Logs = ReadonlyMap<number, readonly Entry[]>;

/** Of all agents that there ever were, also those that Baton does not know of. */
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

/** The reference of a prompt of Baton's own. */
export const refOf = (text = ''): string | undefined => [...text.matchAll(/\[baton:([a-z0-9-]+)\]/g)].at(-1)?.[1];

/** What its model got. */
export const promptsIn = (log: readonly Entry[] = []): readonly string[] =>
  log.flatMap(({ type, text }) => (type === 'submitted' && text !== undefined ? [text] : []));
