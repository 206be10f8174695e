import type { AgentFact, SessionSource } from '../../domain/facts.ts';
import type { Instant } from '../../domain/instant.ts';
import type { OperatorHooks } from './operator-hooks.ts';
import type { ScreenReader } from './terminal.ts';

/**
 * One kind of coding agent. All differences between runtimes are declared here, so that no code outside a runtime's own
 * folder has to ask which runtime it is.
 */
export interface AgentRuntime extends ScreenReader {
  readonly id: string;
  readonly title: string;
  /** The runtime's own command for exiting, such as /exit. */
  readonly exitCommand: string;
  /** Returns why an agent of this kind cannot be started here; undefined if it can. */
  unavailableReason(): Promise<string | undefined>;
  /** Returns the program version and whether Baton was tested with it; absent if the program has no version. */
  standing?(): Promise<VersionStanding>;
  /** Returns why an agent of this kind cannot work in this folder; undefined if no reason is known. */
  whyNotIn?(folder: string): Promise<string | undefined>;
  /** Returns the permission rule of the operator that forbids running commands, or writing files, in this folder. */
  deniedByRule?(
    act: 'run' | 'write',
    folder: string,
  ): Promise<{ readonly tool: string; readonly file: string } | undefined>;
  /** Can this runtime resume an ended conversation? */
  readonly canResume: boolean;
  /**
   * Returns why these arguments of the operator cannot be passed to the agent program. If this member is absent, the
   * program accepts no arguments.
   */
  refuseArgs?(args: readonly string[]): string | undefined;
  planLaunch(context: LaunchContext): LaunchPlan;
  /** Prepares everything outside the agent's folder for the launch. Must be repeatable, because a crash repeats it. */
  prepareLaunch?(context: LaunchContext): Promise<void>;
  /**
   * Returns the output with which the session start hook gives this text to the new session; undefined if the text is
   * too long. If a runtime does not have this member, its hooks cannot give text, so the skill is typed.
   */
  sessionStartOutput?(text: string): string | undefined;
  /** Variables that a session exports to the programs it runs; agents are started without them. */
  readonly ofItsSession?: readonly string[];
  parseHook(hook: RawHook): ParsedHook;
  /**
   * Returns the client's own status; undefined if there is none, or if it may belong to another process. Without a
   * status, only hooks and the transcript prove that an agent is idle; the screen never does.
   */
  readStatus?(pid: number): Promise<ClientStatus | undefined>;
  /** Reads the transcript of a conversation; undefined if the runtime writes none. */
  readonly transcript?: TranscriptReader;
  /** Returns the context use according to the transcript, for sessions without Baton's status line. */
  contextInTranscript?(path: string): Promise<ContextInTranscript | undefined>;
  /** Hooks for observing external sessions; undefined if the runtime has none. */
  readonly operatorHooks?: OperatorHooks;
}

/** The status that a client reports. `shell` means that the turn is over, but a background shell still runs. */
export interface ClientStatus {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

export interface VersionStanding {
  readonly version: string | null;
  /**
   * `near`: the version is in the same release line as a tested version. `unsupported`: the version is known not to
   * work, so no agent is started with it.
   */
  readonly standing: 'tried' | 'near' | 'untried' | 'unsupported' | 'unknown';
  /** A sentence for people, for example `2.1.330, not tested itself, but 2.1.325 was`. */
  readonly sentence: string;
}

export interface ContextInTranscript {
  readonly usedPercent: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
}

export interface TranscriptReader {
  /** Does the transcript contain a user prompt with this text? */
  holds(path: string, text: string): Promise<boolean>;
  /** Returns the user's prompts after this byte offset, oldest first. */
  promptsBehind(path: string, from: number): Promise<readonly string[]>;
  /** Does the transcript end with an interrupted turn or a prompt that a hook blocked? No hook reports either. */
  endsInterrupted(path: string): Promise<boolean>;
  /** Returns the last tool that a permission rule denied to the agent since this time; undefined if there was none. */
  deniedTool?(path: string, since: Instant): Promise<string | undefined>;
  /** Returns the length of the transcript in bytes; 0 if the file does not exist yet. */
  end(path: string): Promise<number>;
}

export interface LaunchContext {
  readonly agentId: number;
  readonly sessionUuid: string;
  /** The conversation to resume; null to begin a new one with the id `sessionUuid`. */
  readonly resumes: { readonly sessionId: string; readonly transcriptPath: string | null } | null;
  readonly displayName: string;
  /** The operator's own arguments for the client, as they were given. */
  readonly clientArgs: readonly string[];
  /** The last permission mode of the predecessor; null if it is unknown or there is no predecessor. */
  readonly permissionMode: string | null;
  readonly projectPath: string;
  readonly personaHandoffsPath: string | null;
  /** This agent's folder inside Baton's home. */
  readonly agentFolder: string;
  /** The path of the `baton` program for agents; it is the same Baton that started them. */
  readonly batonProgram: string;
  /** Returns the shell command that reports one hook event. It reads the JSON of the event from its standard input. */
  hookCommand(event: string): string;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unsetEnv: readonly string[];
  /** Content of files by name. They are written into the agent's folder before the launch, with mode 0600. */
  readonly files: Readonly<Record<string, string>>;
}

export interface RawHook {
  readonly event: string;
  readonly payload: unknown;
}

/** A fact without an agent id, because Baton and not the runtime decides which agent a hook belongs to. */
export type UnboundFact = DistributiveOmit<AgentFact, 'agentId'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export interface ParsedHook {
  readonly sessionId: string | null;
  /** Why the session started, if the hook reports a session start; otherwise null. */
  readonly startedBy: SessionSource | null;
  readonly transcriptPath?: string;
  readonly facts: readonly UnboundFact[];
}
