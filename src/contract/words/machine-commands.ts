/** Checks the name of a machine before it becomes part of a URL path. */
export { isMachineName } from '../../domain/fleet/member.ts';

/**
 * Adds a machine's name to the commands in a text that another machine wrote. Without the name, `baton handoff approve
 * 3` would approve handoff 3 of this machine.
 */

/**
 * The subcommands of one command. For example, the command `agent` has the subcommand `list`. An empty name stands for
 * the command without a subcommand.
 */
interface Verbs {
  /** Subcommands that take --machine NAME, because the API of another machine has routes for them. */
  readonly afar: readonly string[];
  /** Subcommands that can be used only on the machine that they concern. */
  readonly local: readonly string[];
}

/** The commands with at least one subcommand that takes --machine NAME. */
export const FROM_AFAR: Readonly<Record<string, Verbs>> = {
  agent: {
    afar: [
      ...[
        'answer',
        'continue',
        'give-persona',
        'interrupt',
        'list',
        'mute',
        'resume',
        'screen',
        'send',
        'show',
        'stop',
      ],
      'why',
    ],
    local: ['adopt', 'attach', 'env', 'release', 'restore', 'runtimes', 'start'],
  },
  events: { afar: [''], local: [] },
  handoff: {
    afar: [
      ...['', 'accept', 'approve', 'cancel', 'check-again', 'force-exit', 'instruct-again', 'interrupt', 'list'],
      ...['message', 'nudge', 'resume', 'resume-record', 'retry', 'send-back', 'show', 'show-record', 'texts', 'undo'],
      ...['use-recorded', 'wait'],
    ],
    local: ['adopt', 'watch'],
  },
  inbox: { afar: ['dismiss', 'list', 'restore'], local: ['history'] },
  package: {
    afar: [
      ...['answer', 'cancel', 'chain', 'contents', 'decide', 'list', 'reassign', 'remind', 'report', 'restore', 'show'],
      'waive',
    ],
    local: [
      ...['ack', 'agents', 'ask', 'complete', 'create', 'decline', 'fail', 'inbox', 'lint', 'new', 'progress'],
      ...['receive', 'return', 'schema', 'seal'],
    ],
  },
};

/** Commands about a machine's personas, projects and worktrees. These commands can be used only on that machine. */
const OF_MACHINE: readonly string[] = ['persona', 'policy', 'project', 'usage', 'workflow', 'worktree'];

/** Commands that can be used only on the machine that they concern, most of them about Baton itself. */
export const LOCAL: readonly string[] = [
  ...OF_MACHINE,
  ...['ack', 'backup', 'completion', 'config', 'demo', 'devices', 'doctor', 'export', 'fleet', 'hooks', 'lint'],
  ...['logout', 'logs', 'ls', 'mcp', 'open', 'ps', 'purge', 'rebuild', 'restore', 'search', 'service', 'settings'],
  ...['start', 'status', 'stop', 'up'],
];

function commandOf(roots: readonly string[]): RegExp {
  const source = `(: )?(?<![\\w./-])baton (${roots.join('|')})\\b( [a-z][a-z-]*)?( (?:\\d+|HO-\\d[\\d-]*))?`;
  return new RegExp(source, 'g');
}

const OBJECT_COMMAND = commandOf([...Object.keys(FROM_AFAR), ...OF_MACHINE]);
export const ANY_COMMAND = commandOf([...Object.keys(FROM_AFAR), ...LOCAL]);

/**
 * Adds the machine's name to the commands in a text about agents, handoffs, packages or personas of another machine.
 * Commands about Baton itself, such as `baton start`, stay as they are, and so does a command that already names a
 * machine.
 */
export const commandsOn = (machine: string, text: string): string => naming(machine, text, OBJECT_COMMAND);

/**
 * Adds `--machine NAME` to each command that has this option. Before any other command, writes `on NAME`, so that the
 * command can be copied unchanged: `See: baton hooks status` becomes `See on laptop: baton hooks status`.
 */
function naming(machine: string, text: string, pattern: RegExp): string {
  return text.replace(pattern, (...found: readonly unknown[]) => {
    const [all, colon = '', root, word = '', id = '', offset] = found as [
      string,
      string,
      string,
      string,
      string,
      number,
    ];
    const before = text.slice(0, offset);
    if (text.startsWith(' --machine ', offset + all.length)) return all;
    const verbs = FROM_AFAR[root];
    const isVerb = verbs !== undefined && [...verbs.afar, ...verbs.local].includes(word.trim());
    if (verbs?.afar.includes(isVerb ? word.trim() : '') === true) {
      const end = isVerb || word === '' ? '' : `${word}${id}`;
      return `${all.slice(0, all.length - end.length)} --machine ${machine}${end}`;
    }
    // Leave the command unchanged if the words before it already name a machine, such as "On the hub:" or "on laptop:".
    if (colon !== '' && (/\bon the hub$/i.test(before) || before.toLowerCase().endsWith(`on ${machine}`))) return all;
    const on = before === '' ? 'On' : 'on';
    return `${colon === '' ? '' : ' '}${on} ${machine}: ${all.slice(colon.length)}`;
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
