import type { BackgroundTask, ComposerObstacle, Pane } from './agents/agent.ts';
import type { Question } from './agents/question.ts';
import type { EffectKind } from './effects.ts';
import type { Finding } from './handoffs/document/finding.ts';
import type { GitFacts } from './handoffs/document/git-facts.ts';
import type { RunAction } from './handoffs/run.ts';
import type { Instant } from './instant.ts';
import type { MessageVerdict, TypingOutcome } from './messages/operator-message.ts';
import type { PersonaTextName } from './personas/persona.ts';

export type { TypingOutcome };

/**
 * A detail on the screen of an idle agent. `interrupted`: its turn was interrupted, for which there is no hook.
 * `prompt_returned`: the model had not begun to answer, so the client put the prompt back into the composer. `draft`:
 * the composer has unsent text.
 */
export type RestShown = 'interrupted' | 'prompt_returned' | 'draft';

/** Evidence that an agent is idle. The screen alone is never enough. */
export type RestEvidence = 'status' | 'transcript' | 'hooks';

/** A fact about one agent, reported by its hooks or observed by Baton. Names are in the past tense. */
export type AgentFact =
  | { readonly type: 'agent_created'; readonly agentId: number }
  | {
      readonly type: 'agent_launched';
      readonly agentId: number;
      readonly pane: Pane;
      /** The boot id of the machine when the agent started. Absent in old rows. */
      readonly bootId?: string | null;
    }
  | {
      readonly type: 'agent_launch_failed';
      readonly agentId: number;
      readonly detail: string;
      /** True if it is unknown whether the process runs; reconcile checks that later. */
      readonly isUnknown?: boolean;
    }
  | {
      readonly type: 'session_started';
      readonly agentId: number;
      readonly runtimeSessionId: string;
      readonly source: SessionSource;
      readonly transcriptPath?: string;
      /** The process id of the agent's client. */
      readonly clientPid?: number;
      /** Identifies the skill text that the session began with; absent if the session-start hook delivered no skill. */
      readonly skillGiven?: string;
    }
  | {
      readonly type: 'prompt_submitted';
      readonly agentId: number;
      readonly promptId: string | null;
      /** The reference of a prompt that Baton typed; null if anyone else typed it. */
      readonly ref: string | null;
      readonly excerpt: string;
      /** Hash of the prompt, normalized by `comparable`. Finds the operator's message with the same text. */
      readonly textHash: string;
    }
  | { readonly type: 'prompt_found_in_transcript'; readonly agentId: number; readonly ref: string }
  | {
      readonly type: 'tool_used';
      readonly agentId: number;
      readonly promptId: string | null;
      readonly tool: string;
      readonly phase: 'began' | 'ended';
      /** Id of this use of the tool, if the runtime provides an id. */
      readonly useId?: string;
    }
  | {
      readonly type: 'input_requested';
      readonly agentId: number;
      readonly promptId: string | null;
      readonly question: string;
    }
  | {
      readonly type: 'turn_ended';
      readonly agentId: number;
      readonly promptId: string | null;
      readonly backgroundTasks: number;
      /** The background tasks by name, if the client names them. */
      readonly background?: readonly BackgroundTask[];
    }
  | { readonly type: 'turn_failed'; readonly agentId: number; readonly promptId: string | null; readonly error: string }
  | { readonly type: 'compaction_started'; readonly agentId: number; readonly trigger: string }
  | { readonly type: 'compaction_ended'; readonly agentId: number; readonly summary?: string }
  | {
      readonly type: 'context_measured';
      readonly agentId: number;
      readonly usedPercent: number;
      readonly usedTokens: number | null;
      readonly windowTokens: number | null;
    }
  /** The permission mode (what the client may do without asking), in the client's own word. */
  | { readonly type: 'permission_mode_seen'; readonly agentId: number; readonly mode: string }
  | { readonly type: 'session_ended'; readonly agentId: number; readonly reason: string }
  /** A hook reported, some time after the turn `promptId`, that the agent waits for a prompt. */
  | { readonly type: 'agent_said_idle'; readonly agentId: number; readonly promptId: string | null }
  | {
      readonly type: 'agent_seen_idle';
      readonly agentId: number;
      readonly shows?: RestShown;
      /** The evidence. Absent in old rows, for which the screen alone was enough evidence. */
      readonly by?: RestEvidence;
    }
  | {
      readonly type: 'agent_seen_working';
      readonly agentId: number;
      /** `status`: the client's status file is the evidence. Absent: the screen is. */
      readonly by?: 'status';
      /** The work that the agent waits for, in the words of its client. */
      readonly doing?: string;
    }
  /** There is no evidence of working or idle. `line`: a screen line that Baton cannot read; null: an empty composer. */
  | { readonly type: 'agent_seen_unknown'; readonly agentId: number; readonly line: string | null }
  /** The obstacle in the agent's composer changed; null: the composer is free. */
  | { readonly type: 'agent_composer_seen'; readonly agentId: number; readonly obstacle: ComposerObstacle | null }
  | {
      readonly type: 'agent_seen_asking';
      readonly agentId: number;
      readonly question: string;
      /** The question in the form in which Baton can answer it. Absent in old rows. */
      readonly asked?: Question;
      /** True if the operator opened a menu; then the agent itself asks nothing. */
      readonly isMenu?: boolean;
    }
  /** The agent's process runs, but another process has the terminal and would receive the keys that Baton types. */
  | { readonly type: 'terminal_taken'; readonly agentId: number }
  | { readonly type: 'terminal_returned'; readonly agentId: number }
  | { readonly type: 'agent_process_gone'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'agent_pane_lost'; readonly agentId: number; readonly detail: string }
  | {
      readonly type: 'prompt_typed';
      readonly agentId: number;
      readonly purpose: PromptPurpose;
      readonly ref: string;
      /** The run that requested the prompt. Absent outside of runs, and in old rows. */
      readonly ofRun?: number;
      readonly outcome: TypingOutcome;
    }
  /** Baton pressed Escape in a working agent, or did not press it for the reason in `refusal`. */
  | { readonly type: 'agent_interrupted'; readonly agentId: number; readonly refusal: string | null }
  /** The operator sent a message. This fact is recorded before anything is typed. */
  | {
      readonly type: 'message_begun';
      readonly agentId: number;
      readonly ref: string;
      readonly textHash: string;
      readonly excerpt: string;
      /** The end of the transcript when the message was sent; only later entries can confirm the message. */
      readonly transcript: { readonly path: string; readonly from: number } | null;
      /** The server process that types the message and waits for its receipt. */
      readonly sentBy: string;
    }
  /** No receipt came in time. `senderGone`: the server process that typed the message died before it answered. */
  | {
      readonly type: 'message_overdue';
      readonly agentId: number;
      readonly ref: string;
      readonly detail: string;
      readonly senderGone?: true;
    }
  /** The operator asked to resume the agent's conversation after an outage. */
  | { readonly type: 'restore_wanted'; readonly agentId: number }
  | { readonly type: 'restore_failed'; readonly agentId: number; readonly detail: string }
  /** Baton no longer offers to restore the lost agent. */
  | { readonly type: 'restore_closed'; readonly agentId: number; readonly detail: string }
  /** The operator gave a persona to an agent that was started without a persona. */
  | { readonly type: 'persona_given'; readonly agentId: number; readonly personaId: number; readonly slug: string }
  /** The operator replaced the agent's persona. `change` is unique for each change. */
  | {
      readonly type: 'persona_changed';
      readonly agentId: number;
      readonly personaId: number;
      readonly slug: string;
      readonly from: string;
      readonly change: string;
    }
  /** An external session became an agent. `isWorking` is null if Baton cannot tell. */
  | {
      readonly type: 'agent_adopted';
      readonly agentId: number;
      readonly pane: Pane;
      readonly isWorking: boolean | null;
    }
  | { readonly type: 'agent_adoption_failed'; readonly agentId: number; readonly detail: string }
  /** Baton released the adopted agent; its process keeps running. */
  | { readonly type: 'agent_released'; readonly agentId: number }
  /** The operator answered a question. This fact is recorded before any key is pressed. */
  | {
      readonly type: 'answer_begun';
      readonly agentId: number;
      readonly ref: string;
      readonly questionId: string;
      /** The number of the option, or the beginning of the operator's own words. */
      readonly said: number | string;
      /** The server process that presses the keys. */
      readonly givenBy: string;
    }
  /** The result of typing an answer. `typed`: the question has disappeared from the screen. */
  | { readonly type: 'answer_given'; readonly agentId: number; readonly ref: string; readonly outcome: TypingOutcome }
  /** The server process that had to press the keys has ended. */
  | { readonly type: 'answer_overdue'; readonly agentId: number; readonly ref: string; readonly detail: string }
  /** The operator muted the agent or, with `muted` false, unmuted it. `until` null: until the operator unmutes it. */
  | { readonly type: 'agent_muted'; readonly agentId: number; readonly muted: boolean; readonly until: Instant | null }
  | { readonly type: 'skill_absent'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'priming_failed'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'agent_start_overdue'; readonly agentId: number; readonly detail: string };

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';
export type PromptPurpose = 'skill' | 'instruction' | 'injection' | 'exit' | 'message' | 'package';

