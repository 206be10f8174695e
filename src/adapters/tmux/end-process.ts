import type { ExternalProcess } from '../../app/ports/terminal.ts';
import { processMark } from './foreground.ts';

/** Sends SIGTERM to exactly this process and not to a later process with the same pid. */
export async function endProcess({ pid, mark }: ExternalProcess): Promise<void> {
  if ((await processMark(pid)) !== mark) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // The error code ESRCH means that the process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
