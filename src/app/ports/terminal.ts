import type { ProgramEnd } from '../../domain/agents/program-end.ts';

/**
 * The one way to start, see and type into an agent's pane.
 *
 * Typing is the dangerous verb: text typed after an agent fell back to a shell runs as commands, and an Enter can
 * approve a permission dialog. So `deliver` is the only member that types prompts and `pressAnswer` the only one that
 * answers a dialog; both are idempotent by id, and refuse rather than guess.
 */

/**
 * A pane id alone is never identity: tmux reissues `%0` after a server restart, and a tag survives `respawn-pane -k`.
 */
export interface PaneIdentity {
  readonly serverPid: number;
  /** Start time of the tmux server, seconds since the epoch, as tmux reports it. */
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Only for a pane in the operator's own tmux: its server, and the agent's process in it. */
  readonly outside?: ExternalProcess;
}

export interface ExternalProcess {
  readonly socket: string;
  readonly session: string;
  readonly pid: number;
  readonly mark: string;
}

/** The location that an external session reports. */
export interface Place {
  readonly socket: string;
  readonly paneId: string;
  /** The agent program. */
  readonly pid: number;
}

export type Inspection =
  /** `tag`: the current owner; empty if there is none. */
  | { readonly found: 'pane'; readonly pane: PaneIdentity }
  | {
      readonly found: 'own_server' | 'no_server' | 'no_pane' | 'no_process' | 'other_terminal' | 'not_in_front';
      readonly detail: string;
    };

export interface PaneStatus {
  readonly identity: PaneIdentity;
  readonly sessionName: string;
  /** The program has ended, and the pane was kept for its output. */
  readonly dead: boolean;
  /** The pane stays open when its program ends, until `closeAtExit` is called. */
  readonly staysAtExit?: boolean;
}

/** The panes of our tmux server at one moment. If there is no server, its panes are lost, not ended. */
export interface Panes {
  readonly server: Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> | undefined;
  readonly panes: readonly PaneStatus[];
}

export interface Screen {
  readonly lines: readonly string[];
  /**
   * The same lines with faint text blanked out: a suggestion or hint in an empty composer is faint, a draft is not.
   * Absent: the style is unknown.
   */
  readonly solid?: readonly string[];
  readonly cursorX: number;
  readonly cursorY: number;
}

/** A run of text in one style, named as in the contract: `bold fg-2`. */
export interface StyledRun {
  readonly text: string;
  readonly style: string;
}

/** A screen for people: printable text only, without sequences that act on the terminal that shows it. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  /** From the top; blank rows at the end are left out. */
  readonly lines: readonly (readonly StyledRun[])[];
  /** null: it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** A dialog on the screen, opened by the agent or by the operator. */
export interface ScreenQuestion {
  /** Bounded and without secrets, because it is logged. */
  readonly text: string;
  /** The options that a single digit selects. Empty: it is answered in another way, or how is unknown. */
  readonly options: readonly { readonly number: number; readonly label: string }[];
  /** The option that takes the operator's own words. */
  readonly textOption: number | null;
  /** The operator opened it, for example with `/model`; the agent asks nothing. */
  readonly isMenu?: boolean;
  /** The window is too small for the whole dialog, so the effect of an answer is unknown here. */
  readonly isCut?: boolean;
  /** The exiting client asks about its background work: the options that stop it and that keep it. */
  readonly leaving?: { readonly stop: number; readonly keep: number };
  readonly highlighted: number | null;
  /** The full dialog without the highlight: equal fingerprints mean the same question. */
  readonly fingerprint: string;
}

/**
 * The state that a runtime reads off its screen. `ready`: an empty composer and no sign of work, which is necessary but
 * never sufficient for typing. `draft`: there is text in the composer.
 */
export type ScreenState =
  /** No composer, and nothing readable in its place. `text`: the last line, if there is one. */
  | { readonly kind: 'starting'; readonly text?: string }
  /** `interrupted`: the screen shows that the last turn was interrupted, which no hook reports. */
  | { readonly kind: 'ready'; readonly interrupted?: boolean }
  /** `doing`: what the client itself says it waits for. */
  | { readonly kind: 'busy'; readonly doing?: string }
  /** `isMenu`: the operator opened it; the agent asks nothing. */
  | { readonly kind: 'dialog'; readonly text: string; readonly isMenu?: boolean }
  /** The operator opened a view that hides the composer; `text` names it. */
  | { readonly kind: 'view'; readonly text: string }
  /** An unrecognized line between the last output and the composer; it may be work. */
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'draft'; readonly text: string };

export interface ScreenReader {
  readScreen(screen: Screen): ScreenState;
  /** undefined if no dialog is open. */
  readQuestion(screen: Screen): ScreenQuestion | undefined;
  /** Is this draft the text we pasted (perhaps shown as a "[Pasted text]" chip or cut off)? */
  isOurDraft(draft: string, text: string): boolean;
  /** How long the screen must stay unchanged after a paste before Enter; a measured property of each runtime. */
  readonly settleMs: number;
}

