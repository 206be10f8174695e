// Describes the differences between the clients, so that a scene needs no code for a single client.

import { claudeCode } from './claude-code.mjs';
import { codex } from './codex.mjs';
import { opencode } from './opencode.mjs';

/**
 * @typedef {{ program: string, version: string, port: number, policy?: string, allow?: string[], noted?: string, project?: string }} Place
 *   the program, the port of the stub model, a command of the operator that runs after each submission and may refuse it
 *   with exit code 2 where the client allows it, a further command that gets each submission on its standard input
 * @typedef {Record<string, string | ((folder: string) => string)>} Files a text may depend on the folder of the files
 * @typedef {{ env: Record<string, string>, files: Files, projectFiles?: Record<string, string> }} Start
 *   the variables of the Baton server, which agents inherit; files below the operator's HOME and below the project
 * @typedef {object} ClientDescription
 * @property {string} id the name of the runtime
 * @property {string} package
 * @property {string} version the release that the checks are written for
 * @property {(modules: string, version: string) => string} programIn the program in the installed packages
 * @property {(place: Place) => Start} start a configuration that answers all questions of a first start, makes the client ask before each command, and writes
 *   every submitted prompt as one line {"prompt": …} to $HOME/submissions.jsonl
 * @property {Record<string, string | undefined>} [subscriber] the variables that make the client treat its operator as a subscriber; the client words the usage limit of a subscriber in another way
 * @property {string} [tab] a tab as the client sends it to the model
 * @property {string} [typedEnd] white space that the client may add to the end of a typed text
 * @property {{ composer: RegExp, empty: RegExp, draft: (text: string) => RegExp, chip: RegExp, working: RegExp, words: RegExp,
 *   dialog: RegExp, question: RegExp, compacted?: RegExp, cleared?: RegExp, interrupted: RegExp }} shows
 *   its composer, also with text; its empty composer; a draft that begins with this text; the mark of a long paste; a running turn; the first words of an
 *   answer; an open question; the question and its options alone
 * @property {{ interrupt: string[], clear: string[], allow: string[], queue?: string, search?: string[], editor?: string[] }} keys `search`: opens the search in
 *   earlier prompts; `editor`: opens the draft in the operator's editor
 * @property {(used: number, window: number) => number} percentOf the context use in percent of the tokens that the client accepts before it compacts
 * @property {Record<string, Record<string, string>>} [ways] the ways of delivery, with the variables that choose each; absent if Baton can only type
 * @property {string} [serverSocket] the socket of the client's own server, in the folder of the agent
 * @property {RegExp} [serverProcess] the command line of the client's own server
 * @property {RegExp} [terminalProcess] the command line of the program in the pane
 * @property {(user: string, texts: string[]) => string[]} [steered] those of Baton's texts that went into a turn that was running, from the client's own files below HOME
 * @property {boolean} [tellsBranch] true if the client tells the model the git branch of its folder
 * @property {string} [full] a prompt after whose turn the client compacts at its next prompt; absent if the client compacts only when the API refuses a prompt
 * @property {{ command: (program: string) => string, trust?: RegExp, review: RegExp, keys: string[] }} [ownSession] how the operator starts a session that Baton can adopt, the client's questions about the folder and about new hooks, and the keys that trust them
 * @property {(program: string, text: string) => string} [nested] a command that runs another session of the client with this prompt, and ends
 * @property {{ below: number, above: number }} [compaction] two numbers of used tokens: after the first the client does not compact at its next prompt, after the second it does
 * @property {{ compact?: string, clear?: string, other?: string, branch?: string, asks?: string }} commands `other`: goes on in another session; `branch`:
 *   goes on in a copy of the session; `asks`: lets the agent ask questions of its own
 * @property {(stage: { press: (...keys: string[]) => Promise<void> }) => Promise<void>} [branches] presses the keys that the client wants after the command `branch`
 * @property {{ name: string, input: Record<string, unknown> }} [subagent] a tool call that starts a subagent; absent if the client does not tell the tokens of subagents
 * @property {{ input: number, output: number, cache_read: number, cache_write: number }} [price] the US dollars for a million tokens by which the client
 *   computes its costs; absent if it names no costs
 * @property {string} [questionTool] the tool with which the agent asks the operator; absent if its name is `question`
 * @property {(stage: import('../situations/stage.mjs').Stage) => Promise<void>} [takesBack] takes the operator's last prompt back into the composer
 * @property {Record<string, string>} cannot the checks and cases that the client cannot play, with the reason
 */

/**
 * Returns whether the model got exactly the given text, apart from changes that the client always makes (tabs, a space
 * at the end).
 * @param {ClientDescription} client
 * @param {string} got
 * @param {string} text
 */
export function isExact({ tab = '\t', typedEnd = '' }, got, text) {
  const sent = text.replaceAll('\t', tab);
  return got === sent || got === sent + typedEnd;
}

/** @type {ClientDescription[]} */
export const CLIENTS = [claudeCode, codex, opencode];
