// biome-ignore-all lint/suspicious/noTemplateCurlyInString: some strings quote source code with `${…}`
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ANY_COMMAND } from '../../src/contract/words/machine-commands.ts';
import { SLUG_SHAPE } from '../../src/domain/personas/persona.ts';
import { phrasePattern } from '../../src/domain/search/search-query.ts';
import { ANY_SOURCE, SECRET_SHAPES } from '../../src/domain/secrets/secret-shapes.ts';
import { shapeOf } from '../../src/surfaces/http/server/find-route.ts';
import { ROUTES } from '../../src/surfaces/http/server/routes.ts';
import { planted, plantNamed } from '../plants/plants.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ATTACKER = fileURLToPath(new URL('attacks/attack-expression.mjs', import.meta.url));

/**
 * The maximum length of a handoff document in characters. Every regular expression must handle a text of this length,
 * except the expressions in SHORTER.
 */
const LONGEST = 1024 * 1024;

export interface Expression {
  /** The path of the source file, for example `src/domain/facts.ts`. */
  readonly file: string;
  /** The regular expression as it is written in the source. */
  readonly text: string;
  readonly source: string;
  readonly flags: string;
  /** If true, the expression is tried at every position of the text, like an expression with the flag `g`. */
  readonly everywhere: boolean;
  readonly length: number;
}

/**
 * The expressions of the practice agent get only short texts in this test. The practice agent runs in its own process,
 * so its expressions cannot block Baton.
 */
const PRACTICE = 'src/practice/';
const MAX_PRACTICE = 2_000;

/**
 * Expressions that get only short texts in this test, because Baton never applies them to a whole document. `why` gives
 * the reason for each.
 */
const SHORTER: readonly { file: string; expression: string; length: number; why: string }[] = [];