/** A tool that a permission rule of the operator denies to an agent. */
export interface DeniedTool {
  readonly tool: string;
  /** The settings file with the rule; null if only the transcript shows the denial. */
  readonly file: string | null;
}

/** A fact about one handoff run. */
export type RunFact =
  | {
      readonly type: 'document_place_prepared';
      readonly runId: number;
      readonly path: string;
      readonly absolutePath: string;
    }
  | { readonly type: 'document_evidence_seen'; readonly runId: number }
  | {
      readonly type: 'document_checked';
      readonly runId: number;
      readonly result: DocumentCheck;
      readonly findings?: readonly Finding[];
      readonly git?: GitFacts;
      /** If there is no document: files that were created since the agent was asked for the document. */
      readonly beside?: readonly string[];
      /** If there is no document: the tool that a permission rule denies to the agent. */
      readonly denied?: DeniedTool;
    }
  | { readonly type: 'document_found_otherwise'; readonly runId: number; readonly found: 'restored' | 'changed' }
  | { readonly type: 'successor_can_start'; readonly runId: number }
  | { readonly type: 'successor_cannot_start'; readonly runId: number; readonly detail: string }
  | { readonly type: 'handoff_acknowledged'; readonly runId: number; readonly task: string }
  /** A permission rule prevents the successor from acknowledging. */
  | ({ readonly type: 'acknowledgement_denied'; readonly runId: number } & DeniedTool)
  /** The operator chose an action. This fact is ignored if the run has left the step that offered the action. */
  | {
      readonly type: 'operator_chose';
      readonly runId: number;
      readonly action: RunAction;
      /** For the action `adopt`: the file that becomes the document. */
      readonly adopted?: string;
      /** For the action `send_back`: the operator's comment on what is wrong with the document. */
      readonly comment?: string;
      /** Describes the agent's work after it wrote the document that the run continues with. */
      readonly since?: string;
    }
  | { readonly type: 'late_document_seen'; readonly runId: number }
  | { readonly type: 'effect_failed'; readonly runId: number; readonly doing: EffectKind; readonly detail: string }
  | { readonly type: 'clock_ticked'; readonly runId: number; readonly lastScreen?: string };

