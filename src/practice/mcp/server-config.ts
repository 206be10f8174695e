import { readFileSync } from 'node:fs';
import { StartProblem } from '../start-problem.ts';

export interface ServerConfig {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Reads the part of the real client's configuration that the practice agent supports. Replaces `${NAME}` by the value
 * in the agent's own environment.
 */
export function readServerConfigs(file: string): ReadonlyMap<string, ServerConfig> {
  let servers: unknown;
  try {
    servers = (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers?: unknown }).mcpServers;
  } catch (problem) {
    throw new StartProblem(`Cannot read the configuration ${file}: ${(problem as Error).message}.`);
  }
  return new Map(Object.entries(servers ?? {}).map(([name, given]) => [name, configOf(given, `${file}: ${name}`)]));
}

function configOf(given: unknown, where: string): ServerConfig {
  const { command, args = [], env = {} } = (given ?? {}) as Partial<ServerConfig>;
  if (typeof command !== 'string' || !Array.isArray(args)) throw new StartProblem(`${where} needs command and args.`);
  const own = Object.entries(env).map(([name, value]) => [name, expanded(String(value))]);
  return { command: expanded(command), args: args.map((word) => expanded(String(word))), env: Object.fromEntries(own) };
}

const expanded = (text: string): string => text.replace(/\$\{(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
