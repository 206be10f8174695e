import type { HubUser, StateTopic } from '../../app/ports/fleet/fleet-link.ts';

/**
 * The names of streams, consumers and subjects on the hub. Dots separate the parts of a subject. A machine's name
 * contains no dot, so it is always exactly one part.
 */

export const STATE_STREAM = 'STATE';
export const eventStream = (machine: string): string => `EV_${machine}`;
export const commandStream = (machine: string): string => `CMD_${machine}`;
/** The name of the consumer through which a machine gets its commands. */
export const COMMANDS = 'baton';
/** Returns the name of the consumer through which a machine gets the states of the other machines. */
export const viewOf = (machine: string): string => `view_${machine}`;

export const subjects = {
  events: (machine: string) => `baton.ev.${machine}`,
  state: ({ machine, kind, id }: StateTopic) => `baton.st.${machine}.${kind}.${id}`,
  command: (machine: string) => `baton.cmd.${machine}`,
  ask: (machine: string) => `baton.ask.${machine}`,
  founder: (question: string, machine: string) => `baton.founder.${question}.${machine}`,
  join: (invitation: string) => `baton.join.${invitation}`,
  inbox: (user: string) => `_INBOX.${user}`,
} as const;

export function topicOf(subject: string): StateTopic | undefined {
  const [, , machine, kind, id] = subject.split('.');
  return machine === undefined || kind === undefined || id === undefined ? undefined : { machine, kind, id };
}

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * Returns the permissions of a user on the hub. A member may write only its own events and states, and take only its
 * own commands. Only the role `operator` may send commands. No member can create a consumer. Otherwise a member could
 * make its consumer send messages to another machine, and the hub would not prevent this.
 */
export function permissionsOf({ as }: HubUser): Permissions {
  if (as.kind === 'founder') return { publish: ['>'], subscribe: ['>'] };
  if (as.kind === 'invitation')
    return { publish: [subjects.join(as.id)], subscribe: [`${subjects.inbox(`join-${as.id}`)}.>`] };
  const { name, role } = as;
  return {
    publish: [
      subjects.events(name),
      `baton.st.${name}.>`,
      `baton.founder.*.${name}`,
      'baton.ask.*',
      ...(role === 'operator' ? ['baton.cmd.*'] : []),
      `$JS.API.STREAM.MSG.GET.${eventStream(name)}`,
      `$JS.API.CONSUMER.INFO.${STATE_STREAM}.${viewOf(name)}`,
      `$JS.API.CONSUMER.MSG.NEXT.${STATE_STREAM}.${viewOf(name)}`,
      `$JS.API.CONSUMER.INFO.${commandStream(name)}.${COMMANDS}`,
      `$JS.API.CONSUMER.MSG.NEXT.${commandStream(name)}.${COMMANDS}`,
      `$JS.ACK.${commandStream(name)}.${COMMANDS}.>`,
    ],
    subscribe: [`${subjects.inbox(name)}.>`, subjects.ask(name)],
  };
}
