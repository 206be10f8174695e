import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { shellQuote } from '../../../domain/shell-quote.ts';
import { projectSettings } from './settings-files.ts';

/**
 * The operator's own status line. Like the client, Baton prefers the project's local settings, then the project's
 * settings, then the user's settings.
 */
interface OwnStatusLine {
  readonly command: string;
  readonly padding: number | undefined;
}

function ownStatusLine(projectPath: string, userSettings: string): OwnStatusLine | undefined {
  for (const file of [...projectSettings(projectPath), userSettings]) {
    const { type, command, padding } = statusLineIn(file);
    if (type === 'command' && typeof command === 'string' && command !== '')
      return { command, padding: typeof padding === 'number' ? padding : undefined };
  }
  return undefined;
}

function statusLineIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = (JSON.parse(readFileSync(file, 'utf8')) as { statusLine?: unknown } | null)?.statusLine;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Ignore a settings file that is missing or invalid, because the client cannot read such a file either.
    return {};
  }
}

const SCRIPT = 'status-line.sh';

/**
 * The client runs only one status line command, and only the input of that command says how full the context is. So
 * Baton's command reads the input and passes it to the operator's command, which prints the line.
 */
export function statusLineOf(
  { agentFolder, projectPath, hookCommand }: LaunchContext,
  userSettings: string,
): { readonly setting: object; readonly files: Readonly<Record<string, string>> } {
  const own = ownStatusLine(projectPath, userSettings);
  if (own === undefined) return { setting: { type: 'command', command: hookCommand('StatusLine') }, files: {} };
  const script = [
    '#!/bin/sh',
    "# Baton reads the client's numbers, then your own command gets the same input. Written whenever the agent is started.",
    'input=$(cat)',
    `printf '%s' "$input" | BATON_CLIENT_PID=$PPID /bin/sh -c ${shellQuote(hookCommand('StatusLine'))} >/dev/null 2>&1`,
    `printf '%s' "$input" | /bin/sh -c ${shellQuote(own.command)}`,
    '',
  ].join('\n');
  const command = `exec /bin/sh ${shellQuote(join(agentFolder, SCRIPT))}`;
  const padding = own.padding === undefined ? {} : { padding: own.padding };
  return { setting: { type: 'command', command, ...padding }, files: { [SCRIPT]: script } };
}
