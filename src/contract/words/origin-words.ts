import type { VariableOrigin } from '../../domain/environment/variable.ts';

/** Words for the origin of an environment variable. Page and command line share these words. */
export const ORIGIN_WORDS: Record<VariableOrigin, string> = {
  server: 'Baton server',
  login_shell: 'login shell',
  direnv: 'direnv',
  config: 'config.json',
  project: 'config.json (project)',
  baton: 'set by Baton',
};
