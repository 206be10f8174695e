// The parts of the stub model that differ between model APIs. The stub decides what to answer. A dialect reads the
// requests and writes the answers in the form of its API.

import { anthropic } from './anthropic.mjs';
import { chat } from './chat.mjs';
import { responses } from './responses.mjs';

/**
 * @typedef {{ name: string, input: Record<string, unknown> }} ToolUse
 * @typedef {{ prompt: string, promptBefore: string, texts: string[], system: string, toolResult: string | null,
 *   hasResult: boolean, tools: string[], said: string[], conversation: string }} Read
 *   the last prompt and the one before it; every text of the user; the tool result if the request ends with one; names of
 *   the tools; the model's own messages and the whole conversation as JSON
 * @typedef {{ event?: string, data: object | '[DONE]' }} Event
 * @typedef {{ whole: object, begin: Event[], word: (text: string) => Event, end: Event[] }} Answer
 *   the answer in one piece, or as a stream: its beginning, one event for each word, and its end with the text itself
 * @typedef {{ status: number, type?: string, message: string, extra?: object }} Refusal
 * @typedef {{ input: number, cacheRead: number, cacheWrite: number, output: number, reasoning: number }} Spent
 *   the tokens that an answer reports; no token is in two counts, except that the output includes the reasoning. The chat
 *   API has no count for written cache
 * @typedef {{ name: string, path: RegExp, read: (body: any) => Read,
 *   answer: (body: any, reply: { text: string, tool?: ToolUse, spent: Spent, id: number }) => Answer,
 *   fault: (refusal: Refusal) => object }} Dialect
 */

/** @type {Dialect[]} */
const DIALECTS = [anthropic, responses, chat];

/** @param {string} path of the request @returns {Dialect | undefined} */
export const dialectAt = (path) => DIALECTS.find((each) => each.path.test(path));

const LEAVES_SANDBOX = { sandbox_permissions: 'require_escalated', justification: 'Do you want the stub to do it?' };

const quoted = (/** @type {unknown} */ text) => `'${String(text).replaceAll("'", "'\\''")}'`;

/**
 * Maps each tool of Claude Code to the corresponding tools of other clients. If a client has no tool for files, the
 * stub uses the client's shell.
 * @type {Record<string, (input: any) => ToolUse[]>}
 */
const ELSEWHERE = {
  Bash: ({ command, description, asks }) => [
    { name: 'bash', input: { command, description: description ?? 'Does what the stub was told' } },
    // If the operator should be asked, run the command outside the sandbox, because a client with a sandbox asks only
    // about such commands.
    { name: 'exec_command', input: { cmd: command, ...(asks ? LEAVES_SANDBOX : {}) } },
    { name: 'shell_command', input: { command } },
    { name: 'shell', input: { command: ['bash', '-lc', command] } },
  ],
  Write: ({ file_path: path, content }) => [
    { name: 'write', input: { filePath: path, content } },
    ...inShell(`printf %s ${quoted(content)} > ${quoted(path)}`),
  ],
  Read: ({ file_path: path }) => [{ name: 'read', input: { filePath: path } }, ...inShell(`cat ${quoted(path)}`)],
};

/** @param {string} command @returns {ToolUse[]} */
const inShell = (command) => ELSEWHERE.Bash?.({ command }) ?? [];

/**
 * Returns a call of the given tool of Claude Code, or of the corresponding tool of the client that sent the request.
 * @param {ToolUse} use
 * @param {string[]} tools
 */
export function toolCall(use, tools) {
  const { asks, ...input } = use.input;
  if (tools.includes(use.name)) return { name: use.name, input };
  return ELSEWHERE[use.name]?.(use.input).find(({ name }) => tools.includes(name));
}
