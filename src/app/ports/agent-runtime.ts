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
  /** Of its program, and whether Baton was tried with it; absent where there is nothing to tell. */
  standing?(): Promise<VersionStanding>;
  /** Why an agent of this kind cannot work in this folder; undefined if it can, as far as that is known. */
  whyNotIn?(folder: string): Promise<string | undefined>;
  /** The permission rule of the operator's by which an agent of this kind may run no commands, or write no files, in this folder. */
  deniedByRule?(
    act: 'run' | 'write',
    folder: string,
  ): Promise<{ readonly tool: string; readonly file: string } | undefined>;
  /** Can it go on with a conversation that has ended? */
  readonly canResume: boolean;
  /** Why these arguments of the operator's cannot be given to its program; without this it takes none at all. */
  refuseArgs?(args: readonly string[]): string | undefined;
  planLaunch(context: LaunchContext): LaunchPlan;
  /** What has to be true outside the agent's folder before it starts. Done again after a crash. */
  prepareLaunch?(context: LaunchContext): Promise<void>;
  /**
   * What the hook of a session's start has to print so that the session begins with this text; undefined if the text is
   * too long for that. Without this a runtime takes no text from its hooks, and the skill is typed.
   */
  sessionStartOutput?(text: string): string | undefined;
  /** Variables that a session of it leaves to the programs it runs; no agent is started with them. */
  readonly ofItsSession?: readonly string[];
  parseHook(hook: RawHook): ParsedHook;
  /**
   * What the client itself says that it does; undefined if it keeps no status, or none that is surely of this process.
   * Rest is a positive fact: without a status only hooks and the transcript can tell of it, and the screen never does.
   */
  readStatus?(pid: number): Promise<ClientStatus | undefined>;
  /** What the model was given to read; undefined where the runtime keeps none. */
  readonly transcript?: TranscriptReader;
  /** How full the context is, as far as the transcript tells; for sessions without Baton's status line. */
  contextInTranscript?(path: string): Promise<ContextInTranscript | undefined>;
  /** How sessions that the operator starts himself can be seen; undefined where they cannot. */
  readonly operatorHooks?: OperatorHooks;
}

/** `shell`: its turn is over, and a shell that it began in the background still runs. */
export interface ClientStatus {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

export interface VersionStanding {
  readonly version: string | null;
  /** `near`: of the same line as one that was tried. `unsupported`: known not to work, so it is not started. */
  readonly standing: 'tried' | 'near' | 'untried' | 'unsupported' | 'unknown';
  /** For people, such as `2.1.330, not tried itself; near 2.1.325, which was`. */
  readonly sentence: string;
}

export interface ContextInTranscript {
  readonly usedPercent: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
}

export interface TranscriptReader {
  /** Does it hold a prompt of the user with this text in it? */
  holds(path: string, text: string): Promise<boolean>;
  /** The user's prompts that stand behind this byte, oldest first. */
  promptsBehind(path: string, from: number): Promise<readonly string[]>;
  /** Is the last thing in it that the user broke the turn off, or that a hook blocked the prompt? Of that no hook tells. */
  endsInterrupted(path: string): Promise<boolean>;
  /** The last tool that a permission rule denied to the agent since this time; undefined: none is told. */
  deniedTool?(path: string, since: Instant): Promise<string | undefined>;
  /** Its length in bytes; 0 if it is not there yet. */
  end(path: string): Promise<number>;
}

export interface LaunchContext {
  readonly agentId: number;
  readonly sessionUuid: string;
  /** The conversation to go on with; null to begin a new one under `sessionUuid`. */
  readonly resumes: { readonly sessionId: string; readonly transcriptPath: string | null } | null;
  readonly displayName: string;
  /** The operator's own arguments for the client, as they were given. */
  readonly clientArgs: readonly string[];
  /** The permission mode that the predecessor was in last; null: not known, or there is none. */
  readonly permissionMode: string | null;
  readonly projectPath: string;
  readonly personaHandoffsPath: string | null;
  /** A folder of this agent's own inside Baton's home. */
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
