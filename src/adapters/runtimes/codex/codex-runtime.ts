import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRuntime, VersionStanding } from '../../../app/ports/agent-runtime.ts';
import { createClientVersions } from '../client-version.ts';
import { findProgram } from '../find-program.ts';
import { createOperatorHooks } from '../operator-hooks.ts';
import { sessionStartOutput } from '../session-hooks.ts';
import { versionStandingOf } from '../version-standing.ts';
import { refuseArgs } from './client-args.ts';
import { createCodexControl } from './codex-control.ts';
import { parseCodexHook } from './codex-hooks.ts';
import { readCodexQuestion } from './codex-question.ts';
import { isOurDraft, readCodexScreen } from './codex-screen.ts';
import { compactsAt } from './context-limit.ts';
import { launchFiles, scriptPath } from './launch-with-server.ts';
import { createRolloutStatus } from './rollout/open-rollouts.ts';
import { contextInRollout, rolloutReader } from './rollout/rollout.ts';
import { createRolloutUsage } from './rollout/rollout-usage.ts';
import { HOOK_EVENTS, sessionFlags, writableFolders } from './session-flags.ts';
import { KNOWN_VERSIONS } from './tried-versions.ts';

/**
 * Variables that Codex sets for the programs that it runs. If Baton was started inside a Codex session, an agent with
 * these variables would treat itself as a part of that session.
 */
const OF_ANOTHER_SESSION = [
  'CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS',
  'CODEX_CI',
  'CODEX_PERMISSION_PROFILE',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_VERSION',
  // Do not pass on COLUMNS and LINES, because they contain the size of the window in which Baton was started, but the
  // agent's pane has another size.
  'COLUMNS',
  'LINES',
];

/**
 * The longest text, in bytes, that a hook can add at the start of a session. Codex counts four bytes as one token. If
 * the text of a hook has more than 2500 tokens, the model gets 2500 tokens and the path of a file with the rest.
 */
const MAX_START_CONTEXT_BYTES = 10_000;

/**
 * @param env the environment that agents inherit. The variable BATON_CODEX may name a program to run instead of
 *   `codex`. With BATON_CODEX_SERVER=off, Codex runs without its server.
 */
export function createCodexRuntime(env: NodeJS.ProcessEnv): AgentRuntime {
  const program = env.BATON_CODEX || 'codex';
  const find = (): string | undefined => findProgram(program, env.PATH);
  const versions = createClientVersions(env);
  const folder = env.CODEX_HOME || join(env.HOME || homedir(), '.codex');
  const config = join(folder, 'config.toml');
  const limit = (window: number): number => compactsAt(window, config);
  const readStatus = createRolloutStatus(limit);
  const askStanding = async (): Promise<VersionStanding> => {
    const path = find();
    if (path !== undefined) await versions.ask(path);
    return versionStandingOf(path && versions.known(path), KNOWN_VERSIONS);
  };
  return {
    id: 'codex',
    title: 'Codex',
    exitCommand: '/exit',
    canResume: true,
    declares: ['context_use', 'usage_limits', 'compaction', 'questions', 'interrupt', 'package_tools'],
    modelArgs: (model) => ['--model', model],
    settleMs: 300,
    choosesSessionId: true,
    startsWithFirstPrompt: true,
    ofItsSession: OF_ANOTHER_SESSION,
    readScreen: readCodexScreen,
    readQuestion: readCodexQuestion,
    isOurDraft,
    parseHook: parseCodexHook,
    sessionStartOutput: (text) =>
      Buffer.byteLength(text) > MAX_START_CONTEXT_BYTES ? undefined : sessionStartOutput(text),
    readStatus,
    transcript: rolloutReader,
    contextInTranscript: (path) => contextInRollout(path, limit),
    usageInTranscript: createRolloutUsage(),
    operatorHooks: createOperatorHooks({ file: join(folder, 'hooks.json'), events: HOOK_EVENTS, matched: new Set() }),
    unavailableReason: async () => {
      const { standing, sentence } = await askStanding();
      if (standing === 'unsupported')
        return `Codex ${sentence}. Update Codex, or set BATON_CODEX to the path of a newer version.`;
      return find() === undefined
        ? `Codex cannot be started: there is no program "${program}" on the PATH of the Baton server. Install it, or set BATON_CODEX to its absolute path, and restart Baton.`
        : undefined;
    },
    standing: askStanding,
    refuseArgs,
    ...(env.BATON_CODEX_SERVER === 'off' ? {} : { control: createCodexControl(limit) }),
    planLaunch: (context) => {
      // Use the absolute path, because the pane gets the PATH of the tmux server, which may have been started long
      // before.
      const path = find() ?? program;
      const flags = [...context.clientArgs, ...sessionFlags(context)];
      const folders = writableFolders(context, config);
      const session = context.resumes?.sessionId;
      const shared = { env: {}, unsetEnv: OF_ANOTHER_SESSION };
      if (env.BATON_CODEX_SERVER === 'off')
        return {
          ...shared,
          argv: [
            path,
            ...(session === undefined ? [] : ['resume', session]),
            ...flags,
            ...folders.added.flatMap((each) => ['--add-dir', each]),
          ],
          files: {},
        };
      return {
        ...shared,
        argv: ['/bin/sh', scriptPath(context.agentFolder), path, session ?? '', ...flags],
        files: launchFiles(context, folders),
      };
    },
  };
}
