import type { AgentFact, SessionSource } from '../../domain/facts.ts';
import type { Recollection } from '../../domain/handoffs/document/emergency-document.ts';
import type { Instant } from '../../domain/instant.ts';
import type { UsageLimit } from '../../domain/limits/usage-limit.ts';
import type { Usage } from '../../domain/usage/usage.ts';
import type { ClientControl, ClientStatus, TurnEnd } from './client-control.ts';
import type { OperatorHooks } from './operator-hooks.ts';
import type { ScreenReader } from './terminal.ts';

/** A period of time that begins at `since` and ends just before `until`. If `until` is null, the period has no end. */
export interface Period {
  readonly since: Instant;
  readonly until: Instant | null;
}

export interface UsageInTranscript {
  /** The usage in the period. Undefined if the transcript names no tokens in the period. */
  readonly usage: Usage | undefined;
  /**
   * False if the transcript is too long for one call. The next call then continues to count where this call stopped.
   */
  readonly isComplete: boolean;
}

/**
 * One kind of coding agent. All differences between runtimes are declared in this interface. So code outside a
 * runtime's own folder never depends on the name of a runtime.
 */
export interface AgentRuntime extends ScreenReader {
  readonly id: string;
  readonly title: string;
  /** The command that makes the agent program exit, such as /exit. */
  readonly exitCommand: string;
  /** Returns the reason why an agent of this kind cannot be started on this machine. Returns undefined if it can. */
  unavailableReason(): Promise<string | undefined>;
  /**
   * Returns the version of the program, and whether Baton was tested with it. A runtime whose program has no version
   * lacks this function.
   */
  standing?(): Promise<VersionStanding>;
  /**
   * Returns the reason why an agent of this kind cannot work in this folder. Returns undefined if no reason is known.
   */
  whyNotIn?(folder: string): Promise<string | undefined>;
  /**
   * Returns the operator's permission rule that forbids the agent to run commands, or to write files, in this folder.
   * Returns undefined if no rule forbids it.
   */
  deniedByRule?(
    act: 'run' | 'write',
    folder: string,
  ): Promise<{ readonly tool: string; readonly file: string } | undefined>;
  /** Abilities of the runtime that cannot be derived from the functions of this interface. */
  readonly declares?: readonly DeclaredAbility[];
  /** Whether this runtime can resume an ended conversation. */
  readonly canResume: boolean;
  /**
   * Returns the reason why the operator's arguments cannot be passed to the agent program. Returns undefined if they
   * can. A runtime whose program accepts no arguments lacks this function.
   */
  refuseArgs?(args: readonly string[]): string | undefined;
  /**
   * Returns the arguments that make the client use this model. Baton passes them before the operator's own arguments.
   * If a runtime lacks this function, the operator cannot choose a model for its agents.
   */
  modelArgs?(model: string): readonly string[];
  planLaunch(context: LaunchContext): LaunchPlan;
  /**
   * Prepares everything outside the agent's folder for the launch. After a crash this function is called again, so a
   * second call must be safe.
   */
  prepareLaunch?(context: LaunchContext): Promise<void>;
  /**
   * Returns the output with which the session-start hook gives a text to the new session; undefined if the text is too
   * long. A runtime without this function has no hook that can give a text, so Baton types the skill.
   */
  sessionStartOutput?(text: string): string | undefined;
  /**
   * Environment variables that a session of this program sets for the programs that it runs. Baton removes them when it
   * starts an agent.
   */
  readonly ofItsSession?: readonly string[];
  parseHook(hook: RawHook): ParsedHook;
  /**
   * Returns the status that the client itself reports. Returns undefined if there is no status, or if the status may
   * belong to another process. Without a status, only hooks and the transcript can prove that an agent is idle; the
   * screen never can.
   */
  readStatus?(pid: number): Promise<ClientStatus | undefined>;
  /**
   * The control API of the client. Undefined if the client has none. A status from this API takes precedence over the
   * status from `readStatus`.
   */
  readonly control?: ClientControl;
  /**
   * True if the client chooses the id of its session and ignores `sessionUuid`. The agent's session is then the first
   * session that a hook or the control API reports.
   */
  readonly choosesSessionId?: boolean;
  /**
   * True if the client's hooks report a session only after its first prompt. So Baton does not wait for a hook, but
   * types the first prompt once the screen or the control API shows that the client is ready.
   */
  readonly startsWithFirstPrompt?: boolean;
  /** Reads the transcript of a conversation; undefined if the runtime writes none. */
  readonly transcript?: TranscriptReader;
  /** Returns the context use according to the transcript, for sessions without Baton's status line. */
  contextInTranscript?(path: string): Promise<ContextInTranscript | undefined>;
  /**
   * Returns the tokens that the transcript names in this period, and their cost if the client names it. Every reconcile
   * calls this function for every live agent, so an unchanged file must not be read again.
   */
  usageInTranscript?(path: string, period: Period): Promise<UsageInTranscript>;
  /** The hooks with which Baton observes external sessions; undefined if the runtime has none. */
  readonly operatorHooks?: OperatorHooks;
}

