import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Command = z.object({ type: z.literal('command'), command: z.string() });

/** The file that `planLaunch` writes for the host. This file contains no secret. */
const Settings = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(Command) }))),
  statusLine: Command,
  program: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  handoffs: z.string().nullable(),
  tools: z.object({ name: z.string(), command: z.array(z.string()) }),
});
export type Settings = z.infer<typeof Settings>;

export const readSettings = (path: string): Settings => Settings.parse(JSON.parse(readFileSync(path, 'utf8')));

/** Returns the hook command of each event. Context use is reported under the name `StatusLine`. */
export const commandsIn = ({ hooks, statusLine }: Settings): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(hooks).flatMap(([event, [entry]]): [string, string][] =>
      entry?.hooks[0] === undefined ? [] : [[event, entry.hooks[0].command]],
    ),
    ['StatusLine', statusLine.command],
  ]);
