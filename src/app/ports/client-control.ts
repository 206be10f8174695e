import type { UsageLimit } from '../../domain/limits/usage-limit.ts';
import type { DeliveryOutcome } from './terminal.ts';

/**
 * The control API of a running client, such as Codex `app-server` or `opencode serve`. If it does not answer, Baton
 * uses hooks, the transcript and the pane. The API must listen only on loopback or on a Unix socket, and must require a
 * secret.
 */
export interface ClientControl {
  /**
   * Returns what the client reports about this session. Returns undefined if the API is missing or dead, does not
   * answer within about a second, or does not know the session. Never throws. Called for every live agent in each
   * reconcile.
   */
  readStatus(session: ControlledSession): Promise<ControlStatus | undefined>;
  /**
   * Submits a prompt through the API, at most once for each `id`. `typed` with `enters: 0`: the API accepted the
   * prompt. `refused`: the prompt certainly did not reach the client, so Baton may try again. `unconfirmed`, or a
   * thrown error: the outcome is unknown.
   */
  submit(session: ControlledSession, prompt: { readonly id: string; readonly text: string }): Promise<DeliveryOutcome>;
  /**
   * Interrupts the running turn. Returns undefined if the turn was interrupted. Returns a sentence with the reason if
   * it was not.
   */
  interrupt?(session: ControlledSession): Promise<string | undefined>;
  /**
   * Answers the open question with one of its options. `refused`: the client now asks something else or nothing.
   * Undefined: the API does not know this question, so Baton presses the digit of the option in the pane.
   */
  answer?(session: ControlledSession, given: GivenChoice): Promise<DeliveryOutcome | undefined>;
}

export interface GivenChoice {
  /** The text of the question, as it was read from the screen. */
  readonly question: string;
  /** The number of the option, as it was read from the screen. */
  readonly choice: number;
  /** The labels of all options, in the order of the screen. */
  readonly labels: readonly string[];
}

export interface ControlledSession {
  readonly agentId: number;
  /**
   * This agent's folder inside Baton's home. The launch script can leave the address and the secret of the API in this
   * folder.
   */
  readonly agentFolder: string;
  /** The client's id of the session; null until a hook or the API has reported it. */
  readonly sessionId: string | null;
  /** The process that runs the session's hooks; null until a hook has reported it. */
  readonly clientPid: number | null;
}

/**
 * The status that a client reports. `shell` means that the turn is over, but a background shell still runs. `retrying`
 * means that the turn continues after an API error; this counts as work.
 */
export interface ClientStatus {
  readonly status: 'idle' | 'busy' | 'retrying' | 'waiting' | 'shell';
  readonly waitingFor?: string;
  /** The client's own words about its work, such as `Rate limit reached, next attempt in 9 s`. */
  readonly doing?: string;
  /**
   * How long the client has reported this status without a change, counted from Baton's first reading of the status.
   * Absent if Baton does not know.
   */
  readonly forMs?: number;
}

/** Everything that the control API reports about one session. Only `status` is always there. */
export interface ControlStatus extends ClientStatus {
  /**
   * The id of the session that the client shows. Absent if the API is not sure of the id. Baton treats a new id as the
   * start of a session. So if the client reports the id at launch, Baton need not wait for the session-start hook.
   */
  readonly sessionId?: string;
  readonly transcriptPath?: string;
  readonly context?: {
    readonly usedPercent: number;
    readonly usedTokens: number | null;
    readonly windowTokens: number | null;
  };
  /**
   * The usage limit that stops the client until the limit ends. The API reports this limit even if the client itself
   * repeats the refused request.
   */
  readonly limit?: UsageLimit;
  /** How the last turn of the session ended; absent if no turn has ended yet. */
  readonly lastTurn?: TurnEnd;
}

/**
 * The end of a turn, as reported by the client's API or transcript. Baton needs it for clients that have no hook for a
 * failed turn.
 */
export interface TurnEnd {
  /** The id of the turn. If a hook of this turn has a `promptId`, the `promptId` is the same id. */
  readonly id: string;
  readonly outcome: 'completed' | 'interrupted' | 'failed';
  /** The client's own words about a failure. */
  readonly error?: string;
  /** Set if the turn failed because of a usage limit. */
  readonly limit?: UsageLimit;
}
