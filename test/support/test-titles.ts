import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const TEST = fileURLToPath(new URL('..', import.meta.url));

export interface TestTitle {
  /** The path of the file, relative to the repository. */
  readonly file: string;
  /** The title as written in the source, including `%s`. */
  readonly title: string;
  /**
   * The title of the test, the titles of its describes, and the strings in its `it.each` table. Any of these texts may
   * cite a requirement.
   */
  readonly words: string;
}

/** Returns all tests of this repository. They are parsed from the sources, so comments do not count. */
export function testTitles(): readonly TestTitle[] {
  return readdirSync(TEST, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(\.test|-contract)\.ts$/.test(name))
    .sort()
    .flatMap((name) => titlesIn(`test/${name.replaceAll('\\', '/')}`, readFileSync(join(TEST, name), 'utf8')));
}

export function titlesIn(file: string, text: string): readonly TestTitle[] {
  const found: TestTitle[] = [];
  const visit = (node: ts.Node, around: string): void => {
    if (!ts.isCallExpression(node)) {
      node.forEachChild((child) => visit(child, around));
      return;
    }
    const kind = callee(node.expression);
    const [first] = node.arguments;
    const title = first !== undefined && isTitle(first) ? first.text : undefined;
    if (title === undefined || kind === undefined) {
      node.forEachChild((child) => visit(child, around));
      return;
    }
    const words = `${around} ${title} ${ts.isCallExpression(node.expression) ? stringsOf(node.expression) : ''}`;
    if (kind === 'it') found.push({ file, title, words });
    for (const each of node.arguments.slice(1)) visit(each, kind === 'describe' ? words : around);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), '');
  return found;
}

const isTitle = (node: ts.Node): node is ts.StringLiteralLike => ts.isStringLiteralLike(node);

/** Recognizes `it`, `it.each(…)`, `it.runIf(…)`, `describe` and similar calls. */
function callee(node: ts.Expression): 'it' | 'describe' | undefined {
  if (ts.isIdentifier(node)) return node.text === 'it' || node.text === 'describe' ? node.text : undefined;
  return ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) ? callee(node.expression) : undefined;
}

function stringsOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  const parts: string[] = [];
  node.forEachChild((child) => {
    parts.push(stringsOf(child));
  });
  return parts.filter(Boolean).join(' ');
}
