import { readFileSync } from 'node:fs';

/**
 * Codex reports only 95 percent of the model's window as the window's size. Codex compacts when 90 percent of the
 * model's window are in use, or earlier if the operator's settings say so (measured with 0.166.0).
 */
const REPORTED_PERCENT = 95;
const COMPACTS_AT_PERCENT = 90;

/** Returns the number of tokens at which Codex compacts a context window of the reported size. */
export function compactsAt(reportedWindow: number, configPath: string): number {
  const usual = Math.floor((reportedWindow * COMPACTS_AT_PERCENT) / REPORTED_PERCENT);
  return Math.min(usual, ownLimit(configPath) ?? usual);
}

/**
 * Returns the operator's `model_auto_compact_token_limit`. Does not read profiles: if a profile sets a lower limit,
 * Baton may suggest a handoff too late.
 */
function ownLimit(configPath: string): number | undefined {
  try {
    const [head = ''] = readFileSync(configPath, 'utf8').split(/^[ \t]*\[/m);
    const found = /^[ \t]*model_auto_compact_token_limit[ \t]*=[ \t]*([\d_]+)/m.exec(head)?.[1];
    return found === undefined ? undefined : Number(found.replaceAll('_', ''));
  } catch {
    return undefined;
  }
}
