import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

/**
 * Returns a stamp: a file that records from which inputs an output was built. If the stamp is current, the build can be
 * skipped.
 *
 * @param {string} file
 * @param {readonly string[]} inputs files and folders
 */
export function stampAt(file, inputs) {
  const hash = createHash('sha256');
  for (const input of inputs.flatMap(filesAt)) hash.update(input.slice(ROOT.length)).update(readFileSync(input));
  const stamp = hash.digest('hex');
  return {
    isCurrent: () => existsSync(file) && readFileSync(file, 'utf8') === stamp,
    write: () => writeFileSync(file, stamp),
  };
}

/** @param {string} place */
function filesAt(place) {
  if (/\.[a-z]+$/.test(place)) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
