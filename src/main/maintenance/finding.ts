import type { Finding } from '../../contract/maintenance.ts';

export const ok = (check: string, sentence: string): Finding => ({ check, level: 'ok', sentence, remedy: null });
/** Returns a finding that is only information and not a problem. */
export const note = (check: string, sentence: string, remedy: string | null = null): Finding => ({
  check,
  level: 'note',
  sentence,
  remedy,
});
export const warning = (check: string, sentence: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  sentence,
  remedy,
});
export const error = (check: string, sentence: string, remedy: string): Finding => ({
  check,
  level: 'error',
  sentence,
  remedy,
});
