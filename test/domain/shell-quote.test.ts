import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellQuote, shellWord } from '../../src/domain/shell-quote.ts';

const HOSTILE = [
  '',
  ' ',
  "'",
  "''",
  "a'b'c",
  "'; exit 7; '",
  "\\'",
  '\\',
  '"',
  '$(exit 7)',
  '`exit 7`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell would replace this variable
  '${HOME}',
  '$HOME',
  '~',
  '*',
  '?[a-z]*',
  '-n',
  '--',
  '=sh',
  '%1',
  '#no comment',
  '!!',
  'a b\tc',
  'two\nlines\n',
  '\r\n',
  ';|&<>(){}',
  '\u001b[31m\u0007',
  'Änne 測試 👩‍💻',
  '\u202e',
];

/** Joins the words to a command line. Returns the words that a real shell reads in this line. */
function readBySh(words: readonly string[]): string[] {
  const line = `printf '%s\\0' ${words.join(' ')}`;
  return execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('quoting for a shell', () => {
  it.each([
    ['shellQuote', shellQuote],
    ['shellWord', shellWord],
  ])('after quoting with %s, a real sh reads every hostile text as one unchanged word', (_, quote) => {
    expect(readBySh(HOSTILE.map(quote))).toEqual(HOSTILE);
  });

  it('a text that is quoted twice passes unchanged through two nested shells', () => {
    const inner = `printf '%s\\0' ${HOSTILE.map(shellQuote).join(' ')}`;
    const read = execFileSync('/bin/sh', ['-c', `exec /bin/sh -c ${shellQuote(inner)}`], { encoding: 'utf8' });
    expect(read.split('\0').slice(0, -1)).toEqual(HOSTILE);
  });

  it('shellWord leaves plain words unquoted', () => {
    expect(['/usr/bin/tmux', 'a_b-c.d', '-S'].map(shellWord)).toEqual(['/usr/bin/tmux', 'a_b-c.d', '-S']);
    expect(['=name', '%3', 'a b'].map(shellWord)).toEqual(["'=name'", "'%3'", "'a b'"]);
  });
});
