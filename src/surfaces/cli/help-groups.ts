import { type Argument, type Command, Help } from 'commander';

type Groups = Readonly<Record<string, readonly string[]>>;

/** The groups of commands in the order of `baton --help`: daily work first, the commands of agents last. */
const PROGRAM: Groups = {
  'Daily work': ['start', 'stop', 'open', 'status', 'ps', 'inbox', 'handoff', 'up', 'search', 'usage', 'demo'],
  'Agents and personas': ['agent', 'persona', 'project', 'policy', 'worktree', 'hooks'],
  'Packages of work': ['package', 'workflow', 'lint'],
  'Several machines': ['fleet'],
  Maintenance: [
    ...['settings', 'config', 'doctor', 'logs', 'service', 'devices', 'logout'],
    ...['backup', 'restore', 'export', 'purge', 'rebuild', 'completion'],
  ],
  'For agents and scripts': ['events', 'ack', 'mcp'],
};

/** Descriptions that fit on one line of `baton --help`. The help of a command itself shows the long description. */
const IN_SHORT: Readonly<Record<string, string>> = {
  open: 'open the page in your browser',
  ps: 'list the running agents and what each needs from you',
  handoff: 'hand off an agent to a successor; list and manage handoffs',
  demo: 'play a complete handoff in under a minute',
  persona: 'identities with skill and experience that successors inherit',
  policy: 'automatic handoffs: off, suggest or auto; cancel and snooze',
  hooks: 'let Baton see and adopt sessions that you start yourself',
  lint: 'validate package files offline',
  fleet: 'see and use the agents of several machines',
  doctor: 'check everything that Baton needs and suggest fixes',
  service: 'run Baton as a system service',
  backup: 'back up all data of Baton into one file',
  restore: 'replace the current data with a backup',
  export: 'export personas, handoffs, events and packages as files',
  purge: 'delete ended agents and their history',
  rebuild: 'rebuild all packages from the event log',
  events: 'print the event log, one line per event',
  ack: 'acknowledge a handoff (the successor runs this)',
  mcp: 'serve the package tools of an agent over MCP',
};

const AGENT: Groups = {
  'Start and stop': ['start', 'stop', 'interrupt', 'resume', 'restore', 'adopt', 'release'],
  'Look and talk': ['list', 'show', 'screen', 'attach', 'send', 'answer', 'continue', 'why'],
  More: ['give-persona', 'mute', 'env', 'runtimes'],
};

const PACKAGE: Groups = {
  'For you': [
    'inbox',
    'decide',
    'list',
    'show',
    'contents',
    'remind',
    'restore',
    'reassign',
    'report',
    'chain',
    'agents',
    'new',
    'create',
    'lint',
    'seal',
    'waive',
  ],
  'For you and agents': ['answer', 'cancel', 'schema'],
  'For agents': ['receive', 'ack', 'ask', 'decline', 'progress', 'complete', 'return', 'fail'],
};

/** Sorts the commands into groups for help and completion. A command without a group comes last, under `More`. */
export function groupCommands(program: Command): void {
  arrange(program, PROGRAM);
  for (const each of program.commands) {
    each.summary(IN_SHORT[each.name()] ?? '');
    if (each.name() === 'agent') arrange(each, AGENT);
    if (each.name() === 'package') arrange(each, PACKAGE);
  }
}

function arrange(parent: Command, groups: Groups): void {
  const order = Object.values(groups).flat();
  const rank = (command: Command): number =>
    order.includes(command.name()) ? order.indexOf(command.name()) : order.length;
  for (const command of parent.commands) {
    const [title = 'More'] = Object.entries(groups).find(([, names]) => names.includes(command.name())) ?? [];
    command.helpGroup(`${title}:`);
  }
  // Commander lists the commands in the order of this array.
  (parent.commands as Command[]).sort((a, b) => rank(a) - rank(b));
}

/**
 * Keeps help short: omits the `help` command and the word `[options]`. The list of top-level commands also omits their
 * arguments.
 */
export const SHORT_HELP: Partial<Help> = {
  visibleCommands: (command) => new Help().visibleCommands(command).filter((each) => each.name() !== 'help'),
  subcommandTerm: (command) => {
    const names = [command.name(), ...command.aliases()].join(', ');
    const isTop = command.parent?.parent === null;
    return isTop ? names : [names, ...command.registeredArguments.map(usageOf)].join(' ');
  },
};

function usageOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
