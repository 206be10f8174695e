import { Composer, CST, Lexer, LineCounter, Parser } from 'yaml';
import { TOO_LARGE } from '../../domain/packages/content/plain-data.ts';
import { boundsProblem, tokenProblem, YAML_BOUNDS, type YamlProblem } from './yaml-bounds.ts';
import { plainProblem } from './yaml-nodes.ts';

export type ParsedYaml =
  | { readonly problem: YamlProblem }
  | { readonly value: unknown; readonly lineOf: (path: Path) => number | undefined };

type Path = readonly (string | number)[];

/**
 * Parses YAML as plain data. Checks the size, the tokens, the depth and the number of nodes before it builds the
 * document, and checks the kinds of values and keys afterwards. The description of a problem gives the number of the
 * line but never quotes the line, which may contain a secret.
 */
export function parseStrictYaml(text: string): ParsedYaml {
  const tooMuch = boundsProblem(text);
  if (tooMuch !== undefined) return { problem: tooMuch };
  const lines = new LineCounter();
  const problem = tokenProblem(new Lexer().lex(text));
  if (problem !== undefined) return { problem };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = depthProblem(tokens);
  if (deep !== undefined) return { problem: deep };
  const documents = [
    ...new Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: true, strict: true }).compose(tokens),
  ];
  const [document] = documents;
  if (document === undefined || documents.length !== 1 || document.contents === null)
    return { problem: { sentence: SENTENCES.MULTIPLE_DOCS ?? NO_YAML, line: 1, fix: FIXES.MULTIPLE_DOCS ?? CHECK } };
  const [error] = document.errors;
  if (error !== undefined)
    return {
      problem: {
        sentence: SENTENCES[error.code] ?? NO_YAML,
        line: lines.linePos(error.pos[0]).line,
        fix: FIXES[error.code] ?? CHECK,
      },
    };
  const odd = plainProblem(document.contents);
  if (odd !== undefined) {
    const { offset, ...told } = odd;
    return { problem: { ...told, line: lines.linePos(offset).line } };
  }
  return {
    value: document.toJS({ maxAliasCount: 0 }),
    // A missing field has no line, so use the line of the nearest enclosing block that exists.
    lineOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
        if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
      }
      return undefined;
    },
  };
}

const NO_YAML = 'This is not YAML.';
const SENTENCES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'A key occurs twice in the same block.',
  TAB_AS_INDENT: 'A tab is used as indentation; YAML allows only spaces.',
  BAD_INDENT: 'The indentation or a bracket does not match.',
  MISSING_CHAR: 'A bracket, quote or colon is missing.',
  MULTIPLE_DOCS: 'The file must contain exactly one YAML document.',
};

const CHECK = 'Correct the YAML at this line.';
const FIXES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'Write every key only once.',
  TAB_AS_INDENT: 'Indent with spaces.',
  MULTIPLE_DOCS: 'Write one package per file.',
};

/**
 * Uses a list instead of recursion, because input that is nested too deeply would overflow the stack of a recursive
 * function.
 */
function depthProblem(tokens: readonly CST.Token[]): YamlProblem | undefined {
  const waiting: { token: unknown; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > YAML_BOUNDS.depth)
      return { sentence: `The file is nested more than ${YAML_BOUNDS.depth} levels deep.`, fix: TOO_LARGE };
    for (const inner of innerOf(token)) {
      if (++nodes > YAML_BOUNDS.nodes)
        return { sentence: `The file has more than ${YAML_BOUNDS.nodes} values.`, fix: TOO_LARGE };
      waiting.push({ token: inner, depth: depth + 1 });
    }
  }
  return undefined;
}

function innerOf(token: unknown): readonly unknown[] {
  if (typeof token !== 'object' || token === null) return [];
  const { items, value } = token as { items?: CST.CollectionItem[]; value?: unknown };
  const held =
    items?.flatMap((item) => [item.key, item.value]) ?? (CST.isCollection(value as CST.Token) ? [value] : []);
  const document = (token as { type?: string }).type === 'document' ? [value] : [];
  return [...held, ...document].filter((each) => each !== undefined && each !== null);
}
