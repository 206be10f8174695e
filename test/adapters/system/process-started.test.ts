import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ageFromProc, ageFromPs, processStartedMs } from '../../../src/adapters/system/process-started.ts';

describe('the start time of a process', () => {
  it.each([process.platform, 'darwin'] as const)(
    'is known for a running process (as on %s), and unknown for one that ended',
    async (as) => {
      const before = Date.now();
      const child = spawn('sleep', ['60']);
      await once(child, 'spawn');
      const started = await processStartedMs(child.pid as number, as);
      // Allow a difference, because both clocks tick in steps, the coarser one in seconds.
      expect(Math.abs((started ?? 0) - before)).toBeLessThan(5_000);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await processStartedMs(child.pid as number, as)).toBeUndefined();
    },
  );

  it('is read from /proc, whatever the program is called', () => {
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
  ])('is read from ps: %j', (output, age) => expect(ageFromPs(output)).toBe(age));
});
