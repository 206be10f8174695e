import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../scripts/build/bundle.mjs';
import { MAX_PIECE, OVERLAP, pieces } from '../../../src/domain/handoffs/document/chunk-line.ts';
import { endMarker, MAX_DOCUMENT_BYTES } from '../../../src/domain/handoffs/document/document.ts';
import { outline } from '../../../src/domain/handoffs/document/document-outline.ts';
import { findSecrets } from '../../../src/domain/handoffs/document/find-secrets.ts';
import { mentionedPaths, missingPathFindings } from '../../../src/domain/handoffs/document/mentioned-paths.ts';
import { reviewDocument } from '../../../src/domain/handoffs/document/review-document.ts';
import { handoffInstruction } from '../../../src/domain/handoffs/prompts/prompts.ts';
import { composeHandoff } from '../../../src/practice/brain/handoff/handoff-document.ts';
import { Memory } from '../../../src/practice/brain/memory.ts';
import type { Situation } from '../../../src/practice/brain/situation.ts';
import { Turntable } from './handoff-kit.ts';

const MARKER = endMarker('TOKEN');
const rules = (text: string): string[] => reviewDocument(text, 'TOKEN').map(({ rule }) => rule);
const PROSE =
  'I moved the price rounding out of the cart and into the order, because the tax office rounds per order. '.repeat(3);

const HEADINGS = [
  'What I was working on',
  'Current progress and state',
  'Key decisions and why',
  'Blockers',
  'Files I modified',
  'Next steps, and what remains',
];
const documentWith = (headings: readonly string[]): string =>
  `# Handoff\n\n${headings.map((heading) => `${heading}\n\n${PROSE}\n`).join('\n')}\n${MARKER}\n`;
const good = documentWith(HEADINGS.map((heading) => `## ${heading}`));

