// Collects Baton's sentences: every text of at least three words in an answer of Baton, except quoted text.

/** Fields to skip, because they quote the operator, the agent or the client, or contain no sentence. */
const REPEATED = new Set([
  'activity',
  'note',
  'task',
  'compact_summary',
  'attach_command',
  'path',
  'absolute_path',
  'folder',
  'socket',
]);

const isSentence = (/** @type {string} */ text) => text.trim().split(/\s+/).length >= 3;

/** @returns {[path: string, sentence: string][]} */
export function sentencesIn(/** @type {unknown} */ told, path = '') {
  if (typeof told === 'string') return isSentence(told) ? [[path, told.trim()]] : [];
  if (Array.isArray(told)) return told.flatMap((each) => sentencesIn(each, path));
  if (typeof told !== 'object' || told === null) return [];
  return Object.entries(told).flatMap(([key, value]) =>
    REPEATED.has(key) ? [] : sentencesIn(value, path === '' ? key : `${path}.${key}`),
  );
}

/** Returns the lines of a command's output that are sentences. */
export const linesOf = (/** @type {string} */ output) =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter(isSentence);

/**
 * Compares the inbox with the output of `baton agent answer ID`. Returns an error if only one of the two advises
 * `--choice`. Otherwise returns undefined.
 * @param {readonly string[]} inbox
 * @param {{ code: number | null, output: string }} command
 * @returns {string | undefined}
 */
export function wrongAdvice(inbox, { code, output }) {
  const said = output.trim() || 'nothing';
  const advised = inbox.find((sentence) => /agent answer \d+ --choice/.test(sentence));
  const offers = code === 0 && /agent answer \d+ --choice/.test(output);
  if (advised !== undefined && !offers) return `the inbox advises "${advised}", and the command says "${said}"`;
  if (advised === undefined && offers) return `the inbox does not advise --choice, but the command does: "${said}"`;
  return undefined;
}

/**
 * Untrue sentences that Baton said in the past. Such a sentence is a failure unless the situation lists it in `maySay`.
 * @type {Record<string, RegExp>}
 */
export const UNTRUE = {
  blocked_by_hook: /one of your own hooks blocked it/,
  no_activity: /showed no activity in time/,
  no_stop_hook: /no Stop hook arrived/,
  no_composer_yet: /has not shown its composer yet/,
  /** A sentence that Baton must not say, because its grammar is bad, even if its content is true. */
  pasted_but_but: /but the text was pasted, but/,
};