export interface Delivery {
  /**
   * Globally unique; written onto the pane in the same command line as the paste. The same id is never pasted twice.
   */
  readonly id: string;
  /** `command` is one of the runtime's own slash commands (such as /exit); anything else is a prompt. */
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly reader: ScreenReader;
  /** How long to wait for a ready composer before refusing. */
  readonly waitReadyMs: number;
  /** Called right before the paste; false refuses. A run can be cancelled while Baton waits for a composer. */
  readonly stillWanted?: () => boolean;
  /**
   * Called before the paste, once the screen shows an empty composer: why the agent is not known to be idle. A screen
   * without a sign of work is not enough: it may show work in an unrecognized form.
   */
  readonly whyNotAtRest?: () => Promise<NotAtRest | undefined>;
  /**
   * Called before each Enter; true: the agent has taken the prompt, and text in the composer was put back there by a
   * hook that blocked it.
   */
  readonly isSubmitted?: () => boolean;
}

export interface NotAtRest {
  readonly reason: 'starting' | 'busy' | 'dialog' | 'unknown';
  /** For people, for example "the agent is working". */
  readonly detail: string;
}

export interface AnswerRequest {
  /**
   * Globally unique; written onto the pane in the same command line as the first key. The same id is never pressed
   * twice.
   */
  readonly id: string;
  readonly reader: ScreenReader;
  /** Is this the question to answer? Called with the question on the screen right before the key. */
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
  /** The composer took the text, and after Enter it was seen empty or the pane was gone. Not yet a receipt. */
  | { readonly verdict: 'typed'; readonly enters: number }
  /** Refused before anything was typed. */
  | { readonly verdict: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  /** Something was typed, and the result cannot be seen. Never retry automatically. */
  | { readonly verdict: 'unconfirmed'; readonly detail: string };

export interface LaunchRequest {
  /** Unique tmux session name; a second launch with the same name, after a crash, returns the pane of the first. */
  readonly sessionName: string;
  readonly tag: string;
  /** Executed directly, never through a shell string. */
  readonly argv: readonly string[];
}

export interface Terminal {
  /** Starts our tmux server if needed and connects. May be called twice. Throws TerminalFault. */
  connect(): Promise<void>;
  /**
   * Throws; with `outcomeUnknown: true` the program may run all the same. The pane stays after its program ends, so
   * that its last output can be read, until `closeAtExit` or `end` is called.
   */
  launch(request: LaunchRequest): Promise<PaneIdentity>;
  /** Every pane that carries our tag, on our own server or on the one with this socket. Starts no server. */
  list(socket?: string): Promise<Panes>;
  /** How the program of a dead pane ended; undefined if exactly that pane does not exist, or its program runs. */
  programEnd(pane: PaneIdentity): Promise<ProgramEnd | undefined>;
  /** From now on the pane closes when its program ends. */
  closeAtExit(pane: PaneIdentity): Promise<void>;
  /** undefined if exactly that pane no longer exists. */
  capture(pane: PaneIdentity): Promise<Screen | undefined>;
  /** The same with its colors, for people. */
  picture(pane: PaneIdentity): Promise<Picture | undefined>;
  deliver(pane: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome>;
  /** Gives one answer to the question on the screen; `typed` once the question is gone. */
  pressAnswer(pane: PaneIdentity, request: AnswerRequest): Promise<DeliveryOutcome>;
  /**
   * Presses Escape once, if the screen shows that the agent works. Returns why not, as a sentence; undefined if it was
   * pressed.
   */
  interrupt(pane: PaneIdentity, request: InterruptRequest): Promise<string | undefined>;
  /**
   * Ends exactly the pane we started; a no-op if it no longer exists. For a pane in the operator's tmux it ends the
   * process, never the pane.
   */
  end(pane: PaneIdentity): Promise<void>;
  /** Checks whether this process has this pane of the operator's own tmux. Changes nothing. */
  inspect(place: Place): Promise<Inspection>;
  /**
   * Marks a pane of the operator's tmux as ours, by its tag. false: it has another owner, or is no longer the same
   * pane. May be called twice.
   */
  claim(pane: PaneIdentity): Promise<boolean>;
  /** Removes our marks from a pane of the operator's tmux, and leaves it running. */
  release(pane: PaneIdentity): Promise<void>;
  /** Called when panes may have appeared or vanished: a hint to observe, never a fact. */
  onChange(listener: () => void): void;
  /** The shell command with which the operator attaches to that session, or to that pane of their own tmux. */
  attachCommand(sessionName: string, pane?: PaneIdentity | null): string;
  /** Disconnects from tmux; agents keep running. */
  close(): Promise<void>;
}