export type DocumentCheck =
  | {
      readonly verdict: 'good';
      readonly sha256: string;
      readonly bytes: number;
      /** Whether the document had its end marker when the agent left it. */
      readonly markerFound: boolean;
      /** Whether Baton added the end marker because it was missing. Absent in old rows. */
      readonly markerAdded?: boolean;
    }
  | { readonly verdict: 'missing' | 'empty' | 'not_a_regular_file' | 'reached_through_link' | 'too_large' }
  | { readonly verdict: 'unreadable'; readonly detail: string };

export type Fact = AgentFact | RunFact;
export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

/** Log lines for people. No decision depends on them. */
export type Notice =
  | { readonly type: 'persona_registered'; readonly slug: string }
  | { readonly type: 'persona_edited'; readonly slug: string; readonly role: string; readonly name: string }
  | { readonly type: 'persona_archived'; readonly slug: string }
  | { readonly type: 'persona_restored'; readonly slug: string }
  /** The notice contains only the hash of the text, because the log is never deleted. */
  | {
      readonly type: 'persona_text_saved';
      readonly slug: string;
      readonly text: PersonaTextName;
      readonly sha256: string;
    }
  | { readonly type: 'project_added'; readonly path: string }
  /** An external session began or ended. The notice contains no session id, because the log is never deleted. */
  | { readonly type: 'own_session_seen'; readonly runtime: string; readonly moment: 'began' | 'ended' }
  /** `slug` is the persona that new agents of this project get unless another one is named; null: no persona. */
  | { readonly type: 'project_default_persona_changed'; readonly projectId: number; readonly slug: string | null }
  | { readonly type: 'handoff_progress'; readonly from: string | null; readonly to: string; readonly detail?: string }
  | { readonly type: 'handoff_warning'; readonly sentence: string }
  | {
      readonly type: 'handoff_error';
      readonly at: string;
      readonly code: string;
      readonly sentence: string;
      readonly hint: string;
    }
  | { readonly type: 'handoff_complete'; readonly acknowledged: boolean; readonly successorAgentId: number }
  | { readonly type: 'handoff_undone'; readonly broughtBackAgentId: number }
  | {
      readonly type: 'inbox_opened';
      readonly itemId: number;
      readonly kind: string;
      readonly sentence: string;
      readonly hint: string;
    }
  | { readonly type: 'inbox_resolved'; readonly itemId: number; readonly resolution: string }
  /** A notification as shown on every channel and page. `itemId` is the first of `itemIds`. */
  | {
      readonly type: 'operator_notified';
      readonly itemId: number;
      readonly itemIds: readonly number[];
      readonly title: string;
      readonly body: string;
      readonly outcome: Readonly<Record<string, string>>;
    }
  /** The notification is not sent now, because of quiet hours or because the agent is muted. */
  | { readonly type: 'inbox_held'; readonly itemId: number; readonly why: string }
  | { readonly type: 'agent_state_changed'; readonly from: string; readonly to: string; readonly reason: string }
  /** `until`: the warning is over when the agent ends (`ended`) or has received the message with that reference. */
  | { readonly type: 'agent_warning'; readonly sentence: string; readonly until?: string }
  /** The operator asked Baton to make the agent exit or, with `force`, to kill its pane. */
  | { readonly type: 'agent_stop_asked'; readonly force: boolean }
  /** Logged for an ended agent; the agent `resumedAgentId` continues its conversation. */
  | { readonly type: 'agent_resumed'; readonly resumedAgentId: number }
  | {
      readonly type: 'worktree_planned' | 'worktree_created' | 'worktree_dropped' | 'worktree_removed';
      readonly worktreeId: number;
      readonly name: string;
      readonly branch: string;
      readonly path: string;
    }
  | ({ readonly type: 'message_verdict'; readonly ref: string } & MessageVerdict)
  | ({ readonly type: 'answer_verdict'; readonly ref: string } & MessageVerdict)
  | { readonly type: 'baton_trouble'; readonly sentence: string }
  /** Contains only the names of the settings, because their values may be secrets. */
  | { readonly type: 'settings_changed'; readonly keys: readonly string[] }
  /** Hooks were lost because the spool was full; or the disk, if `couldNotBeWritten` (absent in old rows) is set. */
  | { readonly type: 'spool_overflowed'; readonly count: number; readonly couldNotBeWritten?: boolean }
  | { readonly type: 'server_started'; readonly version: string; readonly runsInFlight: number };

