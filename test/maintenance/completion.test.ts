import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';

/**
 * A fake `baton` command that knows two agents and one persona, and records the words that the shell wants to complete.
 */
const FAKE_BATON = [
  '#!/bin/sh',
  '[ "$1" = complete ] || exit 0',
  'shift 2',
  'printf "%s," "$@" >> "$HOME/asked"; echo >> "$HOME/asked"',
  'case "$*" in',
  '  *--persona*) printf "developer-con-1\\tCon: developer\\n" ;;',
  '  "agent show"*|handoff*) printf "3\\tCon, idle\\n12\\tZoe, working\\nZoe\\tagent 12\\n" ;;',
  'esac',
  '',
].join('\n');

/**
 * Uses the real shells with a temporary home. The current folder has a file, because a shell could also complete the
 * name of a file.
 */
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bsh-'));
  mkdirSync(join(home, 'work', 'my folder:x'), { recursive: true });
  writeFileSync(join(home, 'work', 'agenda'), '');
  // Create a `baton` program, because fish completes the words of a program only if the program exists.
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'baton'), FAKE_BATON, { mode: 0o755 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const runShell = (shell: string, args: readonly string[]): string =>
  execFileSync(shell, args, {
    encoding: 'utf8',
    cwd: join(home, 'work'),
    env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm', LC_ALL: 'C.UTF-8' },
  });

const savedScript = async (shell: string, ...place: string[]): Promise<void> => {
  const path = join(home, ...place);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, (await runInHome(home, ['completion', shell])).stdout);
};

describe('baton completion, saved at the path in its first line', () => {
  it('with a saved completion script, fish completes words', needs('fish'), async () => {
    await savedScript('fish', '.config', 'fish', 'completions', 'baton.fish');
    const offered = (line: string): string[] =>
      runShell('fish', ['-c', 'complete -C $argv[1]', line]).trim().split('\n');
    expect(offered('baton ag')).toEqual(['agent\tcoding agents, each in its own tmux pane']);
    expect(offered('baton agent st').map(nameOf)).toEqual(['start', 'stop']);
    expect(offered("baton agent start --project 'my folder:x' --no").map(nameOf)).toEqual([
      '--no-persona',
      '--no-wait',
    ]);
    expect(offered('baton agent start --project my')).toEqual(['my folder:x/']);
    expect(offered('baton ').map(nameOf)).toEqual(expect.arrayContaining(['agent', 'completion']));
    expect(offered('baton ').map(nameOf), 'no files where a command is meant').not.toContain('agenda');
  });

  it('[U14] bash completes the agents and personas of the running server', async () => {
    await savedScript('bash', 'script');
    const offered = (...words: string[]): string[] => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const complete = `COMP_WORDS=(baton ${typed}); COMP_CWORD=${words.length}; _baton`;
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands this variable
      const line = ['source ~/script', complete, 'IFS=,; echo "${COMPREPLY[*]}"'].join('; ');
      return runShell('bash', ['--norc', '-c', line]).trim().split(',');
    };
    expect(offered('agent', 'show', '')).toEqual(['3', '12', 'Zoe']);
    expect(offered('agent', 'show', '1')).toEqual(['12']);
    expect(offered('agent', 'show', '--j')).toEqual(['--json']);
    expect(offered('agent', 'start', '--persona', 'dev')).toEqual(['developer-con-1']);
    expect(offered('handoff', '')).toEqual(expect.arrayContaining(['3', 'Zoe', 'list']));
    expect(offered('agent', 'list', '')).toEqual(expect.arrayContaining(['--all']));
    const asked = readFileSync(join(home, 'asked'), 'utf8').split('\n');
    expect(asked.slice(0, 2)).toEqual(['agent,show,,', 'agent,show,1,']);
    rmSync(join(home, 'bin', 'baton'));
    expect(offered('agent', 'show', ''), 'without a server').toEqual(expect.arrayContaining(['--json', '--help']));
  });

  it('[U14] fish completes the agents and personas of the running server', needs('fish'), async () => {
    await savedScript('fish', '.config', 'fish', 'completions', 'baton.fish');
    const offered = (line: string): string[] =>
      runShell('fish', ['-c', 'complete -C $argv[1]', line]).trim().split('\n');
    expect(offered('baton agent show ')).toEqual(expect.arrayContaining(['3\tCon, idle', 'Zoe\tagent 12']));
    expect(offered('baton agent start --persona dev')).toEqual(['developer-con-1\tCon: developer']);
    expect(offered('baton handoff 1').map(nameOf)).toEqual(['12']);
    expect(offered('baton agent show --j').map(nameOf)).toEqual(['--json']);
  });

  it('[U14] zsh completes the agents and personas of the running server', needs('zsh'), async () => {
    await savedScript('zsh', 'functions', '_baton');
    const setUp = 'fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u';
    expect(typedInZsh(setUp, 'baton agent show 1')).toBe('baton agent show 12 ');
    expect(typedInZsh(setUp, 'baton agent start --persona dev')).toBe('baton agent start --persona developer-con-1 ');
    expect(typedInZsh(setUp, 'baton handoff Z')).toBe('baton handoff Zoe ');
    expect(typedInZsh(setUp, 'baton agent show --j')).toBe('baton agent show --json ');
  });

  it('with a completion script that is sourced as documented, fish completes words', needs('fish'), async () => {
    await savedScript('fish', 'script');
    expect(runShell('fish', ['--no-config', '-c', 'cat ~/script | source; complete -C "baton serv"'])).toMatch(
      /^service\t/,
    );
  });

  it('zsh completes words with a saved and with a sourced completion script', needs('zsh'), async () => {
    await savedScript('zsh', 'functions', '_baton');
    for (const setUp of [
      'fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u',
      'autoload -Uz compinit; compinit -u; source ~/functions/_baton',
    ]) {
      expect(typedInZsh(setUp, 'baton ag')).toBe('baton agent ');
      expect(typedInZsh(setUp, 'baton agent sta')).toBe('baton agent start ');
      expect(typedInZsh(setUp, "baton agent start --project 'my folder:x' --no-w")).toMatch(/--no-wait $/);
      expect(typedInZsh(setUp, 'baton agent start --project my')).toBe('baton agent start --project my\\ folder:x/');
    }
  });
});

const nameOf = (offer: string): string => offer.split('\t')[0] ?? '';

/** Returns the line that an interactive zsh shows after one press of Tab. */
function typedInZsh(setUp: string, line: string): string {
  const file = join(home, 'line');
  const keep = `keep() { print -rn -- "$BUFFER" >${file}; exit }; zle -N keep; bindkey '^X' keep`;
  const outer = [
    'zmodload zsh/zpty',
    'zpty inner zsh -f -i',
    'zpty -w inner "$1"',
    'zpty -w inner "print REA""DY"',
    'while zpty -r inner said; do [[ $said == *READY* ]] && break; done',
    'zpty -n -w inner "$2"$\'\\t\\x18\'',
    'while zpty -r inner said; do :; done',
  ].join('\n');
  runShell('zsh', ['-f', '-c', outer, 'zsh', `${setUp}; ${keep}`, line]);
  return execFileSync('cat', [file], { encoding: 'utf8' });
}
