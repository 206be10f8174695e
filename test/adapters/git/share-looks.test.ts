import { describe, expect, it } from 'vitest';
import { shareLooks } from '../../../src/adapters/git/share-looks.ts';
import type { GitFacts } from '../../../src/domain/handoffs/document/git-facts.ts';

/** Returns the fake result of one reading of a repository. The tests recognize the reading by its commit (`head`). */
const factsOf = (head: string, unknownCommits: readonly string[]): GitFacts => ({
  kind: 'repository',
  root: '/shop',
  head,
  branch: 'main',
  branches: { names: [], all: true },
  dirty: null,
  diffstat: null,
  upstream: null,
  unknownCommits,
});

/**
 * Creates a shared reader of git reports. Each reading of a repository lasts until the test calls the reading's
 * function `end`.
 */
function controlledLook() {
  const looks: { readonly folder: string; readonly commits: readonly string[]; end(facts: GitFacts): void }[] = [];
  const look = shareLooks((folder, commits) => new Promise((resolve) => looks.push({ folder, commits, end: resolve })));
  return { looks, look };
}

describe('callers that share a reading of a repository', () => {
  it('if a request for the git report arrives while Baton reads the repository, Baton reads the repository again for that request', async () => {
    const { looks, look } = controlledLook();
    const first = look('/shop', []);
    await expect.poll(() => looks.length).toBe(1);
    const second = look('/shop', []);
    await new Promise(setImmediate);
    expect(looks).toHaveLength(1);
    looks[0]?.end(factsOf('before', []));
    expect(await first).toMatchObject({ head: 'before' });
    await expect.poll(() => looks.length).toBe(2);
    looks[1]?.end(factsOf('after', []));
    expect(await second).toMatchObject({ head: 'after' });
  });

  it('if several requests for the git report arrive while Baton reads the repository, they share one further reading', async () => {
    const { looks, look } = controlledLook();
    const first = look('/shop', []);
    await expect.poll(() => looks.length).toBe(1);
    const later = [look('/shop', ['abcdef1']), look('/shop', ['abcdef2', 'abcdef1'])];
    looks[0]?.end(factsOf('before', []));
    await first;
    await expect.poll(() => looks.length).toBe(2);
    expect(looks[1]?.commits).toEqual(['abcdef1', 'abcdef2']);
    looks[1]?.end(factsOf('after', ['abcdef1', 'abcdef2']));
    expect(await Promise.all(later)).toMatchObject([
      { unknownCommits: ['abcdef1'] },
      { unknownCommits: ['abcdef2', 'abcdef1'] },
    ]);
    expect(looks).toHaveLength(2);
  });

  it('Baton can read two repositories at the same time', async () => {
    const { looks, look } = controlledLook();
    const answers = [look('/shop', []), look('/barn', [])];
    await expect.poll(() => looks.map(({ folder }) => folder)).toEqual(['/shop', '/barn']);
    for (const { end } of looks) end(factsOf('now', []));
    expect(await Promise.all(answers)).toHaveLength(2);
  });
});
