import type { ProgramEnd } from '../../domain/agents/program-end.ts';

/**
 * The one way to start, see and type into an agent's pane.
 *
 * Typing is the dangerous verb: text typed after an agent fell back to a shell runs as commands, and an Enter can
 * approve a permission dialog. So `deliver` is the only member that types prompts and `pressAnswer` the only one that
 * answers a dialog; both are idempotent by id, and refuse rather than guess.
 */

/** A pane id alone is never identity: tmux reissues `%0` after a server restart, and a tag survives `respawn-pane -k`. */
export interface PaneIdentity {
  readonly serverPid: number;
  /** Start time of the tmux server, seconds since the epoch, as tmux reports it. */
  readonly serverStartedAt: number;
  readonly paneId: string;
  readonly panePid: number;
  readonly tag: string;
  /** Only of a pane in the operator's own tmux: its server, and the process in it that is the agent. */
  readonly outside?: ExternalProcess;
}

export interface ExternalProcess {
  readonly socket: string;
  readonly session: string;
  readonly pid: number;
  readonly mark: string;
}

/** Where a session of the operator's says that it is. */
export interface Place {
  readonly socket: string;
  readonly paneId: string;
  /** The agent program. */
  readonly pid: number;
}

export type Inspection =
  /** `tag`: whose it is already; empty if nobody's. */
  | { readonly found: 'pane'; readonly pane: PaneIdentity }
  | {
      readonly found: 'own_server' | 'no_server' | 'no_pane' | 'no_process' | 'other_terminal' | 'not_in_front';
      readonly detail: string;
    };

export interface PaneStatus {
  readonly identity: PaneIdentity;
  readonly sessionName: string;
  /** Its program has ended, and the pane was kept for what it shows. */
  readonly dead: boolean;
  /** It is kept when its program ends; `closeAtExit` ends that. */
  readonly staysAtExit?: boolean;
}

/** What our tmux server holds at one moment. Without a server nothing is known about panes: they are lost, not ended. */
export interface Panes {
  readonly server: Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> | undefined;
  readonly panes: readonly PaneStatus[];
}

export interface Screen {
  readonly lines: readonly string[];
  /**
   * The lines once more, with blanks where the text is drawn faint: a suggestion or hint in an empty composer is, and a
   * draft is not. Absent: nobody knows how it is drawn.
   */
  readonly solid?: readonly string[];
  readonly cursorX: number;
  readonly cursorY: number;
}

/** A run of text in one style, in the words of the contract: `bold fg-2`. */
export interface StyledRun {
  readonly text: string;
  readonly style: string;
}

/** A screen as people see it: printable text only, nothing that acts on whoever shows it. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  /** From the top; blank rows at the end are left out. */
  readonly lines: readonly (readonly StyledRun[])[];
  /** null: it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** A dialog as it stands on the screen, whoever opened it. */
export interface ScreenQuestion {
  /** Bounded, without anything secret: it goes into the log. */
  readonly text: string;
  /** Those that one digit chooses. Empty: it is answered in some other way, or nobody has measured how. */
  readonly options: readonly { readonly number: number; readonly label: string }[];
  /** The option that takes the operator's own words. */
  readonly textOption: number | null;
  /** The operator opened it himself, as `/model` does: the agent asks nothing. */
  readonly isMenu?: boolean;
  /** The window is too small for all of it, so nobody can tell from here what an answer would allow. */
  readonly isCut?: boolean;
  /** The client asks, on its way out, what becomes of its background work: the options that end it and that keep it. */
  readonly leaving?: { readonly stop: number; readonly keep: number };
  readonly highlighted: number | null;
  /** All of it but the highlight, uncut: two dialogs with the same one are the same question. */
  readonly fingerprint: string;
}

/**
 * What a runtime reads off its own screen. `ready` = an empty composer and no sign of work, which is necessary for typing
 * and never enough; `draft` = there is text in the composer.
 */
