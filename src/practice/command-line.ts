import { StartProblem } from './start-problem.ts';

export interface CommandLine {
  readonly sessionId: string;
  readonly settingsFile: string;
  /** The MCP configuration file, as for the real client; undefined means no MCP servers. */
  readonly mcpConfig: string | undefined;
  readonly name: string;
  /** The transcript of the conversation to resume; undefined to begin a new one. */
  readonly resume: string | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OPTIONS = ['--session-id', '--settings', '--mcp-config', '--name', '--resume'];

export function parseCommandLine(words: readonly string[]): CommandLine {
  const given = new Map<string, string>();
  for (let i = 0; i < words.length; i += 2) {
    const option = words[i] ?? '';
    const value = words[i + 1];
    if (!OPTIONS.includes(option)) throw new StartProblem(`Unknown option ${option}; known are ${OPTIONS.join(', ')}.`);
    if (value === undefined) throw new StartProblem(`Option ${option} needs a value.`);
    given.set(option, value);
  }
  const sessionId = given.get('--session-id') ?? '';
  const settingsFile = given.get('--settings');
  if (!UUID.test(sessionId)) throw new StartProblem('Option --session-id needs a UUID.');
  if (settingsFile === undefined) throw new StartProblem('Option --settings needs the path of a settings file.');
  return {
    sessionId,
    settingsFile,
    mcpConfig: given.get('--mcp-config'),
    name: given.get('--name') ?? 'practice',
    resume: given.get('--resume'),
  };
}