/** Code that builds regular expressions at run time, and the expressions that it builds. */
const MADE: readonly { file: string; expression: string; made: readonly RegExp[] }[] = [
  {
    file: 'src/domain/secrets/secret-shapes.ts',
    expression: 'new RegExp(whole)',
    made: SECRET_SHAPES.map(({ shape }) => shape),
  },
  {
    file: 'src/domain/secrets/secret-shapes.ts',
    expression: 'new RegExp(`${cut}$`)',
    made: SECRET_SHAPES.flatMap(({ cut }) => (cut === undefined ? [] : [cut])),
  },
  {
    file: 'src/domain/secrets/redact.ts',
    expression: "new RegExp(shape, 'dg')",
    made: SECRET_SHAPES.map(({ shape }) => new RegExp(shape, 'dg')),
  },
  {
    file: 'src/domain/secrets/redact.ts',
    expression: "new RegExp(cut, 'dg')",
    made: SECRET_SHAPES.flatMap(({ cut }) => (cut === undefined ? [] : [new RegExp(cut, 'dg')])),
  },
  {
    file: 'src/domain/secrets/redact.ts',
    expression: 'new RegExp(ANY_SOURCE)',
    made: [new RegExp(ANY_SOURCE)],
  },
  {
    file: 'src/contract/words/machine-commands.ts',
    expression: "new RegExp(source, 'g')",
    made: [ANY_COMMAND],
  },
  {
    file: 'src/domain/search/search-query.ts',
    expression: "new RegExp(`(?<![a-z0-9])${words.join('[^a-z0-9]+')}(?![a-z0-9])`, 'i')",
    made: [
      phrasePattern([
        { folded: 'aa', isPrefix: false },
        { folded: 'a', isPrefix: true },
      ]),
    ],
  },
  {
    file: 'src/adapters/stores/sqlite/upkeep/examine-database.ts',
    expression: 'new RegExp(`^${SLUG_SHAPE}$`)',
    made: [new RegExp(`^${SLUG_SHAPE}$`)],
  },
  {
    file: 'src/surfaces/http/server/find-route.ts',
    expression: 'new RegExp(`^${filled}$`)',
    made: ROUTES.map(({ path }) => shapeOf(path)),
  },
  {
    file: 'src/practice/session/hooks.ts',
    expression: 'new RegExp(`^(?:${hook.matcher})$`)',
    made: [/^(?:startup|resume|clear|compact)$/],
  },
  {
    file: 'src/surfaces/page/terminal/terminal.tsx',
    expression: 'new RegExp(`^${prefix}-#[0-9a-f]{6}$`)',
    made: [/^fg-#[0-9a-f]{6}$/],
  },
];

/** Finds every regular expression by parsing the source code, so a new expression is attacked automatically. */
export function findExpressions(): {
  readonly expressions: readonly Expression[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const expressions: Expression[] = [];
  const used = new Set<unknown>();
  for (const { file, node } of literalsIn(join(ROOT, 'src'))) {
    const text = node.getText();
    const shorter = SHORTER.find((each) => each.file === file && each.expression === text);
    if (shorter !== undefined) used.add(shorter);
    const length = shorter?.length ?? (file.startsWith(PRACTICE) ? MAX_PRACTICE : LONGEST);
    if (ts.isRegularExpressionLiteral(node)) {
      const end = text.lastIndexOf('/');
      const [source, flags] = [text.slice(1, end), text.slice(end + 1)];
      expressions.push({ file, text, source, flags, everywhere: flags.includes('g') || isSplitting(node), length });
      continue;
    }
    const made = MADE.find((each) => each.file === file && each.expression === text);
    if (made === undefined)
      problems.push(`${file} makes an expression while it runs, and nothing says what it is then: ${text}`);
    else used.add(made);
    for (const { source, flags } of made?.made ?? [])
      expressions.push({ file, text, source, flags, everywhere: flags.includes('g'), length });
  }
  for (const entry of [...SHORTER, ...MADE])
    if (!used.has(entry)) problems.push(`${entry.file} has no expression ${entry.expression} any more`);
  return { expressions, problems };
}

interface Found {
  readonly file: string;
  readonly node: ts.Node;
}

function literalsIn(folder: string): readonly Found[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return files.flatMap((path) => {
    const source = ts.createSourceFile(path, sourceOf(path), ts.ScriptTarget.Latest, true);
    const found: Found[] = [];
    const visit = (node: ts.Node): void => {
      const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
      if (ts.isRegularExpressionLiteral(node) || isMade) found.push({ file: relative(ROOT, path), node });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** Returns the source text. If BATON_PLANT names a planted bug (a bug added on purpose), the text contains this bug. */
function sourceOf(path: string): string {
  const plant = process.env.BATON_PLANT ? plantNamed(process.env.BATON_PLANT) : undefined;
  const text = readFileSync(path, 'utf8');
  return plant === undefined ? text : (planted(plant, relative(ROOT, path), text) ?? text);
}

const isSplitting = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && /\.split$/.test(parent.expression.getText());

export interface Slowest {
  readonly ms: number;
  readonly where: string;
}

/** The maximum time for which an expression may block the event loop, on a text of the maximum length. */
const MAX_MS = 50;

/** Returns one sentence for each expression that is too slow, and the slowest expression of all. */
export async function attackExpressions(
  expressions: readonly Expression[],
): Promise<{ readonly found: readonly string[]; readonly slowest: Slowest }> {
  const unique = [...new Map(expressions.map((each) => [JSON.stringify({ ...each, file: '' }), each])).values()];
  const costs = await ask(unique);
  const told = unique.map((each, index) => ({ each, ...(costs[index] as Cost) }));
  const slowest = told.reduce<Slowest>(
    (worst, { each, ms }) => (ms > worst.ms ? { ms, where: `${each.file} ${each.text}` } : worst),
    { ms: 0, where: '' },
  );
  return {
    slowest,
    found: told
      .filter(({ ms }) => ms > MAX_MS)
      .map(({ each, ms, text, length }) => {
        const cost = `${Math.round(ms)} ms for ${length} characters such as ${text}`;
        return `${each.file} ${each.text.slice(0, 120)}: ${cost} (it sees up to ${each.length})`;
      }),
  };
}

interface Cost {
  readonly ms: number;
  readonly text: string;
  readonly length: number;
}

/**
 * Measures in a separate process. A hanging expression then blocks only that process, and other work of this process
 * does not distort the times.
 */
function ask(expressions: readonly Expression[]): Promise<readonly Cost[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ATTACKER], { stdio: ['pipe', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(told) as Cost[])
        : reject(new Error(`the process that attacks expressions ended with code ${code}`)),
    );
    child.stdin.end(JSON.stringify(expressions));
  });
}
