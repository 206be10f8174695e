import type { AgentFact, SessionSource } from '../../domain/facts.ts';
import type { Instant } from '../../domain/instant.ts';
import type { OperatorHooks } from './operator-hooks.ts';
import type { ScreenReader } from './terminal.ts';

/**
 * One kind of coding agent. Differences between runtimes are declared here; nothing outside a runtime's own folder
 * asks which one it is.
 */
export interface AgentRuntime extends ScreenReader {
  readonly id: string;
  readonly title: string;
  /** The runtime's own command for leaving, such as /exit. */
  readonly exitCommand: string;
  /** Why an agent of this kind cannot be started here; undefined if it can. */
  unavailableReason(): Promise<string | undefined>;
  /** The version of its program, and whether Baton was tested with it; absent if there is no version to report. */
  standing?(): Promise<VersionStanding>;
  /** Why an agent of this kind cannot work in this folder; undefined if no reason is known. */
  whyNotIn?(folder: string): Promise<string | undefined>;
  /**
   * The operator's permission rule that denies agents of this kind running commands, or writing files, in this folder.
   */
  deniedByRule?(
    act: 'run' | 'write',
    folder: string,
  ): Promise<{ readonly tool: string; readonly file: string } | undefined>;
  /** Can it resume an ended conversation? */
  readonly canResume: boolean;
  /** Why the operator's arguments cannot be passed to its program; if absent, it takes no arguments at all. */
  refuseArgs?(args: readonly string[]): string | undefined;
  planLaunch(context: LaunchContext): LaunchPlan;
  /** Prepares everything needed outside the agent's folder before the launch. Must be repeatable, after a crash. */
  prepareLaunch?(context: LaunchContext): Promise<void>;
  /**
   * The output by which the session start hook puts this text into the new session; undefined if the text is too long
   * for that. A runtime without this member takes no text from its hooks, so the skill is typed.
   */
  sessionStartOutput?(text: string): string | undefined;
  /** Variables that its sessions export to the programs they run; no agent is started with them. */
  readonly ofItsSession?: readonly string[];
  parseHook(hook: RawHook): ParsedHook;
  /**
   * The client's own status; undefined if it keeps none, or none that certainly belongs to this process. Being idle
   * needs positive evidence: without a status only hooks and the transcript provide it, never the screen.
   */
  readStatus?(pid: number): Promise<ClientStatus | undefined>;
  /** Reads the record of the conversation; undefined if the runtime keeps none. */
  readonly transcript?: TranscriptReader;
  /** Context use according to the transcript; for sessions without Baton's status line. */
  contextInTranscript?(path: string): Promise<ContextInTranscript | undefined>;
  /** Hooks for observing external sessions; undefined if the runtime has none. */
  readonly operatorHooks?: OperatorHooks;
}

/** `shell`: the turn is over, and a background shell still runs. */
export interface ClientStatus {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

export interface VersionStanding {
  readonly version: string | null;
  /** `near`: same release line as a tested version. `unsupported`: known not to work, so it is not started. */
  readonly standing: 'tried' | 'near' | 'untried' | 'unsupported' | 'unknown';
  /** For people, for example `2.1.330, not tested itself, but 2.1.325 was`. */
  readonly sentence: string;
}

export interface ContextInTranscript {
  readonly usedPercent: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
}

export interface TranscriptReader {
  /** Does it contain a user prompt with this text? */
  holds(path: string, text: string): Promise<boolean>;
  /** The user's prompts after this byte offset, oldest first. */
  promptsBehind(path: string, from: number): Promise<readonly string[]>;
  /** Does it end with a turn that the user interrupted, or a prompt that a hook blocked? No hook reports these. */
  endsInterrupted(path: string): Promise<boolean>;
  /** The last tool that a permission rule denied to the agent since this time; undefined: none. */
  deniedTool?(path: string, since: Instant): Promise<string | undefined>;
  /** Its length in bytes; 0 if it is not there yet. */
  end(path: string): Promise<number>;
}

export interface LaunchContext {
  readonly agentId: number;
  readonly sessionUuid: string;
  /** The conversation to resume; null: begin a new one under `sessionUuid`. */
  readonly resumes: { readonly sessionId: string; readonly transcriptPath: string | null } | null;
  readonly displayName: string;
  /** The operator's own arguments for the client, as they were given. */
  readonly clientArgs: readonly string[];
  /** The last permission mode of the predecessor; null: unknown or none. */
  readonly permissionMode: string | null;
  readonly projectPath: string;
  readonly personaHandoffsPath: string | null;
  /** This agent's folder inside Baton's home. */
  readonly agentFolder: string;
  /** The path of `baton` as agents run it: the same Baton that started them. */
  readonly batonProgram: string;
  /** The shell command that reports one hook event; the event's JSON goes to its standard input. */
  hookCommand(event: string): string;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unsetEnv: readonly string[];
  /** Written before the launch, 0600, by name inside the agent's folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface RawHook {
  readonly event: string;
  readonly payload: unknown;
}

/** Facts without the agent: which agent a hook belongs to is never the runtime's decision. */
export type UnboundFact = DistributiveOmit<AgentFact, 'agentId'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export interface ParsedHook {
  readonly sessionId: string | null;
  /** Set when the hook announces a session. */
  readonly startedBy: SessionSource | null;
  readonly transcriptPath?: string;
  readonly facts: readonly UnboundFact[];
}
