import { randomUUID } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import type { Observation } from '../brain/action.ts';
import { oneLine } from '../brain/one-line.ts';
import type { Parts } from '../parts.ts';
import { PERMISSION } from '../screen/dialogs.ts';
import type { ToolResult } from './tools.ts';
import { PermissionDenied } from './turn-failure.ts';

export interface ToolUse {
  readonly name: 'Read' | 'Write' | 'Bash' | 'AskUserQuestion' | `mcp__${string}`;
  readonly input: Readonly<Record<string, unknown>>;
  /** The text in brackets after the tool's name in the conversation. */
  readonly subject: string;
  /** The question of the permission dialog; if undefined, the tool runs without asking. */
  readonly permission?: string;
  readonly run: () => Promise<ToolResult>;
}

const BLOCKED: Observation = { ok: false, text: 'A hook did not allow this tool.' };

/**
 * Runs a tool with its hooks in the real client's order: PreToolUse, a dialog if needed, PostToolUse or
 * PostToolUseFailure.
 */
export async function useTool(parts: Parts, tool: ToolUse, signal: AbortSignal): Promise<Observation> {
  const fields = { tool_name: tool.name, tool_input: tool.input };
  const tool_use_id = `toolu_${randomUUID()}`;
  parts.view.add('assistant', `${tool.name}(${oneLine(shorten(tool.subject, parts.session.cwd), 120)})`);
  const { blocked } = await parts.hooks.fire('PreToolUse', () => ({ ...fields, tool_use_id }));
  signal.throwIfAborted();
  if (blocked) {
    parts.view.add('note', BLOCKED.text);
    return BLOCKED;
  }
  if (tool.permission !== undefined && !(await isPermitted(parts, tool.permission, fields))) {
    parts.view.add('note', 'not allowed');
    throw new PermissionDenied();
  }
  signal.throwIfAborted();
  const startedAt = performance.now();
  const result = await tool.run();
  parts.log.write('tool', { name: tool.name, input: tool.input, ok: result.ok, ...result.evidence });
  signal.throwIfAborted();
  parts.view.add('note', outcomeOf(tool, result));
  parts.contextUse.takeIn(JSON.stringify(tool.input) + result.text);
  const duration_ms = Math.round(performance.now() - startedAt);
  const outcome = result.ok ? { tool_response: result.response } : { error: result.text };
  await parts.hooks.fire(result.ok ? 'PostToolUse' : 'PostToolUseFailure', () => ({
    ...fields,
    tool_use_id,
    ...outcome,
    duration_ms,
  }));
  return result;
}

async function isPermitted(parts: Parts, question: string, fields: Record<string, unknown>): Promise<boolean> {
  const answer = parts.dialogs.ask(PERMISSION, question);
  await parts.hooks.fire('PermissionRequest', () => fields);
  const message = 'The practice agent needs your permission';
  const notify = () =>
    void parts.hooks.fire('Notification', () => ({ message, notification_type: 'permission_prompt' }));
  const reminder = setTimeout(notify, parts.behaviour.notifyAfterMs);
  const permitted = (await answer) === 'yes';
  clearTimeout(reminder);
  return permitted;
}

function shorten(subject: string, cwd: string): string {
  if (!isAbsolute(subject)) return subject;
  const path = relative(cwd, subject);
  return path.startsWith('..') ? subject : path;
}

function outcomeOf(tool: ToolUse, result: ToolResult): string {
  if (!result.ok) return oneLine(`failed: ${result.text}`, 120);
  if (tool.name === 'Read') return `${result.text.split('\n').length} lines`;
  return oneLine(result.text, 60) || 'done';
}
