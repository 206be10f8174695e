import type { ExternalProcess } from '../../app/ports/terminal.ts';
import { processMark } from './foreground.ts';

/** Sends SIGTERM to exactly this process; a later one with the same pid is left alone. */
export async function endProcess({ pid, mark }: ExternalProcess): Promise<void> {
  if ((await processMark(pid)) !== mark) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
