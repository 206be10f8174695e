import { readFileSync } from 'node:fs';
import { StartProblem } from '../start-problem.ts';

export interface HookCommand {
  /**
   * A pattern for the tool name or, in a SessionStart hook, for the way in which the session started. An empty pattern
   * or `*` matches everything.
   */
  readonly matcher: string;
  readonly command: string;
}

/** The part of Claude Code's settings file that the practice agent supports. */
export interface Settings {
  readonly hooks: ReadonlyMap<string, readonly HookCommand[]>;
  readonly statusLine: string | undefined;
}

export function readSettings(file: string): Settings {
  const settings = record(parse(file), file);
  const hooks = new Map<string, HookCommand[]>();
  for (const [event, groups] of Object.entries(record(settings.hooks ?? {}, `${file}: "hooks"`))) {
    hooks.set(
      event,
      list(groups, `${file}: hooks.${event}`).flatMap((group) => commandsOf(group, `${file}: hooks.${event}`)),
    );
  }
  const statusLine = settings.statusLine;
  return { hooks, statusLine: statusLine === undefined ? undefined : commandOf(statusLine, `${file}: "statusLine"`) };
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (problem) {
    throw new StartProblem(`Cannot read the settings file ${file}: ${(problem as Error).message}.`);
  }
}

function commandsOf(group: unknown, where: string): HookCommand[] {
  const { matcher = '', hooks } = record(group, where);
  return list(hooks, where).map((hook) => ({ matcher: String(matcher), command: commandOf(hook, where) }));
}

function commandOf(value: unknown, where: string): string {
  const { type, command } = record(value, where);
  if (type === 'command' && typeof command === 'string') return command;
  throw new StartProblem(`${where} needs entries of the form {"type":"command","command":"..."}.`);
}

function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new StartProblem(`${where} must be an object.`);
}

function list(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new StartProblem(`${where} must be a list.`);
}
