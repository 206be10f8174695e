import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Returns the path of a program: the name itself if it is an absolute path, otherwise the first match on the PATH. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : (path ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, name));
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
