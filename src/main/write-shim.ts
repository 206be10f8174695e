import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `baton` for agents: found first on their PATH, and the same Baton that started them. */
export function writeShim(binFolder: string, self: readonly string[], homePath: string): void {
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  const script = `#!/bin/sh\nBATON_HOME=${quote(homePath)} exec ${self.map(quote).join(' ')} "$@"\n`;
  const path = join(binFolder, 'baton');
  writeFileSync(path, script, { mode: 0o700 });
  chmodSync(path, 0o700);
}
