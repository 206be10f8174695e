import type { Cli } from '../cli.ts';
export async function runDemo(_cli: Cli, _o: { keep: boolean; kill: boolean; here: boolean }): Promise<number> { return 0; }
