import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import type { Part } from '../output/ink.ts';

/** With --json prints the answer as received, otherwise as lines for people. */
export function showAnswer<T>(
  { json, out }: Cli,
  answer: Answer<T>,
  lines: (data: T) => readonly (readonly Part[])[],
): number {
  if (json) out.json(answer.body);
  else for (const line of lines(answer.data)) out.print(...line);
  return EXIT.done;
}
