import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoPlaces {
  /** Contains everything the demo creates; its random name identifies the demo's processes. */
  readonly root: string;
  readonly home: string;
  readonly project: string;
}

/**
 * Creates the demo's folders. Their path is short, because they hold Unix sockets, and has no links, because Baton
 * refuses homes and projects behind links.
 */
export function makePlaces(runningHome: string | undefined): DemoPlaces {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'baton-')));
  const project = join(root, 'tally');
  mkdirSync(project);
  if (runningHome !== undefined) return { root, home: runningHome, project };
  const home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  // Any free port is used, because the operator's own Baton may use the default one.
  writeFileSync(join(home, 'config.json'), '{"port":0}\n', { mode: 0o600 });
  return { root, home, project };
}
