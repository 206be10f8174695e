import { createInterface } from 'node:readline';
import type { Cli } from '../cli.ts';

/** Asks the operator, but only on a terminal. Returns true for a script, which states in its command what it wants. */
export async function isConfirmed({ deps }: Cli, question: string): Promise<boolean> {
  const input = deps.stdin ?? process.stdin;
  if (!input.isTTY || !deps.stderr.isTTY) return true;
  deps.stderr.write(question);
  const lines = createInterface({ input });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
