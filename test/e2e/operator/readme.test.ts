import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BatonProcess } from '../../support/baton-process.ts';

/** Types the commands of the README and of a guide in their order, in an empty home, as a new user would. */

const ROOT = new URL('../../../', import.meta.url);
const baton = new BatonProcess();
const user = join(baton.home, 'user');

beforeAll(async () => {
  await baton.start();
  mkdirSync(user);
}, 300_000);
afterAll(() => baton.cleanUp());

/** Returns the first code block in the language `language` below the heading. */
function blockOf(page: string, heading: string, language: string): string {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  const below = text.slice(text.indexOf(`\n## ${heading}\n`));
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(below)?.[1];
  if (block === undefined) throw new Error(`no ${language} block below "${heading}" in ${page}`);
  return block;
}

interface Typed {
  readonly line: string;
  readonly code: number;
  readonly output: string;
}

/** Types the lines of a block into one shell, so that `cd` and variables stay in effect for later lines. */
async function typed(block: string): Promise<readonly Typed[]> {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const script = lines.map((line) => `${line}\nprintf '\\n=== %s\\n' "$?"`).join('\n');
  const { BATON_AGENT_TOKEN: _, ...env } = process.env;
  const output = await new Promise<string>((resolve) => {
    const own = { ...env, HOME: user, BATON_HOME: baton.home, PATH: `${join(baton.home, 'bin')}:${env.PATH}` };
    const child = execFile(
      'bash',
      ['--norc', '-c', `exec 2>&1\n${script}`],
      { cwd: user, env: own },
      (_error, stdout) => resolve(stdout),
    );
    child.stdin?.end();
  });
  const answers = output.split(/\n=== (\d+)\n/);
  return lines.map((line, at) => ({ line, code: Number(answers[2 * at + 1]), output: answers[2 * at] ?? '' }));
}

const failed = (all: readonly Typed[]): readonly Typed[] => all.filter(({ code }) => code !== 0);

it("[U1] [U2] the README's commands about packages work as written", {
  timeout: 300_000,
}, async () => {
  const first = await typed(blockOf('README.md', 'Your first handoff', 'sh'));
  expect(failed(first)).toEqual([]);
  const packages = await typed(`cd ~/shop\n${blockOf('README.md', 'Packages', 'sh')}`);
  expect(failed(packages)).toEqual([]);
  const [id = 'none'] = /HO-\d{4}-\d{3}/.exec(packages.at(-2)?.output ?? '') ?? [];
  expect(packages.at(-1)?.output).toMatch(new RegExp(`^${id} +sequential +human +developer-con-1 +pending`, 'm'));
});

it('[U18] the commands in the guide about halted handoffs work as written', { timeout: 300_000 }, async () => {
  const all = await typed(blockOf('docs/guides/when-a-handoff-halts.md', 'Try it', 'sh'));
  expect(failed(all).map(({ line }) => line.split('#')[0]?.trim())).toEqual(['baton handoff 3 --watch']);
  expect(all.find(({ line }) => line.startsWith('baton status'))?.output).toMatch(/Needs you\n.*failure/);
  expect(all.at(-1)?.output).toContain('✓');
  // .practice.json made the handoff of the first agent halt. The successor started without this file, so the handoff of
  // the successor must not halt.
  expect(failed(await typed('baton handoff 4 --watch'))).toEqual([]);
});