/**
 * Abilities that a runtime declares. `context_use`, `usage_limits`, `compaction`: the client reports these.
 * `questions`: one key answers the client's dialogs. `interrupt`: Escape or the control API interrupts a turn.
 * `package_tools`: agents get Baton's package tools by MCP.
 */
export type DeclaredAbility =
  | 'context_use'
  | 'usage_limits'
  | 'compaction'
  | 'questions'
  | 'interrupt'
  | 'package_tools';

export interface VersionStanding {
  readonly version: string | null;
  /**
   * `tried`: Baton was tested with this version. `near`: Baton was tested with another version of the same release
   * line. `unsupported`: the version is known not to work, so Baton starts no agent with it.
   */
  readonly standing: 'tried' | 'near' | 'untried' | 'unsupported' | 'unknown';
  /**
   * The version in words for people, such as `2.1.330, not tested with Baton, but the similar version 2.1.325 was
   * tested`.
   */
  readonly sentence: string;
}

export interface ContextInTranscript {
  readonly usedPercent: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
}

export interface TranscriptReader {
  /** Returns whether the transcript contains a prompt of the user with this text. */
  holds(path: string, text: string): Promise<boolean>;
  /** Returns the user's prompts after this byte offset, oldest first. */
  promptsBehind(path: string, from: number): Promise<readonly string[]>;
  /**
   * Returns whether the transcript shows that the last turn was interrupted, or that a hook blocked the prompt of this
   * turn. This function is needed because no hook reports an interruption or a blocked prompt.
   */
  endsInterrupted(path: string): Promise<boolean>;
  /**
   * Returns the last part of the conversation. If an agent cannot write its document, Baton writes the document and
   * quotes this part.
   */
  recall?(path: string): Promise<Recollection>;
  /**
   * Returns how the last turn ended. Returns undefined if no turn has ended yet, or if a newer turn is still running.
   */
  lastTurn?(path: string): Promise<TurnEnd | undefined>;
  /**
   * Returns the usage limit that ended the last turn. Returns undefined if the turn ended for another reason. Needed
   * only for runtimes whose hooks do not report everything about a limit.
   */
  usageLimit?(path: string): Promise<UsageLimit | undefined>;
  /**
   * Returns the last tool that a permission rule denied to the agent since the given time. Returns undefined if no tool
   * was denied.
   */
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
  /**
   * The arguments for the client: first the arguments for the chosen model (`modelArgs`), then the operator's own
   * arguments, unchanged.
   */
  readonly clientArgs: readonly string[];
  /** The permission mode that the predecessor had last; null if it is unknown or there is no predecessor. */
  readonly permissionMode: string | null;
  readonly projectPath: string;
  readonly personaHandoffsPath: string | null;
  /** This agent's folder inside Baton's home. */
  readonly agentFolder: string;
  /**
   * The path of the `baton` program that agents run. It is in the `bin` folder of the home of the Baton that starts the
   * agents.
   */
  readonly batonProgram: string;
  /**
   * Returns the shell command that reports one hook event. The command reads the JSON of the event from its standard
   * input.
   */
  hookCommand(event: string): string;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly unsetEnv: readonly string[];
  /**
   * The content of files, by file name. The files are written into the agent's folder before the launch, with mode
   * 0600.
   */
  readonly files: Readonly<Record<string, string>>;
}

export interface RawHook {
  readonly event: string;
  readonly payload: unknown;
}

/** A fact without an agent id, because Baton, and not the runtime, decides which agent a hook belongs to. */
export type UnboundFact = DistributiveOmit<AgentFact, 'agentId'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export interface ParsedHook {
  readonly sessionId: string | null;
  /** The reason why the session started, if the hook reports the start of a session. Null for every other hook. */
  readonly startedBy: SessionSource | null;
  readonly transcriptPath?: string;
  readonly facts: readonly UnboundFact[];
}
