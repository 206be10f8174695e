import type { Argument, Command, Option } from 'commander';

/** The kinds of values that completion can read from a list of the server. */
export type ValueKind =
  | 'agents'
  | 'ended agents'
  | 'handoffs'
  | 'inbox'
  | 'packages'
  | 'personas'
  | 'runtimes'
  | 'sessions';

const OPTIONS: Readonly<Record<string, ValueKind>> = {
  '--agent': 'agents',
  '--package': 'packages',
  '--persona': 'personas',
  '--run': 'handoffs',
  '--runtime': 'runtimes',
};

/**
 * The options whose values completion reads from the server. An option in this list has the same kind of values on
 * every command.
 */
export const VALUE_OPTIONS: readonly string[] = Object.keys(OPTIONS);

/**
 * The kind of values of an argument that is named `id` or `ids`. The kind depends on the first word of the command,
 * which is the key of this table.
 */
const GROUPS: Readonly<Record<string, ValueKind>> = {
  agent: 'agents',
  attach: 'agents',
  handoff: 'handoffs',
  inbox: 'inbox',
  package: 'packages',
};

const ARGUMENTS: Readonly<Record<string, ValueKind>> = {
  agent: 'agents',
  agents: 'agents',
  persona: 'personas',
  session: 'sessions',
  slug: 'personas',
};

export const kindOfOption = ({ long }: Option): ValueKind | undefined => OPTIONS[long ?? ''];

/** Returns the kind of values of a command's argument; undefined if the server has no list of such values. */
export function kindOfArgument(command: Command, argument: Argument): ValueKind | undefined {
  const path = pathOf(command);
  if (path.join(' ') === 'agent resume') return 'ended agents';
  const isNumber = argument.name() === 'id' || argument.name() === 'ids';
  return ARGUMENTS[argument.name()] ?? (isNumber ? GROUPS[path[0] ?? ''] : undefined);
}

function pathOf(command: Command): readonly string[] {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return names;
}
