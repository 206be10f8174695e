import { existsSync } from 'node:fs';
import type { Selectable } from 'kysely';
import Database from 'libsql';
import type { Project } from '../../../../app/ports/store.ts';
import type { Worktree } from '../../../../domain/worktrees/worktree.ts';
import { toProject, toWorktree } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { refuseEmptyBesideLog } from './log-anchor.ts';

export interface ListedWorktree {
  readonly worktree: Worktree;
  readonly project: Project;
}

/**
 * Lists the worktrees that were not removed. The function only reads, so a server may have the database open. Returns
 * an empty list if the database is older than the worktrees table.
 */
export function readWorktrees(path: string): readonly ListedWorktree[] {
  if (!existsSync(path)) return [];
  refuseEmptyBesideLog(path);
  const db = new Database(path, { readonly: true });
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'worktrees'").get() === undefined) return [];
    const projects = new Map(
      (db.prepare('SELECT * FROM projects').all() as Selectable<Schema['projects']>[]).map((row) => [
        row.id,
        toProject(row),
      ]),
    );
    const rows = db.prepare("SELECT * FROM worktrees WHERE state <> 'removed' ORDER BY id").all();
    return (rows as Selectable<Schema['worktrees']>[]).map(toWorktree).flatMap((worktree) => {
      const project = projects.get(worktree.projectId);
      return project === undefined ? [] : [{ worktree, project }];
    });
  } finally {
    db.close();
  }
}
