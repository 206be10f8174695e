import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { type BenchOptions, MissingProgram } from '../frame/part.ts';
import { FloorProcess } from './floor-process.ts';
import { Product } from './product.ts';

/**
 * Calls `work` with a folder that contains the compiled zero-think agent, a small program that answers at once. Removes
 * the folder afterwards.
 */
export async function withAgent<T>(work: (program: string, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'));
  try {
    return await work(compileAgent(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Runs the floor prototype (a minimal program for comparison) and Baton side by side, both with the same agent program.
 */
export function withBoth<T>(
  { profile }: BenchOptions,
  work: (floor: FloorProcess, product: Product) => Promise<T>,
): Promise<T> {
  return withAgent(async (program, folder) => {
    const floor = new FloorProcess(folder, program);
    const product = new Product(program);
    try {
      await product.start(profile);
      return await work(floor, product);
    } finally {
      await floor.close();
      await product.close();
    }
  });
}

function compileAgent(folder: string): string {
  const program = join(folder, 'zero-think');
  const source = join(ROOT, 'bench/floor/zero-think-agent.c');
  const { error, status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new MissingProgram('the zero-think agent is a C program, and this machine has no C compiler (cc).');
  if (error !== undefined || status !== 0) throw error ?? new Error(`cc failed: ${stderr}`);
  return program;
}
