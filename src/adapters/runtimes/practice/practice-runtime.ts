import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRuntime, LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { createOperatorHooks } from '../operator-hooks.ts';
import { parseSessionHook, SESSION_HOOK_EVENTS, sessionStartOutput } from '../session-hooks.ts';
import { environmentOf, readStatusFile } from '../status-file.ts';
import { toolServerFile, toolServerPath } from '../tool-server.ts';
import { transcriptReader, usageInTranscript } from '../transcript.ts';
import { isOurDraft, readPracticeQuestion, readPracticeScreen } from './practice-screen.ts';

/**
 * Our own agent, for the demo and for tests. It needs no key and no network. Baton types its skill, so that typing a
 * skill stays tested; with BATON_PRACTICE_SKILL=at-start its sessions begin with the skill.
 */
export function createPracticeRuntime(programPath: string, env: NodeJS.ProcessEnv = {}): AgentRuntime {
  return {
    ...(env.BATON_PRACTICE_SKILL === 'at-start' ? { sessionStartOutput } : {}),
    id: 'practice',
    title: 'Practice agent',
    exitCommand: '/exit',
    canResume: true,
    settleMs: 30,
    readScreen: readPracticeScreen,
    readQuestion: readPracticeQuestion,
    isOurDraft,
    parseHook: parseSessionHook,
    unavailableReason: async () => undefined,
    planLaunch: (context) => ({
      argv: [
        process.execPath,
        programPath,
        '--session-id',
        context.resumes?.sessionId ?? context.sessionUuid,
        ...(context.resumes?.transcriptPath ? ['--resume', context.resumes.transcriptPath] : []),
        '--settings',
        join(context.agentFolder, 'settings.json'),
        '--mcp-config',
        toolServerPath(context),
        '--name',
        context.displayName,
      ],
      env: {
        BATON_PRACTICE_LOG: join(context.agentFolder, 'practice.jsonl'),
        BATON_PRACTICE_SESSIONS: join(context.agentFolder, SESSIONS),
      },
      unsetEnv: [],
      files: { 'settings.json': `${JSON.stringify(settings(context), null, 2)}\n`, ...toolServerFile(context) },
    }),
    readStatus: async (pid) => readStatusFile(await statusFolder(pid), pid),
    transcript: transcriptReader,
    contextInTranscript: async (path) => {
      const { used: usedTokens, window: windowTokens } = (await usageInTranscript(path)) ?? {};
      if (usedTokens === undefined || windowTokens === undefined) return undefined;
      return { usedTokens, windowTokens, usedPercent: Math.min(100, Math.round((100 * usedTokens) / windowTokens)) };
    },
    operatorHooks: createOperatorHooks({ file: settingsPath(env), events: SESSION_HOOK_EVENTS, matched: new Set() }),
  };
}

const SESSIONS = 'sessions';

/**
 * The folder of status files from the process's environment, or the default beside the settings if it was started
 * outside Baton.
 */
async function statusFolder(pid: number): Promise<string> {
  const own = await environmentOf(pid);
  return own.get('BATON_PRACTICE_SESSIONS') || join(own.get('HOME') || homedir(), '.practice', SESSIONS);
}

/**
 * The settings file for a practice agent that is started outside Baton. If nobody does that, the file does not exist.
 */
const settingsPath = (env: NodeJS.ProcessEnv): string => join(env.HOME || homedir(), '.practice', 'settings.json');

function settings({ hookCommand }: LaunchContext) {
  const hook = (event: string) => [{ hooks: [{ type: 'command', command: hookCommand(event) }] }];
  return {
    hooks: Object.fromEntries(SESSION_HOOK_EVENTS.map((event) => [event, hook(event)])),
    statusLine: { type: 'command', command: hookCommand('StatusLine') },
  };
}
