import { withoutControls, withoutEnding } from '../../plain-text.ts';
import { pieces } from './chunk-line.ts';
import { outline } from './document-outline.ts';
import { type Finding, few } from './finding.ts';
import type { DirtyTree, GitFacts, GitRepository } from './git-facts.ts';

interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** Reports claims of the document that git clearly contradicts. The wording of a claim alone never causes a finding. */
export function contradictions(text: string, facts: GitFacts): readonly Finding[] {
  if (facts.kind !== 'repository') return [];
  const sentences = [...sentencesOf(text)];
  return [
    ...cleanOrNot(sentences, facts.dirty),
    ...pushedOrNot(sentences, facts),
    ...branchFindings(sentences, facts),
    ...commitFindings(sentences, facts),
    ...unmentioned(text, facts.dirty),
  ];
}

/** Returns the hashes that a document calls commits, so that the caller can ask git whether they exist. */
export function mentionedCommits(text: string): readonly string[] {
  const found = [...sentencesOf(text)].flatMap(({ text: sentence }) => hashesIn(sentence).map(({ hash }) => hash));
  return [...new Set(found)].slice(0, MAX_COMMITS);
}

const MAX_COMMITS = 50;
const MAX_OF_A_KIND = 5;

/** The minimum number of characters of a sentence; shorter sentences are not checked. */
const SHORTEST_SENTENCE = 8;
const MAX_SENTENCES_COUNT = 20_000;

function* sentencesOf(text: string): Generator<Sentence> {
  let left = MAX_SENTENCES_COUNT;
  for (const { number, kind, text: line } of outline(text)) {
    if (kind === 'blank' || kind === 'code') continue;
    for (const piece of pieces(line)) {
      for (const sentence of piece.split(/(?<=[.!?;])\s/)) {
        if (sentence.length < SHORTEST_SENTENCE) continue;
        if (left-- === 0) return;
        yield { line: number, text: sentence };
      }
    }
  }
}

/**
 * Words that negate or limit a claim, or that refer to another time. If a sentence contains such a word, Baton does not
 * read it as a claim about the present.
 */
const HEDGED =
  /\b(?:not|never|nor|neither|hardly|almost|nearly|cannot|except|excluding|but|unless|until|till|once|before|after|when|if|should|must|needs?|will|would|please|make sure|ensure|apart from|other than|aside from|remember|yesterday|earlier)\b|n['’]t\b|\?/i;

const claims = (sentences: readonly Sentence[], claim: RegExp): Sentence | undefined =>
  sentences.find(
    ({ text }) => claim.test(text) && !HEDGED.test(text.replace(/\bnot(?:hing)? (?:is |left )?uncommitted\b/gi, '')),
  );

const SAYS_CLEAN =
  /\b(?:everything|all(?: of)?(?: my| the| these| this)?(?: work| changes| files| edits| code)?)\s(?:\w+\s){0,3}?committed\b|\bcommitted (?:everything|all\b)|\b(?:no|without any|nothing(?: is| left)?|not) uncommitted\b|\b(?:working |work )?(?:tree|directory|copy) (?:is |was left )?(?:\w+ )?clean\b|\bgit status`? (?:is |shows? |reports? )?(?:a )?clean\b/i;

function cleanOrNot(sentences: readonly Sentence[], dirty: DirtyTree | null): readonly Finding[] {
  if (dirty === null || dirty.count === 0) return [];
  const claim = claims(sentences, SAYS_CLEAN);
  if (claim === undefined) return [];
  const tracked = dirty.count - dirty.untracked;
  const shown = [
    ...(tracked > 0 ? [`${count(tracked, 'file')} with uncommitted changes`] : []),
    ...(dirty.untracked > 0 ? [count(dirty.untracked, 'untracked file or folder', 'untracked files or folders')] : []),
  ].join(' and ');
  return [
    {
      rule: 'says_committed',
      line: claim.line,
      sentence: `Line ${claim.line} of the document says that everything is committed, but git shows ${shown}: ${namesOf(dirty)}.`,
    },
  ];
}

const SAYS_PUSHED =
  /\b(?:everything|all(?: of)?(?: my| the| these)?(?: work| changes| commits)?)\s(?:\w+\s){0,3}?pushed\b|\bpushed (?:everything|all\b)/i;

function pushedOrNot(sentences: readonly Sentence[], { upstream }: GitRepository): readonly Finding[] {
  if (upstream === null || upstream.ahead === 0) return [];
  const claim = claims(sentences, SAYS_PUSHED);
  if (claim === undefined) return [];
  const ahead = count(upstream.ahead, 'commit');
  return [
    {
      rule: 'says_pushed',
      line: claim.line,
      sentence: `Line ${claim.line} of the document says that everything is pushed, but git shows ${ahead} that ${upstream.name} did not have when it was last fetched.`,
    },
  ];
}

/** Patterns of a sentence that names the current branch, for example "on branch main" or "branch: `main`". */
const NAMES_BRANCH = [
  /\b(?:on|current|working|active|my|git)\s(?:the\s)?branch(?:\s(?:is|named|called)|:)?\s+(?:[`"'*]{1,3}([^\s`"'*]{1,100})[`"'*]|([A-Za-z0-9][\w./-]{0,99}))/gi,
  /\b(?:on|in)\s(?:the\s)?[`"'*]{1,3}([^\s`"'*]{1,100})[`"'*]{1,3}\sbranch\b/gi,
  /^[\s*_-]{0,6}(?:current\s|git\s)?branch[*_`]{0,2}:[*_]{0,2}\s+(?:[`"'*]{1,3}([^\s`"'*]{1,100})[`"'*]|([A-Za-z0-9][\w./-]{0,99}))/gi,
];