describe('the review of a document', () => {
  it('the document review reports no problem in a good document', () => {
    expect(reviewDocument(good, 'TOKEN')).toEqual([]);
  });

  it('the document review reports no problem in a document that the practice agent wrote', () => {
    const situation = { name: 'Con', projectName: 'shop', memory: new Memory(), contextPercent: () => 3 };
    const text = composeHandoff(situation as unknown as Situation);
    expect(reviewDocument(`${text}\n\n${MARKER}\n`, 'TOKEN')).toEqual([]);
  });

  it('the document review recognizes each heading that the instruction asks for', () => {
    const identity = { persona: { name: 'Con', role: 'developer', slug: 's' }, projectName: 'shop' };
    const instruction = handoffInstruction(new Turntable().upTo('instructing').run, identity, 'ref-1');
    const asked = [...instruction.matchAll(/^\d\. (.+)$/gm)].map(([, heading = '']) => `# ${heading}`);
    expect(asked).toHaveLength(8);
    expect(rules(documentWith(asked))).toEqual([]);
  });

  it.each<[string, (heading: string) => string]>([
    ['of the lowest level', (heading) => `###### ${heading}`],
    ['numbered', (heading) => `## 4) ${heading}`],
    ['bold', (heading) => `**${heading}**`],
    ['bold with a colon', (heading) => `**${heading}:**`],
    ['underlined', (heading) => `${heading}\n-----`],
    ['plain with a colon', (heading) => `${heading}:`],
    ['plain and numbered', (heading) => `3. ${heading}`],
    ['in capitals', (heading) => `# ${heading.toUpperCase()}`],
    ['after an emoji', (heading) => `## 🚧 ${heading}`],
    ['labels in a list', (heading) => `- **${heading}**: some words`],
    ['ended with CR LF', (heading) => `## ${heading}\r`],
  ])('the document review finds sections whose headings are %s', (_how, write) => {
    expect(rules(documentWith(HEADINGS.map(write)))).toEqual([]);
  });

  it('the document review recognizes a section even if its heading is worded differently', () => {
    const other = ['Summary', 'Status', 'Trade-offs', 'Open questions', 'Changes', 'TODO list'];
    expect(rules(documentWith(other.map((heading) => `## ${heading}`)))).toEqual([]);
  });

  it('the document review ignores a Markdown code fence around the whole document', () => {
    expect(rules(`\`\`\`markdown\n${good}\`\`\`\n`)).toEqual([]);
  });

  it.each(HEADINGS.map((heading, index) => [heading, index] as const))(
    'the document review reports that the section "%s" is missing',
    (_heading, index) => {
      const [finding, ...others] = reviewDocument(
        documentWith(HEADINGS.filter((_, other) => other !== index).map((heading) => `## ${heading}`)),
        'TOKEN',
      );
      expect(others).toEqual([]);
      expect(finding?.rule).toBe('missing_sections');
      const names = ['worked on', 'progress', 'decisions', 'blockers', 'files', 'next steps'];
      expect(names.filter((name) => finding?.sentence.includes(name))).toEqual([names[index]]);
    },
  );

  it('the document review does not treat code or list items as headings', () => {
    const listed = HEADINGS.map((heading, index) => `${index + 1}. ${heading}`).join('\n');
    const text = `# Handoff\n\n${PROSE}\n\n\`\`\`\n## Blockers\n\`\`\`\n\n${listed}\n`;
    expect(reviewDocument(text, 'TOKEN')).toEqual([
      {
        rule: 'missing_sections',
        sentence:
          'The document has no recognizable heading for: what was being worked on, progress and state, decisions and why, blockers, files modified, next steps.',
      },
    ]);
  });

  it.each([
    ['', 'blank'],
    [' \n\t\r\n', 'blank'],
    [`\n${MARKER}\n`, 'marker_only'],
    [HEADINGS.map((heading) => `## ${heading}\n\n`).join(''), 'headings_only'],
    [`${HEADINGS.map((heading) => `## ${heading}\n\n`).join('')}${MARKER}`, 'headings_only'],
    [HEADINGS.map((heading) => `## ${heading}\n\nNone.\n`).join(''), 'too_short'],
  ])('the document review reports that the document %j has no content (%s)', (text, rule) => {
    expect(rules(text)).toEqual([rule]);
  });

  it.each([
    'TODO',
    '- TBD.',
    '1. [TODO]',
    'Owner: TBD',
    '…',
    '[...]',
    '<fill in the blockers>',
    'We are [insert reason here], so wait.',
    'Lorem ipsum dolor sit amet.',
    '{{describe the state}}',
    '- [ ] to be determined',
  ])('the document review reports the placeholder %j', (line) => {
    const text = good.replace('## Blockers\n', `## Blockers\n${line}\n`);
    const number = text.split('\n').indexOf(line) + 1;
    expect(reviewDocument(text, 'TOKEN')).toEqual([
      {
        rule: 'placeholder',
        line: number,
        sentence: `Line ${number} looks like a placeholder that was not filled in.`,
      },
    ]);
  });

  it.each([
    '- TODO: write the parser',
    'The parser has a `TODO` in line 3.',
    '`<fill in>` is what the template shows.',
    'The array `[...]` is copied.',
    'Read [your guide](docs/guide.md).',
    'It waits... and then it goes on.',
    '    const rest = [...all];',
  ])('the document review accepts %j as content', (line) => {
    expect(
      rules(
        good.replace('## Blockers\n', `## Blockers\n${line.startsWith('    ') ? `\`\`\`\n${line}\n\`\`\`` : line}\n`),
      ),
    ).toEqual([]);
  });

  it('the document review lists at most five placeholders and counts the rest', () => {
    const text = good.replace('## Blockers\n', `## Blockers\n${'TBD\n'.repeat(9)}`);
    expect(reviewDocument(text, 'TOKEN').map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^Lines (\d+, ){4}\d+ and 4 more look like a placeholder/),
    ]);
  });
});

/** Lines with made-up secrets. They are assembled from parts, so that secret scanners do not flag this file. */
const SECRETS: readonly (readonly [kind: string, line: string])[] = [
  ['a private key', `-----BEGIN ${'OPENSSH '}PRIVATE KEY-----`],
  ['a private key', `-----BEGIN ${'PGP '}PRIVATE KEY BLOCK-----`],
  ['an AWS access key', `key ${'AKIA'}${'Q7Z3'.repeat(4)}`],
  ['a GitHub token', `use ${'ghp_'}${'a1B2c3'.repeat(6)}`],
  ['a GitHub token', `use ${'github_pat_'}${'11AAbb22'.repeat(4)}`],
  ['a GitLab token', `${'glpat-'}${'Ab1-'.repeat(6)}`],
  ['a Slack token', `${'xoxb-'}1234567890-abcdef`],
  ['an Anthropic key', `${'sk-ant-'}api03-${'x9Y'.repeat(10)}`],
  ['an OpenAI key', `${'sk-'}proj-${'x9Y'.repeat(10)}`],
  ['a Google key', `${'AIza'}${'Sy0'.repeat(12)}`],
  ['a JSON web token', `${'eyJ'}hbGciOiJIUzI1NiJ9.${'eyJ'}zdWIiOiIxIn0.c2lnbmF0dXJl`],
  ['a password in an address', 'postgres://con:correct-horse@db:5432/shop'],
  ['a password or key', 'DB_PASSWORD=hunter-two'],
  ['a password or key', '"api_key": "abcdefgh"'],
  ['a password or key', 'password: correct9horse'],
];

describe('likely secrets in a document', () => {
  it.each(SECRETS)('the document review reports %s with its kind and line number', (kind, secret) => {
    const findings = findSecrets(`one\ntwo ${secret} three\n`);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ rule: 'likely_secret', line: 2 });
    expect(findings[0]?.sentence).toContain(`Line 2 looks like it contains ${kind}.`);
  });

  it('the document review never quotes a secret', () => {
    const around = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), around, around, ([, secret], before, after) => {
        const shown = JSON.stringify(reviewDocument(`${good}\n${before} ${secret} ${after}\n`, 'TOKEN'));
        for (const part of secret.split(/[\s"=:/@.]+/).filter((each) => each.length >= 8 && /\d|-.*-/.test(each)))
          expect(shown).not.toContain(part);
      }),
    );
  });

  it('the document review finds secrets in code and at the end of a long line', () => {
    const [, secret] = SECRETS[3]!;
    expect(findSecrets(`\`\`\`\n${secret}\n\`\`\``)).toHaveLength(1);
    for (const column of [MAX_PIECE - 20, MAX_PIECE * 3, 500_000])
      expect(findSecrets(`${' '.repeat(column)}${secret}`)).toHaveLength(1);
  });

  it.each([
    'password=$DB_PASSWORD',
    'password=<your password>',
    'api_key = process.env.API_KEY',
    'The password: ask Ann for it.',
    'secret=********',
    'const token = nextToken();',
    'password = readPassword()',
    `the example key ${'AKIA'}IOSFODNN7EXAMPLE`,
    'the task-list-of-the-scheduler-1 is long',
    'sk-learn-has-many-models-inside',
    'see https://example.org:8080/path@v1',
    'commit 4b6f8a2c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a',
    '-----BEGIN PUBLIC KEY-----',
  ])('the document review does not report %j as a secret', (line) => {
    expect(findSecrets(line)).toEqual([]);
  });

  it('the document review lists at most 20 secrets and counts the others', () => {
    const findings = findSecrets('password=hunter-two\n'.repeat(500));
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)?.sentence).toContain('480 more places');
  });
});

