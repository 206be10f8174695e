import type { ProgramEnd } from '../../domain/agents/program-end.ts';

/**
 * The only way to start an agent's pane, to read its screen and to type into it. Typing is dangerous: if the agent has
 * exited to a shell, the text runs as commands. So only `deliver` types prompts and only `pressAnswer` answers dialogs.
 */

/**
 * Identifies a pane. The pane id alone is not enough, because tmux uses `%0` again after a server restart. The tag
 * alone is not enough, because the tag survives `respawn-pane -k`.
 */
export interface PaneIdentity {
  readonly serverPid: number;
  /** Start time of the tmux server as tmux reports it, in seconds since the epoch. */
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Set only for a pane in the operator's own tmux: the pane's tmux server and the agent's process. */
  readonly outside?: ExternalProcess;
}

export interface ExternalProcess {
  readonly socket: string;
  readonly session: string;
  readonly pid: number;
  readonly mark: string;
}

/** The tmux pane and the process that an external session reports. */
export interface Place {
  readonly socket: string;
  readonly paneId: string;
  /** The process id of the agent program. */
  readonly pid: number;
}

export type Inspection =
  /** The pane was found. Its `tag` names the current owner, and is empty if the pane has no owner. */
  | { readonly found: 'pane'; readonly pane: PaneIdentity }
  | {
      readonly found: 'own_server' | 'no_server' | 'no_pane' | 'no_process' | 'other_terminal' | 'not_in_front';
      readonly detail: string;
    };

export interface PaneStatus {
  readonly identity: PaneIdentity;
  readonly sessionName: string;
  /** True if the program has ended and the pane stays open only to show the last output. */
  readonly dead: boolean;
  /** True if the pane stays open after its program ends, until `closeAtExit` is called. */
  readonly staysAtExit?: boolean;
  /**
   * The version of the pane's screen. If two lists of panes have the same version, the screen did not change in
   * between. Absent right after a change, because a second change at the same moment might leave the version the same.
   */
  readonly drawn?: string;
}

/** The panes of a tmux server at one moment. If the server is gone, its agents count as lost, not as ended. */
export interface Panes {
  readonly server: Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> | undefined;
  readonly panes: readonly PaneStatus[];
}

export interface Screen {
  readonly lines: readonly string[];
  /**
   * The lines of the screen, with spaces instead of faint text. Faint text in the composer is only a suggestion of the
   * client, not a draft. Absent if the style of the text is unknown.
   */
  readonly solid?: readonly string[];
  readonly cursorX: number;
  readonly cursorY: number;
}

/** A piece of text in one style. The style is named as in the API, for example `bold fg-2`. */
export interface StyledRun {
  readonly text: string;
  readonly style: string;
}

/** A screen to show to people: printable text only, without sequences that could affect the terminal of the viewer. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  /** The lines from the top, without blank lines at the end. */
  readonly lines: readonly (readonly StyledRun[])[];
  /** The position of the cursor; null if the cursor is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** A dialog on the screen, opened by the agent or by the operator. */
export interface ScreenQuestion {
  /** The text of the dialog. It is logged, so it has a maximum length and contains no secrets. */
  readonly text: string;
  /**
   * The options that a single digit selects. Empty if the dialog must be answered in another way, or if Baton cannot
   * tell how.
   */
  readonly options: readonly { readonly number: number; readonly label: string }[];
  /** The number of the option that lets the operator enter a text; null if the dialog has no such option. */
  readonly textOption: number | null;
  /**
   * True if the operator opened the dialog, for example with `/model`, so the dialog is not a question from the agent.
   */
  readonly isMenu?: boolean;
  /** True if the window is too small to show the whole dialog, so Baton cannot know the effect of an answer. */
  readonly isCut?: boolean;
  /**
   * Set if the client asks, before it exits, what to do with its background work. `stop` is the number of the option
   * that stops the work, and `keep` is the number of the option that leaves the work running.
   */
  readonly leaving?: { readonly stop: number; readonly keep: number };
  readonly highlighted: number | null;
  /**
   * Identifies the question. The highlighted option does not matter, so the same question always has the same
   * fingerprint.
   */
  readonly fingerprint: string;
}

/**
 * The state that a runtime reads from its screen. `ready`: the composer is empty and the screen shows no sign of work.
 * Baton never types because of the state `ready` alone. `draft`: there is text in the composer.
 */
