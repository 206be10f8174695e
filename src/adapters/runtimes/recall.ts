import type { Recollection } from '../../domain/handoffs/document/emergency-document.ts';

/**
 * The tools of Claude Code that write a file. The input of such a tool names the file in `file_path` or
 * `notebook_path`.
 */
const WRITERS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const MAX_MESSAGES = 20;

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly name?: unknown;
  readonly input?: Readonly<Record<string, unknown>>;
}

interface Line {
  readonly type?: unknown;
  readonly isSidechain?: unknown;
  readonly isMeta?: unknown;
  readonly message?: { readonly content?: unknown };
}

/**
 * Reads the end of a conversation from the lines of a transcript. Lines of subagents and of the client itself are left
 * out.
 */
export function recallFrom(lines: readonly string[]): Recollection {
  const said: { by: 'user' | 'agent'; text: string }[] = [];
  const files = new Set<string>();
  let plan: readonly string[] = [];
  for (const line of lines) {
    const { type, isSidechain, isMeta, message } = parse(line);
    if ((type !== 'user' && type !== 'assistant') || isSidechain === true || isMeta === true) continue;
    const blocks = blocksOf(message?.content);
    const text = blocks.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n');
    if (text.trim() !== '') said.push({ by: type === 'user' ? 'user' : 'agent', text });
    for (const { name, input } of blocks.filter((block) => block.type === 'tool_use')) {
      const path = input?.file_path ?? input?.notebook_path;
      if (WRITERS.has(String(name)) && typeof path === 'string') {
        files.delete(path);
        files.add(path);
      }
      if (name === 'TodoWrite') plan = todosIn(input?.todos);
    }
  }
  return { said: said.slice(-MAX_MESSAGES), plan, files: [...files] };
}

const blocksOf = (content: unknown): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? (content as Block[]) : [];

const todosIn = (todos: unknown): readonly string[] =>
  Array.isArray(todos)
    ? todos.map(
        ({ content, status }: { content?: unknown; status?: unknown }) => `${String(content)} (${String(status)})`,
      )
    : [];

/**
 * Parses a line of a transcript. Returns an empty object for a line that lacks its beginning or is only half-written.
 */
function parse(line: string): Line {
  try {
    return (JSON.parse(line) ?? {}) as Line;
  } catch {
    return {};
  }
}