describe('the files that a document names', () => {
  const inFiles = (lines: string): readonly string[] => mentionedPaths(`## Files modified\n\n${lines}\n`);

  it('every path in backquotes counts as a file that the document names', () => {
    expect(mentionedPaths('I changed `src/cart.ts:12` and `./lib/tax.py`, see `/srv/shop/README.md#L3-L9`.')).toEqual([
      'src/cart.ts',
      './lib/tax.py',
      '/srv/shop/README.md',
    ]);
  });

  it("a path without backquotes counts as a named file only if it is in the list of the project's files", () => {
    expect(
      inFiles(
        '- `cart.ts`: rounding\n- **tax.py** (new)\n* docs/a b.md\n1. src/x.test.ts, src/y.ts\n| web/page.css | colours |',
      ),
    ).toEqual(['cart.ts', 'tax.py', 'src/x.test.ts', 'src/y.ts', 'web/page.css']);
  });

  it.each([
    '`/clear` and `origin/main` and `config.load` and `npm run x/y.ts`',
    '`https://example.org/a.html`',
    '`src/*.ts` and `src/{a,b}.ts`',
    '`~/notes/a.md`',
    '`@scope/name.js`',
    '`and/or`',
    'src/bare.ts in prose',
  ])('no path in the document line %s counts as a file that the document names', (line) => {
    expect(mentionedPaths(line)).toEqual([]);
  });

  it('files that are deleted or still to be written do not count as files that the document names', () => {
    expect(inFiles('- deleted `src/old.ts`\n- `src/was.ts` renamed to `src/is.ts`')).toEqual([]);
    expect(mentionedPaths('## Next steps\n\n1. Write `src/new.ts`.\n\n### Details\n\n`src/more.ts`')).toEqual([]);
    expect(mentionedPaths('```\ncat `src/a.ts`\n```')).toEqual([]);
    expect(mentionedPaths('## Next steps\n\n## Appendix\n\n`src/a.ts`')).toEqual(['src/a.ts']);
  });

  it('Baton takes only a limited number of file names from a document', () => {
    expect(inFiles(Array.from({ length: 500 }, (_, n) => `- src/f${n}.ts`).join('\n'))).toHaveLength(100);
    expect(inFiles(`- \`src/${'x'.repeat(400)}.ts\``)).toEqual([]);
    expect(inFiles('- `a.ts`\n- `a.ts`')).toEqual(['a.ts']);
  });

  it('several missing files that a document names are reported in one finding', () => {
    expect(missingPathFindings([])).toEqual([]);
    expect(missingPathFindings(['a.ts', 'b\n\u001b.ts'])).toEqual([
      { rule: 'missing_path', sentence: 'The document names files that are not in the project: a.ts, b .ts.' },
    ]);
  });
});

