import type { ExternalProcess } from '../../app/ports/terminal.ts';
import { processMark } from './foreground.ts';

/** Asks that very process to end; a later one with the same number is left alone. */
export async function endProcess({ pid, mark }: ExternalProcess): Promise<void> {
  if ((await processMark(pid)) !== mark) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It ended meanwhile, which was what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
