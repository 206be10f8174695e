import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictions, mentionedCommits } from '../../../src/domain/handoffs/document/contradictions.ts';
import type { DirtyFile, GitRepository } from '../../../src/domain/handoffs/document/git-facts.ts';

const HEAD = '4b6f8a2c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a';
const CLEAN: GitRepository = {
  kind: 'repository',
  root: '/srv/shop',
  head: HEAD,
  branch: 'main',
  branches: { names: ['main', 'feature/tax', 'origin/main', 'origin/old'], all: true },
  dirty: { count: 0, untracked: 0, unsure: 0, files: [] },
  diffstat: { files: 0, insertions: 0, deletions: 0 },
  upstream: { name: 'origin/main', ahead: 0, behind: 0 },
  unknownCommits: [],
};
const dirty = (...files: DirtyFile[]): GitRepository => ({
  ...CLEAN,
  dirty: {
    count: files.length,
    untracked: files.filter(({ state }) => state === 'untracked').length,
    unsure: 0,
    files,
  },
});
const CART = { path: 'src/cart.ts', state: 'changed' } as const;
const NOTES = { path: 'notes.txt', state: 'untracked' } as const;
const rules = (text: string, facts: GitRepository): string[] => contradictions(text, facts).map(({ rule }) => rule);

describe('the check for contradictions between the document and git', () => {
  it.each([
    'Everything is committed.',
    'All my changes have been committed and I am happy.',
    'I committed everything.',
    'There are no uncommitted changes.',
    'The working tree is clean.',
    'Nothing is uncommitted.',
    '- Git status is clean',
    'All work is now committed on main',
  ])('the claim %j in a document is reported if git shows uncommitted changes', (says) => {
    const text = `# State\n\nsrc/cart.ts is done.\n${says}\n`;
    expect(contradictions(text, dirty(CART, NOTES))).toEqual([
      {
        rule: 'says_committed',
        line: 4,
        sentence:
          'Line 4 of the document says that everything is committed, but git shows 1 file with uncommitted changes and 1 untracked file or folder: src/cart.ts, notes.txt.',
      },
    ]);
    expect(contradictions(text, CLEAN)).toEqual([]);
    expect(contradictions(text, { ...CLEAN, dirty: null })).toEqual([]);
  });

  it.each([
    'Not everything is committed.',
    'Everything is committed except src/cart.ts.',
    'Everything must be committed first.',
    "I haven't committed everything.",
    'Once all changes are committed, push.',
    'Is everything committed?',
    'There are uncommitted changes.',
    'The clean working habits of this tree.',
    '```\nnothing to commit, working tree clean\n```',
  ])('the text %j is not taken as a claim that everything is committed', (says) => {
    expect(rules(`src/cart.ts\n\n${says}`, dirty(CART))).toEqual([]);
  });

  it('the claim "Everything is pushed." is reported if the remote lacked commits at the last fetch', () => {
    const facts = { ...CLEAN, upstream: { name: 'origin/main', ahead: 2, behind: 0 } };
    expect(contradictions('Everything is pushed.', facts)).toEqual([
      {
        rule: 'says_pushed',
        line: 1,
        sentence:
          'Line 1 of the document says that everything is pushed, but git shows 2 commits that origin/main did not have when it was last fetched.',
      },
    ]);
    expect(rules('Everything is pushed.', CLEAN)).toEqual([]);
    expect(rules('Everything is pushed.', { ...CLEAN, upstream: null })).toEqual([]);
  });

  it.each([
    ['I am on branch feature/tax.', 'feature/tax', ''],
    ['Current branch: `feature/tax`', 'feature/tax', ''],
    ['- **Branch:** feature/gone', 'feature/gone', ', and no branch feature/gone'],
    ['I work on the `old` branch.', 'old', ''],
    ['on branch develop', 'develop', ', and no branch develop'],
  ])('the text %j is reported because it names a branch other than the current one', (says, name, also) => {
    expect(contradictions(says, CLEAN)).toEqual([
      {
        rule: 'other_branch',
        line: 1,
        sentence: `Line 1 of the document names the branch ${name}, but git shows the branch main${also}.`,
      },
    ]);
  });

  it.each([
    'I am on branch main.',
    'Branch: main',
    'The current branch is the best.',
    'I was on branch feature/tax before.',
    'Do not work on branch feature/tax.',
    'A branch of a tree.',
  ])('the text %j is not reported as the name of another branch', (says) => {
    expect(rules(says, CLEAN)).toEqual([]);
  });

  it('if no branch is checked out, the finding about a wrong branch says so', () => {
    const [finding] = contradictions('on branch x-1', { ...CLEAN, branch: null });
    expect(finding?.sentence).toContain('git shows no branch checked out, and no branch x-1');
    const [other] = contradictions('on branch x-1', { ...CLEAN, branches: { names: [], all: false } });
    expect(other?.sentence).toMatch(/git shows the branch main\.$/);
  });

  it('if the document names a commit that the repository does not have, the commit is reported', () => {
    const text = 'Done in commit abc1234.\nThe latest commit is `def5678`.\nHEAD is 4b6f8a2.';
    expect(mentionedCommits(text)).toEqual(['abc1234', 'def5678', '4b6f8a2']);
    expect(contradictions(text, { ...CLEAN, unknownCommits: ['abc1234'] })).toEqual([
      {
        rule: 'unknown_commit',
        line: 1,
        sentence: 'Line 1 of the document names the commit abc1234, but this git repository does not have it.',
      },
      {
        rule: 'other_head',
        line: 2,
        sentence: 'Line 2 of the document names def5678 as the latest commit, but git shows 4b6f8a2c9d0e.',
      },
    ]);
  });

  it.each(['session 4b6f8a2c', 'commit 1234567', 'commit defaced', 'commit 4b6f8a2c-1111-4111', 'commit my a1b2c3d'])(
    'the text %j is not taken as a commit id',
    (text) => {
      expect(mentionedCommits(text)).toEqual([]);
    },
  );

  it('changed files that the document does not mention are reported', () => {
    const odd = { path: 'src/a\n\u001b[31mb.ts', state: 'changed' } as const;
    expect(contradictions('I worked on `cart.ts`.', dirty(CART, NOTES, odd))).toEqual([
      {
        rule: 'unmentioned_changes',
        sentence: 'git shows uncommitted changes in files that the document does not name: src/a [31mb.ts.',
      },
    ]);
  });

  it('if git failed, no contradiction between document and git is reported', () => {
    const facts = { kind: 'unknown', why: 'no_git', sentence: 'git was not found' } as const;
    expect(contradictions('Everything is committed on branch x-1.', facts)).toEqual([]);
  });

  it('the check for contradictions between document and git never throws', () => {
    const unit = fc.constantFrom(
      'everything ',
      'is ',
      'committed',
      '. ',
      '\n',
      'on branch ',
      '`',
      'x-1',
      'commit ',
      'abc1234 ',
      'latest ',
      'HEAD ',
      ': ',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 80 }), (units) => {
        const text = units.join('');
        const findings = contradictions(text, { ...dirty(CART), unknownCommits: mentionedCommits(text) });
        expect(findings.length).toBeLessThanOrEqual(13);
        for (const { sentence } of findings) expect(sentence).not.toMatch(/\n/);
      }),
    );
  });
});