function branchFindings(sentences: readonly Sentence[], facts: GitRepository): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { line, text } of sentences) {
    if (HEDGED.test(text)) continue;
    for (const name of branchesIn(text, facts)) {
      if (name === facts.branch || found.has(name)) continue;
      const isKnown = facts.branches.names.some((known) => known === name || known.endsWith(`/${name}`));
      const now = facts.branch === null ? 'no branch checked out' : `the branch ${facts.branch}`;
      const also = isKnown || !facts.branches.all ? '' : `, and no branch ${plain(name)}`;
      found.set(name, {
        rule: 'other_branch',
        line,
        sentence: `Line ${line} of the document names the branch ${plain(name)}, but git shows ${now}${also}.`,
      });
    }
  }
  return [...found.values()].slice(0, MAX_OF_A_KIND);
}

function branchesIn(text: string, { branches, branch }: GitRepository): readonly string[] {
  return NAMES_BRANCH.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, quoted, bare = '']) => {
      if (quoted !== undefined) return [quoted];
      const name = withoutEnding(bare, './-');
      const isPlainly = /[/_\d-]/.test(name) || /^(?:main|master|develop|dev|trunk)$/.test(name);
      return isPlainly || branches.names.includes(name) || name === branch ? [name] : [];
    }),
  );
}

interface NamedCommit {
  readonly hash: string;
  readonly isLatest: boolean;
}

const NAMES_COMMIT =
  /\b((?:latest|last|newest|most recent|current|head)\s{1,2})?(commit(?:ted)?|head|sha|revision)\b([\s:=`"'(*]|\b(?:is|as|at|was|hash|sha|with)\b){0,8}([0-9a-f]{7,40})(?![0-9a-z-])/gi;

function hashesIn(sentence: string): readonly NamedCommit[] {
  return [...sentence.matchAll(NAMES_COMMIT)].flatMap(([, latest, word = '', , hash = '']) =>
    // A hash must have both a digit and a letter. Otherwise, Baton could mistake a plain number or a plain word for a
    // hash.
    /\d/.test(hash) && /[a-f]/i.test(hash)
      ? [{ hash: hash.toLowerCase(), isLatest: latest !== undefined || word.toLowerCase() === 'head' }]
      : [],
  );
}

function commitFindings(sentences: readonly Sentence[], { head, unknownCommits }: GitRepository): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const { line, text } of sentences) {
    for (const { hash, isLatest } of hashesIn(text)) {
      if (found.has(hash)) continue;
      if (unknownCommits.includes(hash)) {
        const sentence = `Line ${line} of the document names the commit ${hash}, but this git repository does not have it.`;
        found.set(hash, { rule: 'unknown_commit', line, sentence });
      } else if (isLatest && head !== null && !head.startsWith(hash) && !HEDGED.test(text)) {
        const sentence = `Line ${line} of the document names ${hash} as the latest commit, but git shows ${head.slice(0, 12)}.`;
        found.set(hash, { rule: 'other_head', line, sentence });
      }
    }
  }
  return [...found.values()].slice(0, MAX_OF_A_KIND);
}

/**
 * Reports uncommitted changes that the document does not mention. Untracked files are skipped, because they are
 * probably generated.
 */
function unmentioned(text: string, dirty: DirtyTree | null): readonly Finding[] {
  const files = (dirty?.files ?? []).filter(
    ({ state, path }) => state !== 'untracked' && !text.includes(baseName(path)),
  );
  if (files.length === 0) return [];
  const names = few(files.map(({ path }) => plain(path)));
  return [
    {
      rule: 'unmentioned_changes',
      sentence: `git shows uncommitted changes in files that the document does not name: ${names}.`,
    },
  ];
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const namesOf = ({ files, count: all }: DirtyTree): string => {
  const names = files.slice(0, MAX_OF_A_KIND).map(({ path }) => plain(path));
  return all > names.length ? `${names.join(', ')} and ${all - names.length} more` : names.join(', ');
};

const plain = (name: string): string => withoutControls(name).replace(/\s+/g, ' ').slice(0, 100);

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
