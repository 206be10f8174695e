import { join } from 'node:path';
import type { AgentRuntime, LaunchContext, VersionStanding } from '../../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../../domain/packages/tools.ts';
import { createClientVersions } from '../client-version.ts';
import { findProgram } from '../find-program.ts';
import { parseSessionHook, SESSION_HOOK_EVENTS, sessionStartOutput } from '../session-hooks.ts';
import { transcriptReader } from '../transcript.ts';
import { createTranscriptUsage } from '../transcript-usage.ts';
import { versionStandingOf } from '../version-standing.ts';
import { chosenOptions, refuseArgs } from './client-args.ts';
import { createOpencodeControl } from './opencode-control.ts';
import { readOpencodeQuestion } from './opencode-question.ts';
import { asTyped, isOurDraft, readOpencodeScreen } from './opencode-screen.ts';
import { KNOWN_VERSIONS } from './tried-versions.ts';

/**
 * Variables that opencode sets for the programs that it runs. With these variables, an agent would treat itself as a
 * part of the session in which Baton was started.
 */
const OF_ANOTHER_SESSION = ['OPENCODE', 'OPENCODE_PID', 'OPENCODE_SERVER_PASSWORD', 'OPENCODE_SERVER_USERNAME'];

const EVENTS = [...SESSION_HOOK_EVENTS, 'Notification'];

/**
 * opencode runs as a server on loopback with a terminal client. A host program of Baton's own starts both and reports
 * the server's events (docs/decisions/0043). With BATON_OPENCODE_API=off, Baton types prompts into the composer.
 * @param hostProgram the path of the host program
 * @param env the environment that agents inherit. The variable BATON_OPENCODE may name another program.
 */
export function createOpencodeRuntime(hostProgram: string, env: NodeJS.ProcessEnv): AgentRuntime {
  const program = env.BATON_OPENCODE || 'opencode';
  const find = (): string | undefined => findProgram(program, env.PATH);
  const versions = createClientVersions(env);
  const askStanding = async (): Promise<VersionStanding> => {
    const path = find();
    if (path !== undefined) await versions.ask(path);
    return versionStandingOf(path && versions.known(path), KNOWN_VERSIONS);
  };
  return {
    id: 'opencode',
    title: 'opencode',
    exitCommand: '/exit',
    canResume: true,
    declares: ['context_use', 'usage_limits', 'compaction', 'questions', 'interrupt', 'package_tools'],
    choosesSessionId: true,
    settleMs: 300,
    ofItsSession: OF_ANOTHER_SESSION,
    readScreen: readOpencodeScreen,
    readQuestion: (screen) => (readOpencodeScreen(screen).kind === 'dialog' ? readOpencodeQuestion(screen) : undefined),
    isOurDraft,
    asTyped,
    parseHook: parseSessionHook,
    sessionStartOutput,
    ...(env.BATON_OPENCODE_API === 'off' ? {} : { control: createOpencodeControl() }),
    transcript: transcriptReader,
    usageInTranscript: createTranscriptUsage(),
    unavailableReason: async () => {
      const { standing, sentence } = await askStanding();
      if (standing === 'unsupported') return `opencode ${sentence}. Update it, or set BATON_OPENCODE to a newer one.`;
      return find() === undefined
        ? `opencode cannot be started: there is no program "${program}" on the PATH of the Baton server. Install it, or set BATON_OPENCODE to its absolute path, and restart Baton.`
        : undefined;
    },
    standing: askStanding,
    refuseArgs,
    modelArgs: (model) => ['--model', model],
    planLaunch: (context) => ({
      argv: [
        process.execPath,
        hostProgram,
        '--settings',
        join(context.agentFolder, 'settings.json'),
        ...(context.resumes === null ? [] : ['--resume', context.resumes.sessionId]),
      ],
      env: {},
      unsetEnv: OF_ANOTHER_SESSION,
      files: { 'settings.json': `${JSON.stringify(settingsOf(context, find() ?? program), null, 2)}\n` },
    }),
  };
}

/** The settings of the host program (host/settings.ts). */
function settingsOf(context: LaunchContext, program: string) {
  const { hookCommand, clientArgs, personaHandoffsPath, batonProgram } = context;
  return {
    hooks: Object.fromEntries(
      EVENTS.map((event) => [event, [{ hooks: [{ type: 'command', command: hookCommand(event) }] }]]),
    ),
    statusLine: { type: 'command', command: hookCommand('StatusLine') },
    program,
    ...chosenOptions(clientArgs),
    handoffs: personaHandoffsPath,
    tools: { name: TOOL_SERVER, command: [batonProgram, 'mcp'] },
  };
}
