import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoPlaces {
  /**
   * The folder that contains all files of a demo with its own server. The folder's random name identifies the demo's
   * processes.
   */
  readonly root?: string;
  readonly home: string;
  /** The path of the sample project. Set as soon as the server has created the project. */
  project?: string;
}

/**
 * Creates the home of the demo's own server. The path is short, because the home contains Unix sockets. The path
 * contains no symbolic links, because Baton refuses a home behind a symbolic link.
 */
export function makePlaces(): DemoPlaces {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'baton-')));
  const home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  // Use port 0, which means any free port, because the operator's own Baton may already use the default port.
  writeFileSync(join(home, 'config.json'), '{"port":0}\n', { mode: 0o600 });
  return { root, home };
}