export type ScreenState =
  /** No composer, and nothing in its place that can be read. `text`: the last line, if there is one. */
  | { readonly kind: 'starting'; readonly text?: string }
  /** `interrupted`: it also shows that the last turn was broken off, of which no hook tells. */
  | { readonly kind: 'ready'; readonly interrupted?: boolean }
  /** `doing`: what it waits for by itself, in its own words. */
  | { readonly kind: 'busy'; readonly doing?: string }
  /** `isMenu`: the operator opened it; the agent asks nothing. */
  | { readonly kind: 'dialog'; readonly text: string; readonly isMenu?: boolean }
  /** The operator looks at something that hides the composer; `text` names it. */
  | { readonly kind: 'view'; readonly text: string }
  /** A line between the last output and the composer that nobody has measured: it may be work. */
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
  /** Unique for ever; written onto the pane in the same command line as the paste. The same id is never pasted twice. */
  readonly id: string;
  /** `command` is one of the runtime's own slash commands (such as /exit); anything else is a prompt. */
  readonly kind: 'prompt' | 'command';
  readonly text: string;
  readonly reader: ScreenReader;
  /** How long to wait for a ready composer before refusing. */
  readonly waitReadyMs: number;
  /** Asked right before the paste; false refuses. Waiting for a composer takes time in which a run can be cancelled. */
  readonly stillWanted?: () => boolean;
  /**
   * Asked before the paste, once the screen shows an empty composer: why the agent is not known to rest. A screen without
   * a sign of work is not enough: it may show work in a way that nobody has measured.
   */
  readonly whyNotAtRest?: () => Promise<NotAtRest | undefined>;
  /** Asked before each Enter; true: the agent has taken it, and text in the composer was put back there by a hook that blocked it. */
  readonly isSubmitted?: () => boolean;
}

export interface NotAtRest {
  readonly reason: 'starting' | 'busy' | 'dialog' | 'unknown';
  /** As it is told: "the agent is working". */
  readonly detail: string;
}

export interface AnswerRequest {
  /** Unique for ever; written onto the pane in the same command line as the first key. The same id is never pressed twice. */
  readonly id: string;
  readonly reader: ScreenReader;
  /** Is this the question that is to be answered? Asked of what stands on the screen right before the key. */
  readonly isAddressee: (question: ScreenQuestion) => boolean;
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
  /** Nothing was typed. */
  | { readonly verdict: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  /** Something was typed, and what became of it cannot be seen. Never repeat by yourself. */
  | { readonly verdict: 'unconfirmed'; readonly detail: string };

export interface LaunchRequest {
  /** Unique tmux session name; a second launch with the same name returns the pane of the first (a crash in between is healed). */
  readonly sessionName: string;
  readonly tag: string;
  /** Executed directly, never through a shell string. */
  readonly argv: readonly string[];
}

export interface Terminal {
  /** Starts our tmux server if needed and connects. May be called twice. Throws TerminalFault. */
  connect(): Promise<void>;
  /**
   * Throws; an error with `outcomeUnknown: true` says that the program may run all the same. The pane stays when its program
   * ends, so that its last words can be read: until `closeAtExit`, or `end` of the dead pane.
   */
  launch(request: LaunchRequest): Promise<PaneIdentity>;
  /** Every pane that carries our tag, on our own server or on the one with this socket. Starts no server. */
  list(socket?: string): Promise<Panes>;
  /** How the program of a dead pane ended; undefined if that very pane is not there, or its program runs. */
  programEnd(pane: PaneIdentity): Promise<ProgramEnd | undefined>;
  /** From now on the pane is gone as soon as its program ends. */
  closeAtExit(pane: PaneIdentity): Promise<void>;
  /** undefined if that very pane is not there any more. */
  capture(pane: PaneIdentity): Promise<Screen | undefined>;
  /** The same with its colours, for people. */
  picture(pane: PaneIdentity): Promise<Picture | undefined>;
  deliver(pane: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome>;
  /** Gives one answer to the question that stands on the screen; `typed` once it does not stand there any more. */
  pressAnswer(pane: PaneIdentity, request: AnswerRequest): Promise<DeliveryOutcome>;
  /** Presses Escape once, if the screen shows that the agent works. Why not, in words; undefined if it was pressed. */
  interrupt(pane: PaneIdentity, request: InterruptRequest): Promise<string | undefined>;
  /** Ends the pane we started, and nothing else: a no-op if that very pane is not there. Outside it ends the process, never the pane. */
  end(pane: PaneIdentity): Promise<void>;
  /** Looks whether this process has this pane of the operator's own tmux. Changes nothing. */
  inspect(place: Place): Promise<Inspection>;
  /** Marks a pane outside as ours, by its tag. false: it is another's, or not that pane any more. May be called twice. */
  claim(pane: PaneIdentity): Promise<boolean>;
  /** Takes our marks off a pane outside, and leaves it as it is. */
  release(pane: PaneIdentity): Promise<void>;
  /** Called when panes may have appeared or vanished: a hint to go and look, never a fact. */
  onChange(listener: () => void): void;
  /** The shell command with which the operator attaches to that session, or to that pane of his own. */
  attachCommand(sessionName: string, pane?: PaneIdentity | null): string;
  /** Lets go of tmux; agents go on running. */
  close(): Promise<void>;
}