export type ScreenState =
  /**
   * The screen shows neither a composer nor other text that Baton recognizes. `text` is the last line, if there is one.
   */
  | { readonly kind: 'starting'; readonly text?: string }
  /** `interrupted` is true if the screen shows that the last turn was interrupted, which no hook reports. */
  | { readonly kind: 'ready'; readonly interrupted?: boolean }
  /**
   * `doing` is what the client itself writes about its work. `waitsForLimit` is true if the client only waits for the
   * end of a usage limit, after which it continues by itself.
   */
  | { readonly kind: 'busy'; readonly doing?: string; readonly waitsForLimit?: true }
  /** `isMenu` is true if the operator opened the dialog. Such a dialog is not a question from the agent. */
  | { readonly kind: 'dialog'; readonly text: string; readonly isMenu?: boolean }
  /** The operator opened a view that hides the composer. `text` names the view. */
  | { readonly kind: 'view'; readonly text: string }
  /**
   * Between the last output and the composer there is a line that Baton does not recognize, so the agent may be
   * working.
   */
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'draft'; readonly text: string };

export interface ScreenReader {
  readScreen(screen: Screen): ScreenState;
  /** Returns the open dialog; undefined if none is open. */
  readQuestion(screen: Screen): ScreenQuestion | undefined;
  /**
   * Returns whether this draft in the composer is the text that Baton pasted. The screen may show only a part of the
   * text, or a "[Pasted text]" chip instead of it.
   */
  isOurDraft(draft: string, text: string): boolean;
  /**
   * Returns the text in the form in which Baton must type it into this client. For example, white space at the end may
   * be needed so that Enter submits the text. If this function is absent, Baton types every text unchanged.
   */
  asTyped?(text: string): string;
  /** How long the screen must stay unchanged between the paste and Enter. The value was measured for each runtime. */
  readonly settleMs: number;
}

export interface Delivery {
  /**
   * A globally unique id. The tmux command that pastes the text also writes this id onto the pane, so that no delivery
   * is pasted twice.
   */
  readonly id: string;
  /** `command`: one of the runtime's own slash commands, such as /exit. `prompt`: any other text. */
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly reader: ScreenReader;
  /** How long to wait for a ready composer before the delivery is refused. */
  readonly waitReadyMs: number;
  /**
   * Called right before the paste. Returns false if the text must not be pasted any more, for example because the run
   * was canceled. In this case the delivery is refused.
   */
  readonly stillWanted?: () => boolean;
  /**
   * Called before the paste, once the screen shows an empty composer. Returns undefined if the agent is certainly idle.
   * Otherwise returns the reason why the agent may not be idle. This check is needed because the screen alone is not
   * enough evidence that the agent is idle.
   */
  readonly whyNotAtRest?: () => Promise<NotAtRest | undefined>;
  /**
   * Called before each Enter. Returns true if the prompt was already submitted. If the composer contains text although
   * the prompt was submitted, a hook has blocked the prompt and put it back into the composer. In this case Baton must
   * not press Enter again.
   */
  readonly isSubmitted?: () => boolean;
  /**
   * Waits until the result of `isSubmitted` may have changed, but at most this many milliseconds. Without this
   * function, Baton polls `isSubmitted`.
   */
  readonly awaitNews?: (ms: number) => Promise<void>;
  /**
   * The control API of the client. If the API answers, Baton gives the text to the API. If not, Baton types the text.
   */
  readonly api?: ApiDelivery;
}

/**
 * Delivers one text through the control API of the client, even if the composer has unsent text. The outcomes have `by:
 * 'api'`.
 */
export interface ApiDelivery {
  /** Returns true if the API answers now and knows the session. */
  answers(): Promise<boolean>;
  /** Submits the text. Called once, after the delivery id was written onto the pane. */
  submit(text: string): Promise<DeliveryOutcome>;
}

export interface NotAtRest {
  readonly reason: 'starting' | 'busy' | 'dialog' | 'unknown';
  /** The reason why the agent may not be idle, in words for people, for example "the agent is working". */
  readonly detail: string;
  /**
   * If nothing else changes, the agent counts as idle after this many milliseconds. Absent if Baton does not know how
   * long this takes.
   */
  readonly forMs?: number;
}

export interface AnswerRequest {
  /**
   * A globally unique id. Baton writes the id onto the pane together with the first key, so that no answer is given
   * twice.
   */
  readonly id: string;
  readonly reader: ScreenReader;
  /**
   * Called right before the key is pressed. Returns whether the screen still shows the question that the caller wants
   * to answer. If not, no key is pressed.
   */
  readonly isSameQuestion: (question: ScreenQuestion) => boolean;
  readonly says: { readonly choice: number } | { readonly text: string };
  readonly stillWanted?: () => boolean;
}

