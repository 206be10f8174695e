import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

export interface Archived {
  readonly id: string;
  readonly file: string;
  readonly revision: number;
  readonly state: string;
}

export const NOWHERE = { state: 'nowhere', revision: 0 };

/** Returns the packages in the archive files of a project, one package for each file. */
export function archiveOf(projectPath: string): readonly Archived[] {
  const root = join(projectPath, '.project/07-audit/sessions');
  return filesIn(root)
    .filter((name) => /^HO-[\d-]+\.yaml$/.test(basename(name)))
    .map((name) => {
      const file = join(root, name);
      const { revision } = parse(readFileSync(file, 'utf8')).handoff;
      const record = file.replace(/\.yaml$/, '.record.yaml');
      const state = existsSync(record) ? parse(readFileSync(record, 'utf8')).record.state : 'without a record';
      return { id: basename(name, '.yaml'), file: name, revision, state };
    });
}

/** Returns the temporary files that a killed writer did not remove. */
export const leftovers = (projectPath: string): readonly string[] =>
  filesIn(join(projectPath, '.project/07-audit/sessions')).filter((name) => name.endsWith('.tmp'));

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
