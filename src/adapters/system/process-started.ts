import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/**
 * The number of ticks in a second. Linux reports the start time of a process in ticks. The number is the same on every
 * machine that Node runs on.
 */
const TICKS_A_SECOND = 100;

/** Returns the age of a process in seconds; undefined if the process does not run or is a zombie. */
export function ageFromProc(stat: string, uptime: string): number | undefined {
  // In /proc/PID/stat, the name of the command is in parentheses, and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const age = Number(uptime.split(' ')[0]) - Number(fields[19]) / TICKS_A_SECOND;
  return fields[0] === 'Z' || Number.isNaN(age) ? undefined : age;
}

/** Parses an age as `[[days-]hours:]minutes:seconds`, the only format that every version of ps can print. */
export function ageFromPs(output: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(output.trim()) ?? [];
  if (minutes === undefined) return undefined;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

export async function processStartedMs(pid: number, platform = process.platform): Promise<number | undefined> {
  try {
    const age =
      platform === 'linux'
        ? ageFromProc(await readFile(`/proc/${pid}/stat`, 'utf8'), await readFile('/proc/uptime', 'utf8'))
        : ageFromPs(await askPs(pid));
    return age === undefined ? undefined : Date.now() - age * 1000;
  } catch {
    return undefined;
  }
}

function askPs(pid: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-o', 'etime=', '-p', String(pid)], { timeout: 2000, encoding: 'utf8' }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}
