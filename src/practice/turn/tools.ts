import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { WriteAction } from '../brain/action.ts';
import type { ToolRequest, ToolServers } from '../mcp/tool-servers.ts';
import { runShellCommand } from '../run-shell-command.ts';
import { writeFileInManner } from './write-file.ts';

export interface ToolResult {
  readonly ok: boolean;
  /** The text that the model gets as the result of the tool. */
  readonly text: string;
  /** The tool's response, as the PostToolUse hook reports it. */
  readonly response: Readonly<Record<string, unknown>>;
  /** Fields that are added to the log entry of this tool use. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

const BASH_TIMEOUT_MS = 20_000;

export async function useRead(cwd: string, path: string): Promise<ToolResult> {
  const filePath = resolve(cwd, path);
  try {
    const text = await readFile(filePath, 'utf8');
    return { ok: true, text, response: { type: 'text', file: { filePath } }, evidence: { characters: text.length } };
  } catch (problem) {
    return failure((problem as Error).message);
  }
}

export async function useWrite(cwd: string, action: WriteAction, signal: AbortSignal): Promise<ToolResult> {
  const filePath = resolve(cwd, action.path);
  const type = existsSync(filePath) ? 'update' : 'create';
  try {
    await writeFileInManner(filePath, action, signal);
    return { ok: true, text: '', response: { type, filePath }, evidence: {} };
  } catch (problem) {
    return failure((problem as Error).message);
  }
}

export async function useBash(cwd: string, command: string, signal: AbortSignal): Promise<ToolResult> {
  const request = { command, cwd, env: process.env, input: '', timeoutMs: BASH_TIMEOUT_MS, signal };
  const { code, stdout, stderr } = await runShellCommand(request);
  const text = `${stdout}${stderr}`.trim();
  return {
    ok: code === 0,
    text,
    response: { stdout, stderr, interrupted: code === null },
    evidence: { exit_code: code, output: text },
  };
}

export async function useMcp(servers: ToolServers, wanted: ToolRequest): Promise<ToolResult> {
  const { ok, text } = await servers.call(wanted);
  return { ok, text, response: { content: [{ type: 'text', text }] }, evidence: { output: text } };
}

function failure(message: string): ToolResult {
  return { ok: false, text: message, response: { error: message }, evidence: { error: message } };
}
