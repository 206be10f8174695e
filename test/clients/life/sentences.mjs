// What Baton says, as sentences: every text of a few words in an answer, but not what it only repeats.

/** Said by the operator, the agent or the client, or no sentence at all. */
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

/** Lines of a command's output; a table's empty ones are none. */
export const linesOf = (/** @type {string} */ output) =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter(isSentence);

/**
 * Untrue wherever they are said, unless a situation is exactly about that; each was once said by Baton of something else.
 * @type {Record<string, RegExp>}
 */
export const UNTRUE = {
  blocked_by_hook: /one of your own hooks blocked it/,
  no_activity: /showed no activity in time/,
  no_stop_hook: /No Stop hook came/,
  no_composer_yet: /has not shown its composer yet/,
  /** Not untrue, but no sentence. */
  pasted_but_but: /but the text was pasted, but/,
};
