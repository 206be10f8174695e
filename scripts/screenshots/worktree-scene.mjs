import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('../bench/baton-server.mjs').BatonServer} BatonServer */

const NAMES = ['refund-tests', 'search-rewrite', 'old-spike'];

/**
 * Makes three worktrees whose agents have ended: one with uncommitted work, one with its own commits, one without
 * changes.
 *
 * @param {BatonServer} baton
 * @param {number} projectId
 * @param {(holds: () => Promise<boolean>) => Promise<void>} until
 */
export async function makeWorktrees(baton, projectId, until) {
  const folders = [];
  for (const worktree of NAMES) {
    const agent = await baton.call('/api/agents', { project_id: projectId, worktree });
    const now = () => baton.call(`/api/agents/${agent.id}`);
    await until(async () => (await now()).state === 'idle');
    folders.push((await now()).folder);
    await baton.call(`/api/agents/${agent.id}/stop`, { force: true });
    await until(async () => (await now()).state === 'ended');
  }
  const [unfinished = '', committed = ''] = folders;
  writeFileSync(join(unfinished, 'refund.test.ts'), 'it.todo();\n');
  writeFileSync(join(unfinished, 'PLAN.md'), '# Plan\n');
  writeFileSync(join(committed, 'search.ts'), 'export {};\n');
  const identity = ['-c', 'user.name=Baton', '-c', 'user.email=baton@baton.invalid'];
  for (const words of [
    ['add', '-A'],
    ['commit', '-qm', 'Search'],
  ])
    spawnSync('git', [...identity, ...words], { cwd: committed });
}
