import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRuntime, LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { createOperatorHooks } from '../operator-hooks.ts';
import { parseSessionHook, SESSION_HOOK_EVENTS, sessionStartOutput } from '../session-hooks.ts';
import { createStatusReader, environmentOf } from '../status-file.ts';
import { toolServerFile, toolServerPath } from '../tool-server.ts';
import { transcriptReader, usageInTranscript } from '../transcript.ts';
import { createTranscriptUsage } from '../transcript-usage.ts';
import { isOurDraft, readPracticeQuestion, readPracticeScreen } from './practice-screen.ts';

/**
 * Baton's own practice agent, for the demo and for tests. It needs no key and no network. Baton normally types the
 * skill into the composer. With BATON_PRACTICE_SKILL=at-start, the agent gets the skill when its session starts.
 * BATON_PRACTICE_PROGRAM names another program to run instead.
 */
export function createPracticeRuntime(programPath: string, env: NodeJS.ProcessEnv = {}): AgentRuntime {
  const readStatus = createStatusReader(statusFolder);
  return {
    ...(env.BATON_PRACTICE_SKILL === 'at-start' ? { sessionStartOutput } : {}),
    ...(env.BATON_PRACTICE_SESSION === 'first-prompt' ? { startsWithFirstPrompt: true } : {}),
    id: 'practice',
    title: 'Practice agent',
    exitCommand: '/exit',
    canResume: true,
    declares: ['context_use', 'compaction', 'questions', 'interrupt', 'package_tools'],
    settleMs: 30,
    readScreen: readPracticeScreen,
    readQuestion: readPracticeQuestion,
    isOurDraft,
    parseHook: parseSessionHook,
    unavailableReason: async () => undefined,
    planLaunch: (context) => ({
      argv: [
        ...(env.BATON_PRACTICE_PROGRAM ? [env.BATON_PRACTICE_PROGRAM] : [process.execPath, programPath]),
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
    readStatus: async (pid) => readStatus(pid),
    transcript: transcriptReader,
    usageInTranscript: createTranscriptUsage(),
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
 * Reads the folder for status files from the environment of the process. If the process was started outside Baton,
 * returns the default folder beside the settings.
 */
function statusFolder(pid: number): string {
  const own = environmentOf(pid);
  return own.get('BATON_PRACTICE_SESSIONS') || join(own.get('HOME') || homedir(), '.practice', SESSIONS);
}

/**
 * The settings file for practice agents that are started outside Baton. The file does not exist if there are no such
 * agents.
 */
const settingsPath = (env: NodeJS.ProcessEnv): string => join(env.HOME || homedir(), '.practice', 'settings.json');

function settings({ hookCommand }: LaunchContext) {
  const hook = (event: string) => [{ hooks: [{ type: 'command', command: hookCommand(event) }] }];
  return {
    hooks: Object.fromEntries([...SESSION_HOOK_EVENTS, 'Interrupt'].map((event) => [event, hook(event)])),
    statusLine: { type: 'command', command: hookCommand('StatusLine') },
  };
}
