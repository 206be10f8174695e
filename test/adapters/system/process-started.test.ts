import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ageFromProc, ageFromPs, processStartedMs } from '../../../src/adapters/system/process-started.ts';

describe('the start time of a process', () => {
  it.each([process.platform, 'darwin'] as const)(
    'Baton can read the start time of a running process on the platform %s',
    async (as) => {
      const before = Date.now();
      const child = spawn('sleep', ['60']);
      await once(child, 'spawn');
      const started = await processStartedMs(child.pid as number, as);
      // `ps` reports the age of a process in whole seconds, so the computed start time may differ from the real one.
      expect(Math.abs((started ?? 0) - before)).toBeLessThan(5_000);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await processStartedMs(child.pid as number, as)).toBeUndefined();
    },
  );

  it("Baton computes the age of a process from /proc even if the program's name has spaces or parentheses", () => {
    const stat = `7 (a) R 1 (b) S ${Array.from({ length: 18 }, (_, at) => at).join(' ')} 12345 0`;
    expect(ageFromProc(stat, '200.00 1.0')).toBeCloseTo(76.55);
    expect(ageFromProc(stat.replace(') S ', ') Z '), '200.00 1.0')).toBeUndefined();
    expect(ageFromProc('', '')).toBeUndefined();
  });

  it.each([
    ['   00:07\n', 7],
    ['01:02:03', 3_723],
    ['2-01:02:03', 176_523],
    ['', undefined],
    ['junk', undefined],
  ])('Baton computes the age of a process from the output %j of ps', (output, age) =>
    expect(ageFromPs(output)).toBe(age),
  );
});
