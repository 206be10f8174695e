import type { Cli } from '../cli.ts';

/** Reads standard input to its end, as bytes. */
export async function readAll({ deps }: Cli): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of deps.stdin ?? process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
