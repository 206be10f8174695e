import type { Cli } from '../cli.ts';

/** All of standard input. */
export async function readInput({ deps }: Cli): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of deps.stdin ?? process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
