/** Checks the name of a machine before it becomes part of a URL path. */
export { isMachineName } from '../../domain/fleet/member.ts';

/**
 * Names the machine in the commands of a text that comes from another machine. Without the name, `baton handoff approve
 * 3` of another machine would approve the handoff 3 of this machine.
 */

/**
 * The commands that can be used for another machine, each with its subcommands that work only on the machine itself.
 */
const FROM_AFAR: Readonly<Record<string, readonly string[]>> = {
  agent: ['adopt', 'attach', 'env', 'release', 'restore', 'runtimes', 'start'],
  events: [],
  handoff: ['watch'],
  inbox: ['history'],
  package: ['agents', 'create', 'inbox', 'lint', 'new', 'schema'],
};

/** Commands that a sentence may name but that can be used only on the machine itself. */
const LOCAL: readonly string[] = [
  ...['backup', 'config', 'doctor', 'export', 'fleet', 'hooks', 'lint', 'logout', 'logs', 'open', 'persona', 'policy'],
  ...['project', 'ps', 'purge', 'rebuild', 'restore', 'search', 'service', 'settings', 'start', 'status', 'stop', 'up'],
  ...['usage', 'workflow', 'worktree'],
];

function commandOf(roots: readonly string[]): RegExp {
  const verb = '(?: (?!(?:and|or|to) )[a-z][a-z-]*)?';
  const source = `(?<![\\w./-])baton (${roots.join('|')})\\b(${verb})(?: (?:\\d+|HO-\\d[\\d-]*))?`;
  return new RegExp(source, 'g');
}

const REMOTE_COMMAND = commandOf(Object.keys(FROM_AFAR));
export const ANY_COMMAND = commandOf([...Object.keys(FROM_AFAR), ...LOCAL]);

/**
 * Adds the machine's name to the commands in a text about agents, handoffs or packages of another machine. A command
 * that already names a machine stays as it is.
 */
export const commandsOn = (machine: string, text: string): string => naming(machine, text, REMOTE_COMMAND);

function naming(machine: string, text: string, pattern: RegExp): string {
  return text.replace(pattern, (command: string, root: string, verb: string, offset: number) => {
    if (/^ (?:--machine|\(on) /.test(text.slice(offset + command.length))) return command;
    const isLocal = FROM_AFAR[root]?.includes(verb.trim()) ?? true;
    return isLocal ? `${command} (on ${machine})` : `${command} --machine ${machine}`;
  });
}

/** The fields in which Baton itself writes sentences. Other fields contain the words of agents and people. */
const SENTENCES: ReadonlySet<string> = new Set([
  'error',
  'hint',
  'how_to_answer',
  'sentence',
  'waits',
  'warnings',
  'why_not',
]);

/** Returns an answer of another machine. In sentences that Baton wrote, the machine's name is added to each command. */
export function answerOn<T>(machine: string, body: T): T {
  const walk = (value: unknown, isSentence: boolean): unknown => {
    if (typeof value === 'string') return isSentence ? naming(machine, value, ANY_COMMAND) : value;
    if (Array.isArray(value)) return value.map((each) => walk(each, isSentence));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, SENTENCES.has(key))]));
  };
  return walk(body, false) as T;
}
