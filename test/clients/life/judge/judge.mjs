// Finds prompts that Baton typed while the client was working. The evidence is the bytes of the pane, the client's
// status file, a user hook that records each submission, and the requests at the model.

/** @typedef {{ at: number, status: string }} Status */
/** @typedef {{ pane: string, pid: number, file: string, size: number, chunks: { at: number, bytes: Buffer }[] }} Pane */
/** @typedef {{ at: number, prompt: string, session: string }} Submission */
/** @typedef {{ text: string, at: number, pane: string }} Shown */

const SAME_TURN_MS = 1_500;
/**
 * The longest pause between two turns that counts as continuous work. Such a pause precedes the turn of a queued
 * prompt.
 */
const GAP_MS = 300;
const DRAWN_MS = 400;
const PREFIX = 18;

const bare = (/** @type {string} */ text) => text.replace(/\s/g, '');
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences contain control characters
const ESCAPES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cDEHMNOZ]/g;

/**
 * Returns the pane's text without escapes and blanks, and the time when each part of the text arrived.
 * @param {Pane} pane
 */
function streamOf(pane) {
  /** @type {{ from: number, at: number }[]} */
  const marks = [];
  const parts = [];
  let length = 0;
  let rest = '';
  for (const { at, bytes } of pane.chunks) {
    const raw = rest + bytes.toString('latin1');
    const cut = openEscape(raw);
    rest = raw.slice(cut);
    const text = bare(Buffer.from(raw.slice(0, cut).replace(ESCAPES, ''), 'latin1').toString('utf8'));
    marks.push({ from: length, at });
    parts.push(text);
    length += text.length;
  }
  return { text: parts.join(''), timeAt: (/** @type {number} */ index) => timeOf(marks, index) };
}

/**
 * Returns the index of the incomplete escape sequence at the end of the chunk. Returns the chunk's length if there is
 * no such sequence.
 */
function openEscape(/** @type {string} */ raw) {
  const last = raw.lastIndexOf('\x1b');
  if (last === -1) return raw.length;
  ESCAPES.lastIndex = 0;
  return raw.slice(last).search(ESCAPES) === 0 ? raw.length : last;
}

const timeOf = (/** @type {{ from: number, at: number }[]} */ marks, /** @type {number} */ index) =>
  marks.findLast(({ from }) => from <= index)?.at ?? 0;

/**
 * Returns each paste placeholder with the time of its first appearance.
 * @param {ReturnType<typeof streamOf>} stream
 * @param {string} pane
 */
function pastesIn(stream, pane) {
  /** @type {Map<string, Shown>} */
  const all = new Map();
  for (const { 0: text, index } of stream.text.matchAll(/\[Pastedtext#\d+/g)) {
    if (!all.has(text)) all.set(text, { text, at: stream.timeAt(index), pane });
  }
  return all.values();
}

/**
 * Returns when each text of Baton first appeared in a pane. A message counts only in the pane to which Baton sent it,
 * because the prompt of a successor may quote the message in another pane.
 * @param {Map<string, Pane>} panes
 * @param {{ text: string, pane?: string }[]} texts
 */
export function shownIn(panes, texts) {
  /** @type {Shown[]} */
  const all = [];
  const moved = new Set();
  for (const pane of panes.values()) {
    const stream = streamOf(pane);
    const seen = new Set();
    for (const { text, pane: only = pane.pane } of texts) {
      const prefix = bare(text).slice(0, PREFIX);
      if (only !== pane.pane || seen.has(prefix)) continue;
      seen.add(prefix);
      const index = stream.text.indexOf(prefix);
      if (index !== -1) all.push({ text, at: stream.timeAt(index), pane: pane.pane });
    }
    for (const paste of pastesIn(stream, pane.pane)) {
      // The client first draws a pasted text as a placeholder. After the text is submitted, the client draws it in
      // full.
      const isIt = (/** @type {Shown} */ each) => each.pane === pane.pane && each.at >= paste.at && !moved.has(each);
      const full = all.find((each) => isIt(each) && !each.text.startsWith('❯'));
      moved.add(full);
      if (full === undefined) all.push(paste);
      else full.at = paste.at;
    }
  }
  return all;
}

/**
 * @param {{ statuses: Map<number, Status[]>, panes: Map<string, Pane> }} watch
 * @param {Shown[]} shown
 * @param {Submission[]} submissions
 * @param {string[]} texts all texts that Baton typed
 */
export function typedWhileWorking({ statuses, panes }, shown, submissions, texts) {
  return shown.filter(({ text, at, pane }) => {
    const work = workAt(statuses.get(panes.get(pane)?.pid ?? 0) ?? [], at);
    if (work === null) return false;
    const isIt = (/** @type {Submission} */ { prompt }) =>
      text.startsWith('[Pastedtext') ? texts.includes(prompt) : prompt === text;
    // During a turn, a text of Baton may appear only if this text is the prompt that started the turn.
    const from = Math.max(work.began - SAME_TURN_MS, work.restedFrom);
    const first = submissions.find((each) => each.at > from && each.at < work.began + SAME_TURN_MS);
    if (first !== undefined) return !isIt(first);
    return at - work.began > DRAWN_MS;
  });
}

/**
 * If the client works at the time `at`, returns when this work began and when the idle time before the work began.
 * Otherwise returns null.
 * @param {Status[]} statuses
 * @param {number} at
 */
function workAt(statuses, at) {
  if (!isWork(statuses.findLast(({ at: from }) => from <= at)?.status ?? '')) return null;
  /** @type {number | null} */
  let began = null;
  let restedFrom = 0;
  for (const [index, { at: from, status }] of statuses.entries()) {
    if (from > at) break;
    const until = statuses[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (isWork(status)) began ??= from;
    else if (Math.min(until, at) - from > GAP_MS) {
      began = null;
      restedFrom = from;
    }
  }
  return began === null ? null : { began, restedFrom };
}

/**
 * Derives the client's statuses from its requests to the model, for a client without a status file.
 * @param {{ at: number, endedAt: number | null }[]} requests
 * @returns {Status[]}
 */
export const statusesOf = (requests) =>
  requests
    .flatMap(({ at, endedAt }) => [
      { at, status: 'busy' },
      { at: endedAt ?? Date.now(), status: 'idle' },
    ])
    .sort((one, other) => one.at - other.at);

/** An open dialog counts as work, because Baton must not type into it. */
const isWork = (/** @type {string} */ status) => status === 'busy' || status === 'waiting';
