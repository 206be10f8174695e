import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup/paths.mjs';

export const floorPath = (name: string): string => join(ROOT, 'bench/floor', name);

export interface FloorProgram {
  readonly pid: number;
  /** Ends the program. Returns its output. */
  stop(): Promise<string>;
}

/** Starts a program of bench/floor, and waits until the program prints "ready". */
export async function startFloor(name: string, args: readonly string[]): Promise<FloorProgram> {
  const child: ChildProcess = spawn(process.execPath, [floorPath(name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('ready\n')) resolve();
    });
    child.once('exit', () => reject(new Error(`${name} ended before it was ready`)));
  });
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return output;
    },
  };
}