/** The author of an act: the operator in the page or on the command line, or an agent. */
export type Doer = 'operator/page' | 'operator/cli' | `agent/${number}`;

/** Events that a person or an agent caused. Baton observed or did all other events by itself. */
const ACTS: ReadonlySet<string> = new Set<(Fact | Notice)['type']>([
  'agent_created',
  'agent_stop_asked',
  'message_begun',
  'message_verdict',
  'answer_begun',
  'answer_verdict',
  'restore_wanted',
  'persona_given',
  'persona_changed',
  'agent_released',
  'agent_muted',
  'handoff_acknowledged',
  'operator_chose',
  'persona_registered',
  'persona_edited',
  'persona_archived',
  'persona_restored',
  'persona_text_saved',
  'project_added',
  'project_default_persona_changed',
  'handoff_progress',
  'handoff_undone',
  'inbox_resolved',
  'agent_resumed',
  'worktree_planned',
  'worktree_removed',
  'settings_changed',
]);

export const isAct = (type: string): boolean => ACTS.has(type) || type.startsWith('package_');

/** The author that the event names; null for events that Baton caused itself and for events of older versions. */
export const doerIn = ({ data }: Pick<LoggedEvent, 'data'>): string | null =>
  typeof data.by === 'string' ? data.by : null;

export interface LoggedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly hostId: string;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hash: string;
}
