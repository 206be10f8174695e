import type { ProgramEnd } from '../../domain/agents/program-end.ts';

/**
 * The only way to start an agent's pane, to read its screen and to type into it.
 *
 * Typing is dangerous: if the agent has exited to a shell, the text runs as commands, and an Enter can approve a
 * permission dialog. Therefore only `deliver` types prompts and only `pressAnswer` answers dialogs. Both act at most
 * once per id, and refuse if they are not sure what the screen shows.
 */

/**
 * A pane id alone does not identify a pane, because tmux uses `%0` again after a server restart. A tag alone does not,
 * either, because it survives `respawn-pane -k`.
 */
export interface PaneIdentity {
  readonly serverPid: number;
  /** Start time of the tmux server as tmux reports it, in seconds since the epoch. */
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Only for a pane in the operator's own tmux: its server, and the process of the agent in this pane. */
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
  /** The `tag` of the pane names its current owner; it is empty if there is none. */
  | { readonly found: 'pane'; readonly pane: PaneIdentity }
  | {
      readonly found: 'own_server' | 'no_server' | 'no_pane' | 'no_process' | 'other_terminal' | 'not_in_front';
      readonly detail: string;
    };

export interface PaneStatus {
  readonly identity: PaneIdentity;
  readonly sessionName: string;
  /** true if the program has ended and the pane stays open only to show its last output. */
  readonly dead: boolean;
  /** true if the pane stays open after its program ends, until `closeAtExit` is called. */
  readonly staysAtExit?: boolean;
}

/** The panes of our tmux server at one moment. If the server is gone, its panes count as lost, not as ended. */
export interface Panes {
  readonly server: Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> | undefined;
  readonly panes: readonly PaneStatus[];
}

export interface Screen {
  readonly lines: readonly string[];
  /**
   * The same lines with faint text replaced by spaces: a suggestion in an empty composer is faint, a draft is not.
   * Absent if the style of the text is unknown.
   */
  readonly solid?: readonly string[];
  readonly cursorX: number;
  readonly cursorY: number;
}

/** A piece of text in one style. The style is named as in the contract, for example `bold fg-2`. */
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
  /** null if the cursor is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** A dialog on the screen, opened by the agent or by the operator. */
export interface ScreenQuestion {
  /** The text of the dialog. It is logged, so it has a maximum length and contains no secrets. */
  readonly text: string;
  /** The options that a single digit selects. Empty if the dialog is answered in another way, or in an unknown way. */
  readonly options: readonly { readonly number: number; readonly label: string }[];
  /** The option that accepts a text by the operator; null if there is none. */
  readonly textOption: number | null;
  /** true if the operator opened the dialog, for example with `/model`, so the agent asks nothing. */
  readonly isMenu?: boolean;
  /** true if the window is too small for the whole dialog, so the effect of an answer cannot be known. */
  readonly isCut?: boolean;
  /**
   * Set if the client, while it exits, asks about its background work: the numbers of the options that stop it and that
   * leave it running.
   */
  readonly leaving?: { readonly stop: number; readonly keep: number };
  readonly highlighted: number | null;
  /** The whole dialog without the highlight. Two dialogs with the same fingerprint are the same question. */
  readonly fingerprint: string;
}

/**
 * The state that a runtime reads from its screen. `ready` means an empty composer and no sign of work; this alone is
 * never enough to start typing. `draft` means that there is text in the composer.
 */
export type ScreenState =
  /** The screen has no composer and no readable text in its place. `text` is the last line, if there is one. */
  | { readonly kind: 'starting'; readonly text?: string }
  /** `interrupted` is true if the screen shows that the last turn was interrupted; no hook reports this. */
  | { readonly kind: 'ready'; readonly interrupted?: boolean }
  /** `doing` is the client's own text about what it does or waits for. */
  | { readonly kind: 'busy'; readonly doing?: string }
  /** `isMenu` is true if the operator opened the dialog, so the agent asks nothing. */
  | { readonly kind: 'dialog'; readonly text: string; readonly isMenu?: boolean }
  /** The operator opened a view that hides the composer; `text` names it. */
  | { readonly kind: 'view'; readonly text: string }
  /** There is an unrecognized line between the last output and the composer; it may mean work. */
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'draft'; readonly text: string };

export interface ScreenReader {
  readScreen(screen: Screen): ScreenState;
  /** Returns the open dialog; undefined if none is open. */
  readQuestion(screen: Screen): ScreenQuestion | undefined;
  /** Is this draft the text that we pasted? The screen may show only a part of it, or a "[Pasted text]" chip. */
  isOurDraft(draft: string, text: string): boolean;
  /** How long the screen must stay unchanged between the paste and Enter. The value was measured for each runtime. */
  readonly settleMs: number;
}

