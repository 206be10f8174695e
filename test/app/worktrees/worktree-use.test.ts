import { beforeEach, describe, expect, it } from 'vitest';
import { listWorktrees, removeWorktree } from '../../../src/app/worktrees/worktrees.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import type { Worktree } from '../../../src/domain/worktrees/worktree.ts';
import { SimWorld } from '../engine/sim-world.ts';

/** Tests that a worktree is never removed while an agent or a program is in it. */

let sim: SimWorld;
let worktree: Worktree;
beforeEach(async () => {
  sim = new SimWorld();
  worktree = await sim.ports.store.write((tx) => {
    const at = sim.ports.clock.now();
    const { id: projectId } = tx.insertProject({ name: 'p', path: '/p', createdAt: at });
    const place = { name: 'x', branch: 'baton/x', path: '/w/x', folder: '/w/x/web', base: 'b', baseBranch: 'main' };
    return tx.insertWorktree({ projectId, ...place, state: 'ready', createdAt: at, removedAt: null });
  });
});

const remove = (wanted: object = {}) =>
  removeWorktree(sim.ports, worktree.id, { dryRun: false, force: [], branch: false, ...wanted });
const stateNow = () => sim.ports.store.read((tx) => tx.worktreeById(worktree.id))?.state;
const adoptedIn = async (path: string) => {
  const at = sim.ports.clock.now();
  const project = await sim.ports.store.write((tx) => tx.insertProject({ name: 'w', path, createdAt: at }));
  return sim.addAgent({ projectId: project.id, adoption: 'adopted' });
};

describe('an adopted session in a worktree', () => {
  it.each(['/w/x', '/w/x/web', '/w/x/deep/down'])(
    'an adopted session in %s blocks the removal of the worktree',
    async (folder) => {
      const agent = await adoptedIn(folder);
      const answer = await remove();
      expect(isRefusal(answer) && [answer.code, answer.hint]).toEqual([
        'worktree_in_use',
        expect.stringContaining(`baton agent release ${agent.id}`),
      ]);
      expect(await remove({ dryRun: true })).toMatchObject({ refusal: { code: 'worktree_in_use' } });
      expect((await listWorktrees(sim.ports))[0]?.agents.map(({ id }) => id)).toEqual([agent.id]);
      expect(stateNow()).toBe('ready');
    },
  );

  it('an adopted session that has ended does not block the removal of a worktree', async () => {
    await adoptedIn('/w/x-2');
    const gone = await adoptedIn('/w/x');
    await sim.record({ type: 'agent_process_gone', agentId: gone.id, detail: 'gone' });
    expect((await listWorktrees(sim.ports))[0]?.agents).toEqual([]);
    expect(await remove()).toMatchObject({ removed: true });
  });
});

describe('a program in a worktree', () => {
  it('a running program in a worktree blocks the removal of the worktree', async () => {
    sim.inFolder = [1, 2, 3, 4].map((pid) => ({ pid, name: 'sh' }));
    const answer = await remove({ force: ['uncommitted', 'unmerged'] });
    expect(isRefusal(answer) && [answer.code, answer.sentence]).toEqual([
      'worktree_in_use',
      'Processes 1 (sh), 2 (sh), 3 (sh) and 1 more still run in the worktree x',
    ]);
    expect(stateNow()).toBe('ready');
  });

  it('a program that ends within a moment does not block the removal of its worktree', async () => {
    const answers = [[{ pid: 1, name: 'sh' }], []];
    Object.assign(sim.ports, { processesIn: async () => answers.shift() ?? [] });
    expect(await remove()).toMatchObject({ removed: true });
  });

  it('the removal of a worktree is refused if Baton cannot list the running programs', async () => {
    Object.assign(sim.ports, { processesIn: () => Promise.reject(new Error('lsof is missing')) });
    const answer = await remove();
    expect(isRefusal(answer) && answer.sentence).toBe(
      'Baton cannot tell whether a program uses the worktree x: lsof is missing',
    );
    expect(stateNow()).toBe('ready');
  });
});

it('unsaved work blocks the removal of a worktree', async () => {
  Object.assign(sim.ports.worktrees, { isThere: async ({ folder }: { folder: string }) => folder === '/w/x' });
  sim.worktreeFacts = { ...sim.worktreeFacts, uncommitted: { count: 2, untracked: 1, unsure: 0 } };
  const answer = await remove();
  expect(isRefusal(answer) && answer.code).toBe('worktree_has_work');
});
