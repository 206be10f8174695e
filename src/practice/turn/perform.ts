import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Action, Observation, WriteAction } from '../brain/action.ts';
import type { Parts } from '../parts.ts';
import { compact } from './compact.ts';
import { useTool } from './tool-use.ts';
import { useBash, useMcp, useRead, useWrite } from './tools.ts';
import { TurnFailure } from './turn-failure.ts';

export interface TurnVoice {
  readonly say: (text: string) => void;
  readonly crash: () => never;
}

const AWAIT_EVERY_MS = 20;
const DONE: Observation = { ok: true, text: '' };

export async function perform(
  parts: Parts,
  action: Action,
  voice: TurnVoice,
  signal: AbortSignal,
): Promise<Observation> {
  const { cwd } = parts.session;
  switch (action.kind) {
    case 'think':
      await pause(action.ms ?? parts.behaviour.thinkMs, undefined, { signal });
      return DONE;
    case 'await-file':
      while (!existsSync(resolve(cwd, action.path))) await pause(AWAIT_EVERY_MS, undefined, { signal });
      return DONE;
    case 'say':
      voice.say(action.text);
      return DONE;
    case 'read': {
      const input = { file_path: resolve(cwd, action.path) };
      const run = () => useRead(cwd, action.path);
      return useTool(parts, { name: 'Read', input, subject: action.path, run }, signal);
    }
    case 'write':
      return performWrite(parts, action, signal);
    case 'bash': {
      const run = () => useBash(cwd, action.command, signal);
      const input = { command: action.command };
      return useTool(parts, { name: 'Bash', input, subject: action.command, run }, signal);
    }
    case 'mcp': {
      const { server, tool, input } = action;
      const run = () => useMcp(parts.toolServers, { server, tool, input });
      const subject = JSON.stringify(input);
      return useTool(parts, { name: `mcp__${server}__${tool}`, input, subject, run }, signal);
    }
    case 'ask':
      return performAsk(parts, action.text, signal);
    case 'choose':
      return performChoose(parts, action.question, action.options, signal);
    case 'look-around':
      parts.contextUse.takeInShare(action.share);
      return DONE;
    case 'set-context':
      parts.contextUse.setPercent(action.percent);
      return DONE;
    case 'compact':
      await compact(parts, 'auto');
      return DONE;
    case 'fail':
      throw new TurnFailure(action.message);
    case 'crash':
      return voice.crash();
  }
}

function performWrite(parts: Parts, action: WriteAction, signal: AbortSignal): Promise<Observation> {
  const { cwd } = parts.session;
  const tool = {
    name: 'Write',
    input: { file_path: resolve(cwd, action.path), content: action.content },
    subject: action.path,
    run: () => useWrite(cwd, action, signal),
  } as const;
  const permission = `Write(${action.path})`;
  return useTool(parts, action.needsPermission ? { ...tool, permission } : tool, signal);
}

/**
 * Asks the operator a question, like the AskUserQuestion tool of the real client. That tool fires the hook of a
 * permission dialog.
 */
function performChoose(
  parts: Parts,
  question: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<Observation> {
  const input = { questions: [{ question, options: options.map((label) => ({ label })) }] };
  const run = async () => {
    const chosen = parts.dialogs.choose(question, options);
    await parts.hooks.fire('PermissionRequest', () => ({ tool_name: 'AskUserQuestion', tool_input: input }));
    const text = (await chosen) ?? 'nothing';
    return { ok: true, text, response: { answers: { [question]: text } }, evidence: { chosen: text } };
  };
  return useTool(parts, { name: 'AskUserQuestion', input, subject: question, run }, signal);
}

function performAsk(parts: Parts, text: string, signal: AbortSignal): Promise<Observation> {
  const response = { stdout: '', stderr: '', interrupted: false };
  const run = async () => ({ ok: true, text: '', response, evidence: { pretended: true } });
  return useTool(parts, { name: 'Bash', input: { command: text }, subject: text, permission: text, run }, signal);
}
