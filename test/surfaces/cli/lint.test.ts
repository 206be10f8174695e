import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LintResult, LintResults } from '../../../src/contract/packages/lint.ts';
import { isMatch } from '../../../src/surfaces/cli/packages/expand-files.ts';
import { carrier } from '../../domain/packages/lint/carrier.ts';
import { runInHome } from './support/run-in-home.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-lint-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: string[]) => runInHome(join(folder, 'no-home'), ['lint', ...argv]);
function put(text: string, name = 'HO-2026-001.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('baton lint, without a server', () => {
  it('if there are only warnings, `baton lint` exits 0', async () => {
    const ran = await run(put(carrier({ constraints: '    constraints: ["quickly"]\n' })));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/warning HP401 line \d+ \/handoff\/expectations\/constraints\/0/);
    expect(ran.stdout).toMatch(/✓ .*HO-2026-001\.yaml .*: 0 errors, 1 warning/);
  });

  it('for an error, `baton lint` exits 1 and prints the rule and the line', async () => {
    const ran = await run(put(carrier({ criteria: '    success_criteria: ["TBD"]\n' })));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /error HP005 line 12 \/handoff\/expectations\/success_criteria\/0\n {2}This value is a placeholder\. Replace the placeholder/,
    );
    expect(ran.stdout).toContain('cannot be sealed');
  });

  it('[004 Acknowledge Receipt] `baton lint` refuses an acknowledgment with the placeholders of specification 004', async () => {
    const said = (task: string) =>
      `acknowledgment:\n  received: true\n  from: con\n  understood:\n    task: "${task}"\n  questions: []\n  starting: true\n`;
    const ran = await run(put(said('[task reformulation]')));
    expect([ran.code, ran.stdout]).toEqual([
      1,
      expect.stringContaining('HP005 line 5 /acknowledgment/understood/task'),
    ]);
    expect(ran.stdout).toMatch(/^not valid .*HO-2026-001\.yaml \(acknowledgment\)/m);
    expect(ran.stdout).not.toContain('sealed');
    expect((await run(put(said('Review the API')))).code).toBe(0);
  });

  it.each([
    ['questions although it starts the work', 'understood: partial\n  questions: ["Which API?"]\n  starting: true'],
    ['no question although the task was not understood', 'understood: none\n  starting: false'],
    ['six questions', `understood: partial\n  questions: [${'"a?","b?","c?","d?","e?","f?"'}]`],
    ['the action "decline"', 'understood: partial\n  questions: ["Which API?"]\n  action: decline'],
  ])('`baton lint` refuses an acknowledgment that the server refuses for every package: %s', async (_case, lines) => {
    const ran = await run(put(`acknowledgment:\n  received: true\n  from: con\n  ${lines}\n`));
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringMatching(/HP002[\s\S]*^not valid /m)]);
  });

  it.each([
    [
      'a control character that is written as an escape',
      carrier({ constraints: '    constraints: ["\\e[31m"]\n' }),
      'Remove the',
    ],
    ['a file that is too large', `a: ${'x'.repeat(200_000)}`, 'Make the package smaller'],
    ['a tab', 'handoff:\n\tfrom: a\n', 'Indent with spaces.'],
    ['a duplicate key', 'handoff: 1\nhandoff: 2\n', 'Write every key only once.'],
    ['a missing root key', 'package: 1\n', 'Begin the file with "handoff:"'],
    ['two root keys', `${carrier()}\nmore: 1\n`, 'Keep only the root key handoff.'],
    ['a value of the wrong type', carrier({ constraints: '    constraints: quickly\n' }), 'Correct the value.'],
    ['an unknown key', carrier({ constraints: '    colour: red\n' }), 'Put other keys into extensions'],
  ])('`baton lint` refuses %s and says how to correct the file', async (_, text, fix) => {
    const { findings } = LintResult.parse(JSON.parse((await run(put(text), '--json')).stdout));
    const [first] = findings.filter(({ severity }) => severity === 'error');
    expect([first?.rule, first?.fix]).toEqual([expect.stringMatching(/^HP00[12]$/), expect.stringContaining(fix)]);
  });

  it('`baton lint --json` prints the same findings as the text output', async () => {
    const { code, stdout } = await run(put(carrier()), '--json');
    expect([code, LintResult.parse(JSON.parse(stdout))]).toMatchObject([0, { ok: true, errors: 0, kind: 'handoff' }]);
    expect((await run(put('a: [1'), '--json')).code).toBe(1);
  });

  it('if one of several files has an error, `baton lint` fails', async () => {
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    const [one, two] = [put(carrier(), 'a.yaml'), put(carrier(), 'deep/er/b.yaml')];
    put('a: [1', 'deep/.hidden.yaml');
    put('a: [1', 'c.yml');
    const files = async (...names: string[]) => {
      const { code, stdout } = await run(...names, '--json');
      return [code, LintResults.parse(JSON.parse(stdout)).files.map(({ file, ok }) => [file, ok])];
    };
    expect(await files(join(folder, '**/*.yaml'))).toEqual([
      0,
      [
        [one, true],
        [two, true],
      ],
    ]);
    expect(await files(join(folder, '?.yaml'), one)).toEqual([0, [[one, true]]]);
    expect(await files(one, join(folder, 'c.yml'))).toEqual([
      1,
      [
        [one, true],
        [join(folder, 'c.yml'), false],
      ],
    ]);
    const told = await run(one, two);
    expect(told.stdout.match(/✓/g)).toHaveLength(2);
    expect(await run(join(folder, '*.txt'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No file matches'),
    });
  });

  it.each([
    ['HO-1.yaml', 'HO-*.yaml', true],
    ['HO-1.yml', 'HO-*.yaml', false],
    ['abcabd', '*ab?', true],
    ['a', '??', false],
    ['', '*', true],
  ])('`baton lint` decides whether the file name "%s" matches the pattern "%s": %s', (name, pattern, expected) => {
    expect(isMatch(name, pattern)).toBe(expected);
  });

  it('the formatting of a package does not change the hash that `baton lint` prints', async () => {
    const hash = async (text: string) => JSON.parse((await run(put(text), '--json')).stdout).content_sha256;
    const one = await hash('handoff: { id: HO-001, type: gate }');
    expect(await hash('handoff:\n  type: "gate"\n  id: HO-001\n')).toBe(one);
    expect(await hash('handoff: { id: HO-002, type: gate }')).not.toBe(one);
  });

  it('if a file cannot be read, `baton lint` exits 2', async () => {
    expect(await run()).toMatchObject({ code: 2, stderr: 'Name the files to validate: baton lint FILE…\n' });
    expect((await run(join(folder, 'none.yaml'))).code).toBe(2);
    expect((await run(folder, '--json')).code).toBe(2);
    writeFileSync(join(folder, 'latin1.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe4]));
    expect((await run(join(folder, 'latin1.yaml'))).stderr).toContain('not UTF-8');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect((await run(join(folder, 'pipe'))).stderr).toContain('not a regular file');
  });

  it('`baton lint` refuses a file that is too large', async () => {
    const { code, stdout } = await run(put('ä'.repeat(70_000)));
    expect([code, stdout]).toEqual([1, expect.stringContaining('larger than 128 KiB')]);
  });

  it('`baton lint` can print the JSON Schema of packages', async () => {
    const { code, stdout } = await run('--schema');
    expect([code, JSON.parse(stdout).$schema]).toEqual([0, 'https://json-schema.org/draft/2020-12/schema']);
  });
});