export interface Delivery {
  /** Globally unique. Written onto the pane in the same command line as the paste, so that no id is pasted twice. */
  readonly id: string;
  /** `command`: one of the runtime's own slash commands, such as /exit. `prompt`: any other text. */
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly reader: ScreenReader;
  /** How long to wait for a ready composer before the delivery is refused. */
  readonly waitReadyMs: number;
  /** Called right before the paste. false refuses the delivery, for example because the run was cancelled. */
  readonly stillWanted?: () => boolean;
  /**
   * Called before the paste, once the screen shows an empty composer. Returns why the agent is not known to be idle.
   * The screen alone is not enough, because it may show work in an unrecognized form.
   */
  readonly whyNotAtRest?: () => Promise<NotAtRest | undefined>;
  /**
   * Called before each Enter. Returns true if the agent already has the prompt; then any text in the composer was put
   * back there by a hook that blocked the prompt.
   */
  readonly isSubmitted?: () => boolean;
}

export interface NotAtRest {
  readonly reason: 'starting' | 'busy' | 'dialog' | 'unknown';
  /** A text for people, for example "the agent is working". */
  readonly detail: string;
}

export interface AnswerRequest {
  /** Globally unique. Written onto the pane together with the first key, so that no answer is given twice. */
  readonly id: string;
  readonly reader: ScreenReader;
  /** Is this the question to answer? Called with the question on the screen right before the key is pressed. */
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
  /** The composer accepted the text, and after Enter it was empty or the pane was gone. This is not a receipt yet. */
  | { readonly verdict: 'typed'; readonly enters: number }
  /** The delivery was refused before anything was typed. */
  | { readonly verdict: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  /** Something was typed, but its result cannot be seen. Must not be retried automatically. */
  | { readonly verdict: 'unconfirmed'; readonly detail: string };

export interface LaunchRequest {
  /** Unique name of the tmux session. A second launch with this name, after a crash, returns the pane of the first. */
  readonly sessionName: string;
  readonly tag: string;
  /** The command. It is executed directly, never through a shell. */
  readonly argv: readonly string[];
}

export interface Terminal {
  /** Starts our tmux server if needed and connects to it. Can be called twice. Throws TerminalFault on failure. */
  connect(): Promise<void>;
  /**
   * Starts a program in a new pane. If the error that it throws has `outcomeUnknown: true`, the program may run
   * nevertheless. After the program ends, the pane stays open, so that its last output can be read, until `closeAtExit`
   * or `end` is called.
   */
  launch(request: LaunchRequest): Promise<PaneIdentity>;
  /** Returns every pane with our tag, on our own server or on the server with this socket. Starts no server. */
  list(socket?: string): Promise<Panes>;
  /** Returns how the program of a dead pane ended; undefined if this pane does not exist or its program runs. */
  programEnd(pane: PaneIdentity): Promise<ProgramEnd | undefined>;
  /** From now on the pane closes when its program ends. */
  closeAtExit(pane: PaneIdentity): Promise<void>;
  /** Reads the screen of a pane; undefined if exactly this pane no longer exists. */
  capture(pane: PaneIdentity): Promise<Screen | undefined>;
  /** Reads the screen with its colors, to show it to people. */
  picture(pane: PaneIdentity): Promise<Picture | undefined>;
  deliver(pane: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome>;
  /** Answers the question on the screen. The verdict is `typed` once the question is gone. */
  pressAnswer(pane: PaneIdentity, request: AnswerRequest): Promise<DeliveryOutcome>;
  /**
   * Presses Escape once if the screen shows that the agent works. Returns undefined if it was pressed, otherwise a
   * sentence that says why not.
   */
  interrupt(pane: PaneIdentity, request: InterruptRequest): Promise<string | undefined>;
  /**
   * Ends exactly the pane that we started; does nothing if it no longer exists. In the operator's tmux, ends only the
   * process, never the pane.
   */
  end(pane: PaneIdentity): Promise<void>;
  /** Checks whether this process runs in this pane of the operator's own tmux. Changes nothing. */
  inspect(place: Place): Promise<Inspection>;
  /**
   * Marks a pane of the operator's tmux as ours with its tag. Returns false if the pane has another owner or is no
   * longer the same. Can be called twice.
   */
  claim(pane: PaneIdentity): Promise<boolean>;
  /** Removes our marks from a pane of the operator's tmux; the pane stays open. */
  release(pane: PaneIdentity): Promise<void>;
  /** Calls the listener when panes may have appeared or vanished; the listener has to check which. */
  onChange(listener: () => void): void;
  /** Returns the shell command with which the operator attaches to this session, or to this pane of their own tmux. */
  attachCommand(sessionName: string, pane?: PaneIdentity | null): string;
  /** Disconnects from tmux; agents keep running. */
  close(): Promise<void>;
}
