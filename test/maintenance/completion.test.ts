import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';

/** Uses the real shells with a temporary home, in a folder with a file whose name could also be completed. */
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bsh-'));
  mkdirSync(join(home, 'work', 'my folder:x'), { recursive: true });
  writeFileSync(join(home, 'work', 'agenda'), '');
  // Fish completes only programs that exist.
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'baton'), '#!/bin/sh\n', { mode: 0o755 });
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
  it('completes in fish', needs('fish'), async () => {
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

  it('is sourced by fish as documented', needs('fish'), async () => {
    await savedScript('fish', 'script');
    expect(runShell('fish', ['--no-config', '-c', 'cat ~/script | source; complete -C "baton serv"'])).toMatch(
      /^service\t/,
    );
  });

  it('completes in zsh, both when it is saved and when it is sourced', needs('zsh'), async () => {
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

/** Returns the line that an interactive zsh in a pseudo-terminal shows after one press of Tab. */
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
