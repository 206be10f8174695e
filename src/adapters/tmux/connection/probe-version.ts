import { runTmux, type TmuxProgram } from './run-tmux.ts';
import { TerminalFault } from './terminal-fault.ts';

const OLDEST = [3, 2] as const;

/**
 * Requires tmux 3.2, which introduced `-N` and `attach-session -f`. Builds named `master` or `openbsd-7.5` count as new
 * enough.
 */
export function isSupported(versionLine: string): boolean {
  const match = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(versionLine);
  if (match === null) return true;
  const major = Number(match[1]);
  return major > OLDEST[0] || (major === OLDEST[0] && Number(match[2]) >= OLDEST[1]);
}

export async function probeVersion(program: TmuxProgram): Promise<string> {
  const run = await runTmux(program, ['-V']);
  const version = run.stdout.trim();
  if (!run.ok || !version.startsWith('tmux')) {
    const message = `"${program.binary} -V" did not print a tmux version: ${run.stderr || version || 'no output'}`;
    throw new TerminalFault('unavailable', 'connect', program.binary, message);
  }
  if (!isSupported(version)) {
    const message = `${version} is too old: Baton needs tmux ${OLDEST.join('.')} or newer`;
    throw new TerminalFault('unavailable', 'connect', program.binary, message);
  }
  return version;
}
