import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { sampleFiles } from '../../../../contract/sample-project.ts';

/** The agent pauses to think, so that a person can watch it work. */
const PACE = { thinkMs: 400 };

/** Creates a small, realistic project. */
export function makeSampleProject(folder: string): void {
  for (const [file, text] of Object.entries(sampleFiles(PACE))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Lists all files except git's own, as paths relative to the project. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(`.git${sep}`))
    .sort();
}

export function newFiles(folder: string, before: readonly string[]): string[] {
  return filesIn(folder).filter((path) => !before.includes(path));
}
