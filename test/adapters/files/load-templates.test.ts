import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadTemplates } from '../../../src/adapters/files/texts/load-templates.ts';
import { BUILT_IN } from '../../../src/domain/handoffs/prompts/templates.ts';

describe("templates in Baton's home", () => {
  let home = '';
  let folder = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'btt-'));
    folder = join(home, 'data/templates');
    mkdirSync(folder, { recursive: true });
  });

  it("the built-in templates are used if Baton's home has no templates", async () => {
    expect(await loadTemplates(home)).toMatchObject({ templates: BUILT_IN, problems: [] });
    expect(await loadTemplates(join(home, 'none'))).toMatchObject({ templates: BUILT_IN, problems: [] });
  });

  it('a template may have any line endings and a byte order mark', async () => {
    writeFileSync(
      join(folder, 'injection.txt'),
      '\ufeffLies {{path}}, für Con, nach {{predecessor}}.\r\n{{acknowledge}}\r\n',
    );
    expect(await loadTemplates(home)).toMatchObject({
      templates: { ...BUILT_IN, injection: 'Lies {{path}}, für Con, nach {{predecessor}}.\n{{acknowledge}}\n' },
      problems: [],
    });
  });

  it('an invalid template is reported with the reason', async () => {
    writeFileSync(join(folder, 'instruction.txt'), 'Write {{note}} {{pth}}');
    writeFileSync(join(folder, 'injection.txt'), '{{path}} {{predecessor}} {{acknowledge}}');
    const { templates, problems } = await loadTemplates(home);
    expect(templates).toEqual({ ...BUILT_IN, injection: '{{path}} {{predecessor}} {{acknowledge}}' });
    expect(problems).toEqual([
      expect.stringMatching(/^\/.*\/instruction\.txt is not used: The text lacks \{\{path\}\} and/),
    ]);
    expect(problems[0]).toMatch(/\{\{pth\}\}.*Baton uses its built-in text instead\.$/);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ['a folder', (path) => mkdirSync(path), /not a regular file/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), /not a regular file/],
    ['invalid UTF-8', (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe])), /not used: .*(utf|encoded)/i],
    [
      'a huge file',
      (path) => writeFileSync(path, `{{path}}{{predecessor}}{{acknowledge}}${'x'.repeat(10_000_000)}`),
      /longer than 16384/,
    ],
    [
      'a huge file with non-ASCII text',
      (path) => writeFileSync(path, `{{path}}{{predecessor}}{{acknowledge}}${'€'.repeat(100_000)}`),
      /longer than|encoded/,
    ],
  ])('Baton refuses %s as a template', async (_what, make, problem) => {
    make(join(folder, 'injection.txt'));
    const { templates, problems } = await loadTemplates(home);
    expect(templates).toEqual(BUILT_IN);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});
