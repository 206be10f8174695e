// Converts the hook inputs of a client into a trace that can be compared with the trace of another client. A trace
// contains the sessions, the prompts and the events with their fields, in order. Each id is replaced by its kind and a
// number, such as `session-1`. Texts that the client wrote are left out.

/**
 * @typedef {{ event: string, session: string, transcript: string, prompt_id?: string, prompt?: string, [field: string]: unknown }} TraceEvent
 * @typedef {{ scene: string, events: TraceEvent[], status?: string[], user_lines: string[], exit_code: number, facts?: Record<string, unknown> }} Trace
 */

/** Fields of hook inputs whose values must be equal in both traces. */
const VALUES = ['source', 'reason', 'trigger', 'notification_type', 'tool_name'];
/**
 * Fields of hook inputs that must be present in both traces. Their values are not compared, because each client has its
 * own values.
 */
const PRESENT = [
  'cwd',
  'message',
  'last_assistant_message',
  'error',
  'tool_input',
  'tool_use_id',
  'tool_response',
  'permission_mode',
  'compact_summary',
];

/**
 * @param {{ scene: string, hooks: any[], statuses?: any[], userLines: string[], said: string[], exitCode: number, facts?: Record<string, unknown> }} played
 * @returns {Trace}
 */
export function traceOf({ scene, hooks, statuses, userLines, said, exitCode, facts }) {
  const session = namer('session');
  const transcript = namer('transcript');
  const promptId = namer('prompt');
  const text = namer('text');
  for (const line of said) text(line);
  const events = hooks.map((payload) => ({
    event: payload.hook_event_name,
    session: session(payload.session_id),
    transcript: transcript(payload.transcript_path),
    ...(payload.prompt_id === undefined ? {} : { prompt_id: promptId(payload.prompt_id) }),
    ...(payload.prompt === undefined ? {} : { prompt: text(payload.prompt) }),
    ...Object.fromEntries(VALUES.filter((key) => key in payload).map((key) => [key, payload[key]])),
    ...(payload.background_tasks === undefined ? {} : { background_tasks: payload.background_tasks.length }),
    has: PRESENT.filter((key) => key in payload),
  }));
  return {
    scene,
    events,
    ...(statuses === undefined ? {} : { status: withoutRepeats(statuses.map((line) => contextUse(line, session))) }),
    user_lines: userLines.map(text),
    exit_code: exitCode,
    ...(facts === undefined ? {} : { facts }),
  };
}

/** Lists the differences between the recorded trace and a new trace, one line for each event or field that differs. */
export function differences(/** @type {Trace} */ recorded, /** @type {Trace} */ played) {
  const lines = [];
  const length = Math.max(recorded.events.length, played.events.length);
  for (let at = 0; at < length; at++) lines.push(...difference(`event ${at}`, recorded.events[at], played.events[at]));
  for (const key of /** @type {const} */ (['status', 'user_lines', 'exit_code', 'facts']))
    lines.push(...difference(key, recorded[key], played[key]));
  return lines;
}

function difference(/** @type {string} */ what, /** @type {unknown} */ recorded, /** @type {unknown} */ played) {
  const [before, now] = [JSON.stringify(recorded) ?? 'nothing', JSON.stringify(played) ?? 'nothing'];
  return before === now ? [] : [`${what}: recorded ${before}, played ${now}`];
}

function namer(/** @type {string} */ kind) {
  /** @type {Map<unknown, string>} */
  const names = new Map();
  return (/** @type {unknown} */ id) => {
    if (!names.has(id)) names.set(id, `${kind}-${names.size + 1}`);
    return names.get(id) ?? '';
  };
}

function contextUse(/** @type {any} */ line, /** @type {(id: unknown) => string} */ session) {
  const { used_percentage: share, context_window_size: size } = line.context_window;
  const known = share === null ? 'unknown' : typeof share;
  return `${session(line.session_id)}: used_percentage ${known}, context_window_size ${typeof size}`;
}

const withoutRepeats = (/** @type {string[]} */ lines) => lines.filter((line, at) => line !== lines[at - 1]);
