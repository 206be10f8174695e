/** The topics of inbox items that concern an agent and not a run. */
export const AGENT_TOPICS = [
  'asks',
  'terminal',
  'unknown',
  'turn-failed',
  'limited',
  'finished',
  'near-threshold',
  'countdown',
  'auto-held',
  'asks-handoff',
  'cut-off',
  'gone',
] as const;
export type AgentTopic = (typeof AGENT_TOPICS)[number];

/** The cause of an inbox item. The inbox has at most one current item for each cause. */
export type InboxCause =
  | { readonly of: 'run'; readonly runId: number; readonly what: string }
  | { readonly of: 'agent'; readonly agentId: number; readonly what: AgentTopic }
  | { readonly of: 'package'; readonly packageId: string; readonly what: string }
  /**
   * A persona has lessons that wait for a person's decision. The cause contains the persona's slug, because a slug
   * never changes.
   */
  | { readonly of: 'persona'; readonly slug: string; readonly what: 'lessons' }
  /** Agents were lost because a tmux server ended. */
  | { readonly of: 'outage'; readonly server: string }
  /** A part of Baton fails repeatedly. */
  | { readonly of: 'trouble'; readonly part: string }
  /**
   * A past event. Its inbox item closes by itself. If `until` is `ended`, the item closes when the agent ends. Any
   * other value is the reference of a message, and the item closes when the agent receives this message.
   */
  | { readonly of: 'event'; readonly seq: number; readonly until: string | null }
  /** A cause that another version of Baton has stored and that this version does not know. */
  | { readonly of: 'other'; readonly key: string };

const PREFIX = { outage: 'restore/', trouble: 'trouble/' } as const;
const UNTIL = 'until-';

/**
 * A key is the text form of a cause; the store finds inbox items by their key. Only this file builds and parses keys.
 */
export function inboxKey(cause: InboxCause): string {
  switch (cause.of) {
    case 'run':
      return `run/${cause.runId}/${cause.what}`;
    case 'agent':
      return `agent/${cause.agentId}/${cause.what}`;
    case 'package':
      return `${inboxKeyPrefix(cause)}${cause.what}`;
    case 'persona':
      return `${inboxKeyPrefix({ persona: cause.slug })}${cause.what}`;
    case 'outage':
      return `${PREFIX.outage}${cause.server}`;
    case 'trouble':
      return `${PREFIX.trouble}${cause.part}`;
    case 'event':
      return cause.until === null ? `event/${cause.seq}` : `event/${cause.seq}/${UNTIL}${cause.until}`;
    case 'other':
      return cause.key;
  }
}

/**
 * Returns the prefix that the keys of related inbox items share: all items about one package, all items about one
 * persona, all items about outages, or all items about failing parts of Baton.
 */
export function inboxKeyPrefix(
  about: { readonly packageId: string } | { readonly persona: string } | { readonly of: 'outage' | 'trouble' },
): string {
  if ('packageId' in about) return `package/${about.packageId}/`;
  return 'persona' in about ? `persona/${about.persona}/` : PREFIX[about.of];
}

/** Converts a stored key to its cause. This is the inverse of `inboxKey`. */
export function inboxCause(key: string): InboxCause {
  if (key.startsWith(PREFIX.outage)) return { of: 'outage', server: key.slice(PREFIX.outage.length) };
  if (key.startsWith(PREFIX.trouble)) return { of: 'trouble', part: key.slice(PREFIX.trouble.length) };
  const [of = '', id = '', ...rest] = key.split('/');
  return causeFrom(of, id, rest.join('/')) ?? { of: 'other', key };
}

function causeFrom(of: string, id: string, what: string): InboxCause | undefined {
  if (of === 'package') return { of, packageId: id, what };
  if (of === 'persona') return what === 'lessons' ? { of, slug: id, what } : undefined;
  const number = Number(id);
  if (!Number.isSafeInteger(number)) return undefined;
  if (of === 'run') return { of, runId: number, what };
  if (of === 'event') return { of, seq: number, until: what.startsWith(UNTIL) ? what.slice(UNTIL.length) : null };
  const topic = AGENT_TOPICS.find((each) => each === what);
  return of === 'agent' && topic !== undefined ? { of, agentId: number, what: topic } : undefined;
}
