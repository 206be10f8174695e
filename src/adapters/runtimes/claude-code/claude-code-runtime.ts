import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRuntime, LaunchContext, VersionStanding } from '../../../app/ports/agent-runtime.ts';
import { createClientVersions } from '../client-version.ts';
import { findProgram } from '../find-program.ts';
import { createOperatorHooks } from '../operator-hooks.ts';
import { parseSessionHook, sessionStartOutput } from '../session-hooks.ts';
import { createStatusReader, environmentOf } from '../status-file.ts';
import { toolServerFile, toolServerPath } from '../tool-server.ts';
import { transcriptReader, usageInTranscript } from '../transcript.ts';
import { createTranscriptUsage } from '../transcript-usage.ts';
import { versionStandingOf } from '../version-standing.ts';
import { readClaudeQuestion } from './claude-question.ts';
import { isOurDraft, readClaudeScreen } from './claude-screen.ts';
import { claudeSettings, EVENTS_OF_ALL_VERSIONS, MATCHED_BY_TOOL } from './claude-settings.ts';
import { permissionMode, refuseArgs } from './client-args.ts';
import { againstLimit, contextLimit } from './context-limit.ts';
import { trustFolder } from './folder-trust.ts';
import { projectSettings, whereDenied, whereHooksAreOff } from './settings-files.ts';
import { statusLineOf } from './status-line.ts';
import { KNOWN_VERSIONS } from './tried-versions.ts';

/**
 * Variables that Claude Code sets for the programs that it runs. If Baton was started inside a Claude Code session, an
 * agent with these variables would treat itself as a part of that session.
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
  // Do not pass on COLUMNS and LINES, because they contain the size of the window in which Baton was started, but the
  // agent's pane has another size.
  'COLUMNS',
  'LINES',
];

/**
 * The longest text, in UTF-16 units, that a hook can add at the start of a session. If a text is longer, the model gets
 * only the first 2 KB and the path of a file (measured).
 */
const MAX_START_CONTEXT = 10_000;

/**
 * @param env the environment that agents inherit. The variable BATON_CLAUDE may name a program to run instead of
 * `claude`.
 */
export function createClaudeCodeRuntime(env: NodeJS.ProcessEnv): AgentRuntime {
  const program = env.BATON_CLAUDE || 'claude';
  const find = (): string | undefined => findProgram(program, env.PATH);
  const versions = createClientVersions(env);
  const readStatus = createStatusReader((pid) => join(configFolder(pid, env), 'sessions'));
  const askStanding = async (): Promise<VersionStanding> => {
    const path = find();
    if (path === undefined) return versionStandingOf(undefined, KNOWN_VERSIONS);
    await versions.ask(path);
    return versionStandingOf(versions.known(path), KNOWN_VERSIONS);
  };
  return {
    id: 'claude-code',
    title: 'Claude Code',
    exitCommand: '/exit',
    canResume: true,
    declares: ['context_use', 'usage_limits', 'compaction', 'questions', 'interrupt', 'package_tools'],
    modelArgs: (model) => ['--model', model],
    settleMs: 150,
    ofItsSession: OF_ANOTHER_SESSION,
    readScreen: readClaudeScreen,
    readQuestion: (screen) => (readClaudeScreen(screen).kind === 'dialog' ? readClaudeQuestion(screen) : undefined),
    isOurDraft,
    parseHook: (hook) => againstLimit(parseSessionHook(hook), env),
    sessionStartOutput: (text) => (text.length > MAX_START_CONTEXT ? undefined : sessionStartOutput(text)),
    readStatus: async (pid) => readStatus(pid),
    transcript: transcriptReader,
    usageInTranscript: createTranscriptUsage(),
    contextInTranscript: async (path) => {
      const usage = await usageInTranscript(path);
      return usage && shareOf(usage.used, env);
    },
    operatorHooks: createOperatorHooks({
      file: settingsPath(env),
      events: EVENTS_OF_ALL_VERSIONS,
      matched: MATCHED_BY_TOOL,
      comments: 'Claude Code does not load such a file (seen in 2.1.325)',
    }),
    unavailableReason: async () => {
      const { standing, sentence } = await askStanding();
      if (standing === 'unsupported')
        return `Claude Code ${sentence}. Update Claude Code, or set BATON_CLAUDE to the path of a newer version.`;
      return find() === undefined
        ? `Claude Code cannot be started: there is no program "${program}" on the PATH of the Baton server. Install it, or set BATON_CLAUDE to its absolute path, and restart Baton.`
        : undefined;
    },
    standing: askStanding,
    whyNotIn: async (folder) => {
      const file = await whereHooksAreOff([settingsPath(env), ...projectSettings(folder)]);
      return file === undefined
        ? undefined
        : `Claude Code would run no hooks in this project, because "disableAllHooks" is true in ${file}. Baton needs the hooks to see the agent and hand it off. Set "disableAllHooks" to false first.`;
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
        // Use the absolute path, because the pane gets the PATH of the tmux server, and that server may have been
        // started long ago.
        find() ?? program,
        // The operator's arguments come before Baton's, because several options of the client take all words that
        // follow them.
        ...context.clientArgs,
        ...permissionMode(context),
        ...(context.resumes === null ? ['--session-id', context.sessionUuid] : ['--resume', context.resumes.sessionId]),
        // `--mcp-config` adds servers to the operator's own MCP servers. Because the option treats all following words
        // as files, up to the next option, another option must follow.
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

/** Returns `--add-dir` and its folder. Both must be the last arguments, because the option takes all words after it. */
const addedFolder = ({ personaHandoffsPath }: LaunchContext): readonly string[] =>
  personaHandoffsPath === null ? [] : ['--add-dir', personaHandoffsPath];

const configPath = (env: NodeJS.ProcessEnv): string =>
  join(env.CLAUDE_CONFIG_DIR || env.HOME || homedir(), '.claude.json');

const settingsPath = (env: NodeJS.ProcessEnv): string =>
  join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'settings.json');

/**
 * Returns the config folder that a client process uses. The environment of that process may name another folder than
 * Baton's own environment does, for example because the environment of the project sets CLAUDE_CONFIG_DIR.
 */
function configFolder(pid: number, env: NodeJS.ProcessEnv): string {
  const own = environmentOf(pid);
  const { CLAUDE_CONFIG_DIR, HOME } = own.size === 0 ? env : Object.fromEntries(own);
  return CLAUDE_CONFIG_DIR || join(HOME || homedir(), '.claude');
}

/**
 * The transcript does not contain the size of the context window. Assume the usual size, or the large size if more
 * tokens are in use than fit into the usual one.
 */
const WINDOWS = [200_000, 1_000_000] as const;

function shareOf(usedTokens: number, env: NodeJS.ProcessEnv) {
  const windowTokens = WINDOWS.find((size) => usedTokens <= size) ?? WINDOWS[1];
  const limit = Math.max(1, contextLimit(windowTokens, env));
  return { usedTokens, windowTokens, usedPercent: Math.min(100, Math.round((100 * usedTokens) / limit)) };
}