describe('hostile text in a document', () => {
  it('the document review splits a long text into pieces that overlap, so that no match is lost', () => {
    fc.assert(
      fc.property(
        fc.nat(MAX_PIECE * 4),
        fc.nat(MAX_PIECE * 4),
        fc.integer({ min: 1, max: OVERLAP }),
        (before, after, length) => {
          const needle = 'x'.repeat(length);
          const all = [...pieces(`${' '.repeat(before)}${needle}${' '.repeat(after)}`)];
          expect(Math.max(...all.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_PIECE);
          expect(all.length).toBeLessThanOrEqual(1 + (before + length + after) / (MAX_PIECE - OVERLAP));
          expect(all.some((piece) => piece.includes(needle))).toBe(true);
        },
      ),
    );
  });

  /** Texts that, when repeated, may cause excessive backtracking in a regular expression. */
  const HOSTILE = [
    ' ',
    '\n',
    '#',
    '# ',
    '*',
    '**a',
    '__',
    '`',
    '```\n',
    '~~~\n',
    '- ',
    '1. ',
    '1. next\n',
    'a:',
    'a: ',
    '[',
    '<fill ',
    '{{',
    '(add ',
    'eyJ',
    '-eyJ',
    ' eyJ.',
    'sk-',
    '-sk-',
    ' sk-a',
    'ghp_',
    '-----BEGIN A',
    '://',
    '://a:',
    '://a:b',
    'password',
    'password ',
    'password=',
    'secret_',
    'api-key:',
    'a/',
    './',
    '../',
    'a.b',
    '`a/b.c',
    '|',
    ':1',
    '#L1',
    '\u0000',
    '😀',
    'files\n---\n',
    'all a ',
    'everything is ',
    'on branch ',
    'on branch x-1 ',
    'latest commit ',
    'HEAD is is ',
    'commit abc1234 ',
    '. ',
    'next a ',
    'TODO ',
    'TODO: ',
    '…',
    '.',
    '> ',
    'é',
    '\r',
    '\t',
    '=\n',
  ];

  // 256 KiB is a quarter of the maximum size of a document. Even for this quarter, a regular expression with quadratic
  // time would take too long.
  it('the review of a 256 KiB document finishes, even if the document is one text repeated many times', async () => {
    // Run the review in its own process. If a regular expression hangs, killing its process is the only way to stop it.
    const program = `
      import { reviewDocument } from '@src/domain/handoffs/document/review-document.ts';
      import { contradictions, mentionedCommits } from '@src/domain/handoffs/document/contradictions.ts';
      import { mentionedPaths } from '@src/domain/handoffs/document/mentioned-paths.ts';
      for (const unit of ${JSON.stringify(HOSTILE)}) {
        const text = unit.repeat(Math.ceil(${MAX_DOCUMENT_BYTES / 4} / unit.length)).slice(0, ${MAX_DOCUMENT_BYTES / 4});
        for (const hostile of [text, '## Files modified\\n\\n- ' + text]) {
          const facts = { kind: 'repository', branch: 'main', branches: { names: [], all: true }, head: 'abc', upstream: null,
            dirty: { count: 1, untracked: 0, unsure: 0, files: [{ path: 'a.ts', state: 'changed' }] }, unknownCommits: mentionedCommits(hostile) };
          const findings = [...reviewDocument(hostile, 'TOKEN'), ...contradictions(hostile, facts)];
          const longest = Math.max(0, ...findings.map(({ sentence }) => sentence.length));
          console.log(JSON.stringify({ unit, findings: findings.length, longest, paths: mentionedPaths(hostile).length }));
        }
      }`;
    const { stdout } = spawnSync(process.execPath, [await bundleProgram(program)], {
      encoding: 'utf8',
      timeout: 240_000,
      killSignal: 'SIGKILL',
    });
    const read = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { unit: string; findings: number; longest: number; paths: number });
    expect(read.map(({ unit }) => unit)).toEqual(HOSTILE.flatMap((unit) => [unit, unit]));
    expect(Math.max(...read.map(({ findings }) => findings))).toBeLessThanOrEqual(40);
    expect(Math.max(...read.map(({ longest }) => longest))).toBeLessThan(300);
    expect(Math.max(...read.map(({ paths }) => paths))).toBeLessThanOrEqual(100);
  });

  it('the document review never throws', () => {
    const unit = fc.constantFrom(
      '#',
      ' ',
      '\n',
      '`',
      '*',
      'TODO',
      ':',
      'next',
      'files',
      '- ',
      '1. ',
      'a/b.ts',
      '[',
      ']',
      '\r',
      '---',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const text = units.join('');
        const lines = text.split('\n').length;
        expect([...outline(text)].length).toBe(lines);
        for (const { line = 1 } of reviewDocument(text, 'TOKEN')) expect(line >= 1 && line <= lines).toBe(true);
        mentionedPaths(text);
      }),
    );
  });
});