export type InterruptRequest = Pick<Delivery, 'reader' | 'stillWanted'>;

export type RefusalReason =
  | 'starting'
  | 'busy'
  | 'dialog'
  | 'draft'
  | 'view'
  | 'unknown'
  | 'copy_mode'
  | 'agent_gone'
  | 'pane_gone'
  | 'wrong_server'
  | 'not_wanted'
  | 'not_asked'
  | 'other_question';

export type DeliveryOutcome =
  /**
   * The composer accepted the text. After Enter, the composer was empty or the pane was gone. This does not prove yet
   * that the agent received the text.
   */
  | { readonly verdict: 'typed'; readonly enters: number; readonly by?: 'api' }
  /** The delivery was refused before anything was typed. */
  | { readonly verdict: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  /** Something was typed, but Baton cannot see what became of it. The delivery must not be retried automatically. */
  | { readonly verdict: 'unconfirmed'; readonly detail: string; readonly by?: 'api' };

export interface LaunchRequest {
  /**
   * Unique name of the tmux session. If a launch is repeated with the same name after a crash, the launch returns the
   * existing pane.
   */
  readonly sessionName: string;
  readonly tag: string;
  /** The command with its arguments, which is executed directly and without a shell. */
  readonly argv: readonly string[];
  /**
   * Returns true once the program has reported that its session has begun. Until then, the launch watches the program
   * for a moment, in case it ends at once.
   */
  readonly hasBegun?: () => boolean;
  /**
   * Waits until the result of `hasBegun` may have changed, but at most this many milliseconds. Without this function,
   * Baton polls `hasBegun`.
   */
  readonly awaitNews?: (ms: number) => Promise<void>;
}

export interface Terminal {
  /**
   * Starts Baton's tmux server if needed and connects to the server. Repeated calls are safe. Throws TerminalFault on
   * failure.
   */
  connect(): Promise<void>;
  /**
   * Starts a program in a new pane. If the thrown error has `outcomeUnknown: true`, the program may be running. When
   * the program ends, the pane stays open, so that Baton can read its last output.
   */
  launch(request: LaunchRequest): Promise<PaneIdentity>;
  /**
   * Returns every pane with Baton's tag on the tmux server with this socket or, without a socket, on Baton's own
   * server. Starts no server.
   */
  list(socket?: string): Promise<Panes>;
  /** Returns how the program of a dead pane ended; undefined if this pane does not exist or its program still runs. */
  programEnd(pane: PaneIdentity): Promise<ProgramEnd | undefined>;
  /** Makes the pane close as soon as its program ends. */
  closeAtExit(pane: PaneIdentity): Promise<void>;
  /** Reads the screen of a pane; undefined if the pane no longer exists. */
  capture(pane: PaneIdentity): Promise<Screen | undefined>;
  /** Reads the screen of a pane with its colors, to show it to people. */
  picture(pane: PaneIdentity): Promise<Picture | undefined>;
  deliver(pane: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome>;
  /** Answers the question on the screen. The verdict is `typed` once the question is gone. */
  pressAnswer(pane: PaneIdentity, request: AnswerRequest): Promise<DeliveryOutcome>;
  /**
   * Presses Escape once if the screen shows that the agent is busy. Returns undefined if Escape was pressed. Returns a
   * sentence with the reason if it was not.
   */
  interrupt(pane: PaneIdentity, request: InterruptRequest): Promise<string | undefined>;
  /**
   * Ends a pane that Baton started; does nothing if the pane no longer exists. In the operator's tmux, ends only the
   * process, never the pane.
   */
  end(pane: PaneIdentity): Promise<void>;
  /** Checks whether this process runs in this pane of the operator's own tmux. Changes nothing. */
  inspect(place: Place): Promise<Inspection>;
  /**
   * Marks a pane of the operator's tmux as Baton's by setting its tag. Returns false if the pane has another owner or
   * was replaced. Repeated calls are safe.
   */
  claim(pane: PaneIdentity): Promise<boolean>;
  /** Removes Baton's marks from a pane of the operator's tmux. The pane stays open. */
  release(pane: PaneIdentity): Promise<void>;
  /** Calls the listener when a pane may have been opened or closed. The listener itself must check what has changed. */
  onChange(listener: () => void): void;
  /**
   * Returns the shell command with which the operator attaches to this session of Baton's tmux, or to this pane of
   * their own tmux.
   */
  attachCommand(sessionName: string, pane?: PaneIdentity | null): string;
  /** Disconnects from tmux; agents keep running. */
  close(): Promise<void>;
}
