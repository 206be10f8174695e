import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRuntime, LaunchContext, VersionStanding } from '../../../app/ports/agent-runtime.ts';
import { createOperatorHooks } from '../operator-hooks.ts';
import { parseSessionHook, sessionStartOutput } from '../session-hooks.ts';
import { environmentOf, readStatusFile } from '../status-file.ts';
import { toolServerFile, toolServerPath } from '../tool-server.ts';
import { transcriptReader, usageInTranscript } from '../transcript.ts';
import { readClaudeQuestion } from './claude-question.ts';
import { isOurDraft, readClaudeScreen } from './claude-screen.ts';
import { claudeSettings, EVENTS_OF_ALL_VERSIONS, MATCHED_BY_TOOL } from './claude-settings.ts';
import { permissionMode, refuseArgs } from './client-args.ts';
import { createClientVersions } from './client-version.ts';
import { againstLimit, contextLimit } from './context-limit.ts';
import { findProgram } from './find-program.ts';
import { trustFolder } from './folder-trust.ts';
import { projectSettings, whereDenied, whereHooksAreOff } from './settings-files.ts';
import { statusLineOf } from './status-line.ts';
import { versionStandingOf } from './tried-versions.ts';

/**
 * Variables that Claude Code sets if Baton was started from inside it. With them the agent would treat itself as a part
 * of that session.
 */
const OF_ANOTHER_SESSION = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'AI_AGENT',
  // The size of the window in which Baton was started; the pane has its own size.
  'COLUMNS',
  'LINES',
];

/**
 * A limit in UTF-16 units, found by measuring. If the text is longer, the model gets only its first 2 KB and a path.
 */
const MAX_START_CONTEXT = 10_000;

/** @param env what agents inherit; BATON_CLAUDE in it may name another program than the one on the PATH. */
export function createClaudeCodeRuntime(env: NodeJS.ProcessEnv): AgentRuntime {
  const program = env.BATON_CLAUDE || 'claude';
  const find = (): string | undefined => findProgram(program, env.PATH);
  const versions = createClientVersions(env);
  const askStanding = async (): Promise<VersionStanding> => {
    const path = find();
    if (path === undefined) return versionStandingOf(undefined);
    await versions.ask(path);
    return versionStandingOf(versions.known(path));
  };
  return {
    id: 'claude-code',
    title: 'Claude Code',
    exitCommand: '/exit',
    canResume: true,
    settleMs: 150,
    ofItsSession: OF_ANOTHER_SESSION,
    readScreen: readClaudeScreen,
    readQuestion: (screen) => (readClaudeScreen(screen).kind === 'dialog' ? readClaudeQuestion(screen) : undefined),
    isOurDraft,
    parseHook: (hook) => againstLimit(parseSessionHook(hook), env),
    sessionStartOutput: (text) => (text.length > MAX_START_CONTEXT ? undefined : sessionStartOutput(text)),
    readStatus: async (pid) => readStatusFile(join(await configFolder(pid, env), 'sessions'), pid),
    transcript: transcriptReader,
    contextInTranscript: async (path) => {
      const usage = await usageInTranscript(path);
      return usage && shareOf(usage.used, env);
    },
    operatorHooks: createOperatorHooks({
      file: settingsPath(env),
      events: EVENTS_OF_ALL_VERSIONS,
      matched: MATCHED_BY_TOOL,
    }),
    unavailableReason: async () => {
      const { standing, sentence } = await askStanding();
      if (standing === 'unsupported') return `Claude Code ${sentence}. Update it, or set BATON_CLAUDE to a newer one.`;
      return find() === undefined
        ? `Claude Code cannot be started: there is no program "${program}" on the PATH of the Baton server. Install it, or set BATON_CLAUDE to its absolute path, and restart Baton.`
        : undefined;
    },
    standing: askStanding,
    whyNotIn: async (folder) => {
      const file = await whereHooksAreOff([settingsPath(env), ...projectSettings(folder)]);
      return file === undefined
        ? undefined
        : `Claude Code would run no hooks there: "disableAllHooks" is true in ${file}. Baton needs the hooks to see the agent and hand it off. Set it to false first.`;
    },
    deniedByRule: async (act, folder) => {
      const tool = act === 'run' ? 'Bash' : 'Write';
      const file = await whereDenied(tool, [settingsPath(env), ...projectSettings(folder)]);
      return file === undefined ? undefined : { tool, file };
    },
    prepareLaunch: async ({ projectPath }) => {
      await trustFolder(configPath(env), projectPath);
      await versions.ask(find() ?? program);
    },
    refuseArgs,
    planLaunch: (context) => ({
      argv: [
        // Use the absolute path, because the pane gets the PATH of the tmux server, which may have been started long
        // before.
        find() ?? program,
        // The operator's arguments come before ours, because several options of the client take all words that follow
        // them.
        ...context.clientArgs,
        ...permissionMode(context),
        ...(context.resumes === null ? ['--session-id', context.sessionUuid] : ['--resume', context.resumes.sessionId]),
        // `--mcp-config` adds to the operator's own servers, and takes all files that follow it.
        '--mcp-config',
        toolServerPath(context),
        '--settings',
        join(context.agentFolder, 'settings.json'),
        ...addedFolder(context),
      ],
      env: {},
      unsetEnv: OF_ANOTHER_SESSION,
      files: filesOf(context, versions.known(find() ?? program), settingsPath(env)),
    }),
  };
}

function filesOf(context: LaunchContext, version: string | undefined, userSettings: string) {
  const { setting, files } = statusLineOf(context, userSettings);
  const settings = claudeSettings(context, version, setting);
  return { 'settings.json': `${JSON.stringify(settings, null, 2)}\n`, ...files, ...toolServerFile(context) };
}

/** These arguments must be the last ones, because `--add-dir` takes all folders that follow it. */
const addedFolder = ({ personaHandoffsPath }: LaunchContext): readonly string[] =>
  personaHandoffsPath === null ? [] : ['--add-dir', personaHandoffsPath];

const configPath = (env: NodeJS.ProcessEnv): string =>
  join(env.CLAUDE_CONFIG_DIR || env.HOME || homedir(), '.claude.json');

const settingsPath = (env: NodeJS.ProcessEnv): string =>
  join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'settings.json');

/** Returns the config folder of this process, because a project's own environment may have set another one. */
async function configFolder(pid: number, env: NodeJS.ProcessEnv): Promise<string> {
  const own = await environmentOf(pid);
  const { CLAUDE_CONFIG_DIR, HOME } = own.size === 0 ? env : Object.fromEntries(own);
  return CLAUDE_CONFIG_DIR || join(HOME || homedir(), '.claude');
}

/**
 * The transcript does not name the context window. Assume the usual one, or the large one if more tokens are in use.
 */
const WINDOWS = [200_000, 1_000_000] as const;

function shareOf(usedTokens: number, env: NodeJS.ProcessEnv) {
  const windowTokens = WINDOWS.find((size) => usedTokens <= size) ?? WINDOWS[1];
  const limit = Math.max(1, contextLimit(windowTokens, env));
  return { usedTokens, windowTokens, usedPercent: Math.min(100, Math.round((100 * usedTokens) / limit)) };
}
