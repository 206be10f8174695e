import type { BackgroundTask, ComposerObstacle, Pane } from './agents/agent.ts';
import type { Question } from './agents/question.ts';
import type { EffectKind } from './effects.ts';
import type { Finding } from './handoffs/document/finding.ts';
import type { GitFacts } from './handoffs/document/git-facts.ts';
import type { DocumentKnowledge } from './handoffs/document/knowledge.ts';
import type { AutoTrigger, Hold, WorkSeen } from './handoffs/policy/auto-handoff.ts';
import type { HandoffPolicy } from './handoffs/policy/policy.ts';
import type { RunAction } from './handoffs/run.ts';
import type { Instant } from './instant.ts';
import type { UsageLimit } from './limits/usage-limit.ts';
import type { MessageVerdict, TypingOutcome } from './messages/operator-message.ts';
import type { PersonaTextName } from './personas/persona.ts';
import type { RunsOn } from './personas/runs-on.ts';
import type { UsageReport } from './usage/usage.ts';

export type { TypingOutcome };

/**
 * A detail on the screen of an idle agent. `interrupted`: the turn was interrupted; no hook reports this.
 * `prompt_returned`: the turn was interrupted so early that the client put the prompt back into the composer. `draft`:
 * the composer has unsent text.
 */
export type RestShown = 'interrupted' | 'prompt_returned' | 'draft';

/**
 * Kinds of evidence that an agent is idle. The screen is not in this list, because the screen alone is never enough
 * evidence.
 */
export type RestEvidence = 'api' | 'status' | 'transcript' | 'hooks';

/** A fact about one agent, reported by its hooks or observed by Baton. The names of the types are in the past tense. */
export type AgentFact =
  | { readonly type: 'agent_created'; readonly agentId: number }
  | {
      readonly type: 'agent_launched';
      readonly agentId: number;
      readonly pane: Pane;
      /** The boot id of the machine when the agent started. Absent in rows of older versions. */
      readonly bootId?: string | null;
    }
  | {
      readonly type: 'agent_launch_failed';
      readonly agentId: number;
      readonly detail: string;
      /** True if Baton does not know whether the agent's process runs. Reconcile finds out later. */
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
  /**
   * The client is ready for its first prompt: the screen shows an empty composer, or the client reports that it is
   * idle. The session begins with the first prompt.
   */
  | { readonly type: 'agent_seen_ready'; readonly agentId: number; readonly by: 'screen' | 'api' | 'status' }
  | {
      readonly type: 'prompt_submitted';
      readonly agentId: number;
      readonly promptId: string | null;
      /** The reference of a prompt that Baton typed; null if a person or another program typed the prompt. */
      readonly ref: string | null;
      readonly excerpt: string;
      /**
       * Hash of the prompt after `comparable` has normalized its text. Baton uses this hash to find the operator's
       * message with the same text.
       */
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
      /** True if the tool changes files. */
      readonly edits?: true;
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
      /** The background tasks, if the client lists each of them. */
      readonly background?: readonly BackgroundTask[];
    }
  | { readonly type: 'turn_failed'; readonly agentId: number; readonly promptId: string | null; readonly error: string }
  /**
   * The client reported that the model refuses turns because of a usage limit. If a turn failed because of the limit,
   * Baton records this fact first and then `turn_failed`. If the client later reports more about the same limit, Baton
   * records this fact again.
   */
  | ({ readonly type: 'usage_limit_hit'; readonly agentId: number } & UsageLimit)
  /** The usage limit has ended, because its time is over or because the client reported that it works again. */
  | { readonly type: 'usage_limit_over'; readonly agentId: number; readonly by: 'time' | 'client' }
  /** The operator chose whether Baton asks the agent to continue once its usage limit is over. */
  | { readonly type: 'limit_wait_chosen'; readonly agentId: number; readonly wait: boolean }
  | { readonly type: 'compaction_started'; readonly agentId: number; readonly trigger: string }
  | { readonly type: 'compaction_ended'; readonly agentId: number; readonly summary?: string }
  | {
      readonly type: 'context_measured';
      readonly agentId: number;
      readonly usedPercent: number;
      readonly usedTokens: number | null;
      readonly windowTokens: number | null;
    }
  /** A running total of tokens or costs, from the agent's client or from its transcript. */
  | ({ readonly type: 'usage_reported'; readonly agentId: number } & UsageReport)
  /** The permission mode (what the client may do without asking), as the client calls it. */
  | { readonly type: 'permission_mode_seen'; readonly agentId: number; readonly mode: string }
  | { readonly type: 'session_ended'; readonly agentId: number; readonly reason: string }
  /** A hook reported that the agent has been waiting for a prompt since the end of the turn `promptId`. */
  | { readonly type: 'agent_said_idle'; readonly agentId: number; readonly promptId: string | null }
  | {
      readonly type: 'agent_seen_idle';
      readonly agentId: number;
      readonly shows?: RestShown;
      /**
       * The evidence that the agent is idle. Absent in rows of older versions, for which the screen alone was enough
       * evidence.
       */
      readonly by?: RestEvidence;
    }
  | {
      readonly type: 'agent_seen_working';
      readonly agentId: number;
      /**
       * The source that shows that the agent is working: the client's control API or its status file. Absent if the
       * screen shows it.
       */
      readonly by?: 'api' | 'status';
      /** The work that the agent does or waits for, in the words of its client. */
      readonly doing?: string;
    }
  /**
   * There is no evidence whether the agent is working or idle. `line` is a screen line that Baton cannot interpret;
   * null if the screen shows an empty composer.
   */
  | { readonly type: 'agent_seen_unknown'; readonly agentId: number; readonly line: string | null }
  /** The obstacle in the agent's composer changed. `obstacle` is null if the composer is free. */
  | { readonly type: 'agent_composer_seen'; readonly agentId: number; readonly obstacle: ComposerObstacle | null }
  | {
      readonly type: 'agent_seen_asking';
      readonly agentId: number;
      readonly question: string;
      /**
       * The question with its options, so that the operator can answer it through Baton. Absent in rows of older
       * versions.
       */
      readonly asked?: Question;
      /** True if the operator opened a menu. The dialog on the screen is then not a question from the agent. */
      readonly isMenu?: boolean;
    }
  /**
   * The agent's process runs, but another process is in the foreground of its terminal. Keys that Baton types would go
   * to that other process.
   */
  | { readonly type: 'terminal_taken'; readonly agentId: number }
  | { readonly type: 'terminal_returned'; readonly agentId: number }
  | {
      readonly type: 'agent_process_gone';
      readonly agentId: number;
      readonly detail: string;
      /**
       * True if the agent's program did not start, or ended immediately after its start. Absent after an ordinary exit.
       */
      readonly failedToStart?: true;
    }
  | { readonly type: 'agent_pane_lost'; readonly agentId: number; readonly detail: string }
  | {
      readonly type: 'prompt_typed';
      readonly agentId: number;
      readonly purpose: PromptPurpose;
      readonly ref: string;
      /** The run that requested the prompt. Absent if no run requested it, and in rows of older versions. */
      readonly ofRun?: number;
      readonly outcome: TypingOutcome;
    }
  /**
   * Baton pressed Escape in the pane of a working agent. If `refusal` is set, Baton did not press Escape, for the
   * reason in this field.
   */
  | { readonly type: 'agent_interrupted'; readonly agentId: number; readonly refusal: string | null }
  /** The operator sent a message. This fact is recorded before anything is typed. */
  | {
      readonly type: 'message_begun';
      readonly agentId: number;
      readonly ref: string;
      readonly textHash: string;
      readonly excerpt: string;
      /**
       * The agent's transcript, and its length when the message was sent. Only a transcript entry that comes after this
       * position confirms the message.
       */
      readonly transcript: { readonly path: string; readonly from: number } | null;
      /** The server process that types the message and waits for its receipt. */
      readonly sentBy: string;
      /** True if the message is the prompt that the operator gave when starting the agent. */
      readonly isFirstPrompt?: true;
    }
  /** The first prompt was refused before it was recorded as a message. `detail` says why. */
  | { readonly type: 'first_prompt_refused'; readonly agentId: number; readonly detail: string }
  /**
   * No receipt for the message came in time. `senderGone` is set if the server process that typed the message ended
   * without reporting a result.
   */
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
  /** The operator replaced the agent's persona. `change` is a unique id of this change. */
  | {
      readonly type: 'persona_changed';
      readonly agentId: number;
      readonly personaId: number;
      readonly slug: string;
      readonly from: string;
      readonly change: string;
    }
  /** An external session became an agent. `isWorking` is null if Baton cannot tell whether the agent is working. */
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
      /** The number of the chosen option, or the beginning of the operator's text. */
      readonly said: number | string;
      /** The server process that presses the keys. */
      readonly givenBy: string;
    }
  /** The result of typing an answer. `typed`: the question has disappeared from the screen. */
  | { readonly type: 'answer_given'; readonly agentId: number; readonly ref: string; readonly outcome: TypingOutcome }
  /** The server process that had to press the keys ended before it reported a result. */
  | { readonly type: 'answer_overdue'; readonly agentId: number; readonly ref: string; readonly detail: string }
  /**
   * The operator muted the agent (`muted` is true) or unmuted the agent. If `until` is null, the agent stays muted
   * until the operator unmutes it.
   */
  | { readonly type: 'agent_muted'; readonly agentId: number; readonly muted: boolean; readonly until: Instant | null }
  /** The operator set or removed the handoff policy of the agent. The policy is null if it was removed. */
  | { readonly type: 'handoff_policy_set'; readonly agentId: number; readonly policy: HandoffPolicy | null }
  /** The agent itself asked for a handoff. */
  | {
      readonly type: 'handoff_requested';
      readonly agentId: number;
      readonly reason: string;
      readonly isForPerson: boolean;
    }
  /** The operator dismissed the inbox item about the agent's request, or restored the dismissed item. */
  | { readonly type: 'handoff_request_declined'; readonly agentId: number; readonly itemId: number }
  | { readonly type: 'handoff_request_restored'; readonly agentId: number; readonly itemId: number }
  /** Baton will begin a handoff by itself at `dueAt`, unless a person or a change of the agent prevents it. */
  | {
      readonly type: 'countdown_began';
      readonly agentId: number;
      readonly trigger: AutoTrigger;
      readonly dueAt: Instant;
    }
  /** The countdown begins again from its full length, because Baton did not observe the agent for a while. */
  | { readonly type: 'countdown_restarted'; readonly agentId: number; readonly dueAt: Instant }
  | { readonly type: 'countdown_stopped'; readonly agentId: number; readonly why: string }
  /** The operator canceled the countdown, or postponed it until a certain time. */
  | { readonly type: 'countdown_cancelled'; readonly agentId: number }
  | { readonly type: 'countdown_snoozed'; readonly agentId: number; readonly until: Instant }
  /**
   * Under the policy `auto`, a handoff is due, but Baton holds it back for the reason `why`. A later fact
   * `auto_handoff_released` says that this reason no longer applies.
   */
  | { readonly type: 'auto_handoff_held'; readonly agentId: number; readonly why: Hold }
  | { readonly type: 'auto_handoff_released'; readonly agentId: number }
  /** Baton began a handoff by itself. The transaction that records this fact also stores the run. */
  | { readonly type: 'auto_handoff_begun'; readonly agentId: number; readonly because: string }
  /** Baton saw that the agent has worked since it took over from its predecessor. */
  | { readonly type: 'work_seen'; readonly agentId: number; readonly what: WorkSeen }
  | { readonly type: 'skill_absent'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'priming_failed'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'agent_start_overdue'; readonly agentId: number; readonly detail: string };

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';
export type PromptPurpose =
  | 'skill'
  | 'instruction'
  | 'injection'
  | 'nudge'
  | 'exit'
  | 'message'
  | 'package'
  | 'continue';

/** A tool that a permission rule of the operator denies to an agent. */
export interface DeniedTool {
  readonly tool: string;
  /** The settings file that contains the rule; null if only the transcript shows the denial. */
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
      /**
       * The beginning of the document's text, for the search index. This text is not logged. Absent if Baton could not
       * read its copy of the document.
       */
      readonly text?: string;
      readonly knowledge?: DocumentKnowledge;
      /** If Baton found no document: the files that were created since the agent was asked for the document. */
      readonly beside?: readonly string[];
      /**
       * If a permission rule denied a tool to the agent: the denied tool. The denial may be the reason why the agent
       * wrote no document.
       */
      readonly denied?: DeniedTool;
    }
  /** The document was compared with the project's files and with git. `git` is absent if the comparison failed. */
  | {
      readonly type: 'document_compared';
      readonly runId: number;
      readonly findings: readonly Finding[];
      readonly git?: GitFacts;
    }
  | {
      readonly type: 'document_found_otherwise';
      readonly runId: number;
      readonly found: 'restored' | 'changed' | 'changed_and_put_back';
    }
  /** A successor can start. `runsOn` is set if a certain runtime was chosen for the successor. */
  | { readonly type: 'successor_can_start'; readonly runId: number; readonly runsOn?: RunsOn }
  | { readonly type: 'successor_cannot_start'; readonly runId: number; readonly detail: string }
  | { readonly type: 'handoff_acknowledged'; readonly runId: number; readonly task: string }
  /** A permission rule prevents the successor from acknowledging the handoff. */
  | ({ readonly type: 'acknowledgement_denied'; readonly runId: number } & DeniedTool)
  /**
   * The operator chose an action of a run. The fact is ignored if the run has meanwhile left the step that offered the
   * action.
   */
  | {
      readonly type: 'operator_chose';
      readonly runId: number;
      readonly action: RunAction;
      /** For the action `adopt`: the file that becomes the document. */
      readonly adopted?: string;
      /** For `send_back`: what is wrong with the document. For `message`: the operator's text for the successor. */
      readonly comment?: string;
      /** The runtime for the successor, if the operator chose another one. Arguments of the client are not logged. */
      readonly runsOn?: RunsOn;
      /**
       * Describes the work that the agent did after it had written the document. Set if the run continues with this
       * document although it does not contain that work.
       */
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
      /** Whether the agent itself wrote the end marker at the end of the document. */
      readonly markerFound: boolean;
      /** Whether Baton added the end marker because it was missing. Absent in rows of older versions. */
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
  /** A persona's text was saved. The log contains only the hash of the text, because log entries are never deleted. */
  | {
      readonly type: 'persona_text_saved';
      readonly slug: string;
      readonly text: PersonaTextName;
      readonly sha256: string;
    }
  /**
   * A person closed or reopened an open point. Points that a document closes are not in this fact but in
   * `document_checked`.
   */
  | { readonly type: 'point_closed' | 'point_reopened'; readonly slug: string; readonly point: number }
  | { readonly type: 'lesson_accepted' | 'lesson_discarded'; readonly slug: string; readonly lesson: number }
  /** Baton could not write an accepted lesson to experience.md, so the lesson is offered again. */
  | { readonly type: 'lesson_not_written'; readonly slug: string; readonly lesson: number; readonly why: string }
  /** The setting `accept_lessons` accepted the lesson, so no person was asked. */
  | { readonly type: 'lesson_accepted_by_setting'; readonly slug: string; readonly lesson: number }
  | { readonly type: 'project_added'; readonly path: string }
  /**
   * An external session began or ended. The notice contains no session id, because entries of the log are never
   * deleted.
   */
  | { readonly type: 'own_session_seen'; readonly runtime: string; readonly moment: 'began' | 'ended' }
  /** `slug` is the persona that new agents of this project get by default; null if they get no persona. */
  | { readonly type: 'project_default_persona_changed'; readonly projectId: number; readonly slug: string | null }
  /** The list of runtimes of a persona or a project changed. Arguments are not logged, because they may be secrets. */
  | { readonly type: 'runs_on_changed'; readonly of: string; readonly list: readonly string[] }
  /** The handoff policy of a persona or a project changed. `policy` is in words; null if the policy was removed. */
  | { readonly type: 'handoff_policy_changed'; readonly of: string; readonly policy: string | null }
  /** The countdown to an automatic handoff ended without a handoff, because the agent changed. */
  | { readonly type: 'countdown_stopped'; readonly why: string }
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
  /** The operator restored an inbox item that they had dismissed. */
  | { readonly type: 'inbox_restored'; readonly itemId: number }
  /**
   * The operator was notified of the inbox items `itemIds`. `itemId` is the first of them, and `outcome` has the result
   * for each channel.
   */
  | {
      readonly type: 'operator_notified';
      readonly itemId: number;
      readonly itemIds: readonly number[];
      readonly title: string;
      readonly body: string;
      /** The path of the page on which the operator can act, such as /runs/8. */
      readonly path?: string;
      readonly outcome: Readonly<Record<string, string>>;
    }
  /** The notification of an inbox item is delayed, because of quiet hours or because the agent is muted. */
  | { readonly type: 'inbox_held'; readonly itemId: number; readonly why: string }
  | { readonly type: 'agent_state_changed'; readonly from: string; readonly to: string; readonly reason: string }
  /**
   * A warning about an agent. If `until` is `ended`, the warning applies until the agent ends. Any other value of
   * `until` is the reference of a message, and the warning applies until the agent receives that message.
   */
  | { readonly type: 'agent_warning'; readonly sentence: string; readonly until?: string }
  /** The operator asked Baton to make the agent exit or, with `force`, to kill its pane. */
  | { readonly type: 'agent_stop_asked'; readonly force: boolean }
  /** Logged for an ended agent when another agent, `resumedAgentId`, resumes its conversation. */
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
  /** On this local day, the agents have used at least as many tokens as the setting `token_budget` allows. */
  | { readonly type: 'token_budget_passed'; readonly day: string; readonly used: number; readonly budget: number }
  /** Settings were changed. Only their names are logged, because their values may be secrets. */
  | { readonly type: 'settings_changed'; readonly keys: readonly string[] }
  /**
   * Hook reports were lost because the spool was full or, if `couldNotBeWritten` is set, because the disk was full.
   * That field is absent in rows of older versions.
   */
  | { readonly type: 'spool_overflowed'; readonly count: number; readonly couldNotBeWritten?: boolean }
  | { readonly type: 'server_started'; readonly version: string; readonly runsInFlight: number }
  | { readonly type: 'fleet_joined' | 'fleet_left'; readonly machine: string; readonly founder: string }
  /** The founder of the fleet added or removed a machine. */
  | { readonly type: 'fleet_member_added' | 'fleet_member_revoked'; readonly machine: string; readonly role: string }
  /**
   * This machine answered a command from another machine. If this machine refused the command, `code` says why. If it
   * performed the command, `code` is null.
   */
  | {
      readonly type: 'command_answered';
      readonly commandId: string;
      readonly from: string;
      readonly route: string;
      readonly status: number;
      readonly code: string | null;
    };

/** The author of an event: an agent, or the operator on the page or on the command line of this or another machine. */
export type Doer = 'operator/page' | 'operator/cli' | `operator/${'page' | 'cli'} on ${string}` | `agent/${number}`;

/** Types of events that a person or an agent caused. All other events were observed or caused by Baton itself. */
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
  'limit_wait_chosen',
  'handoff_acknowledged',
  'operator_chose',
  'persona_registered',
  'persona_edited',
  'persona_archived',
  'persona_restored',
  'persona_text_saved',
  'point_closed',
  'point_reopened',
  'lesson_accepted',
  'lesson_discarded',
  'project_added',
  'project_default_persona_changed',
  'runs_on_changed',
  'handoff_policy_set',
  'handoff_policy_changed',
  'handoff_requested',
  'handoff_request_declined',
  'handoff_request_restored',
  'countdown_cancelled',
  'countdown_snoozed',
  'handoff_progress',
  'handoff_undone',
  'inbox_resolved',
  'inbox_restored',
  'agent_resumed',
  'worktree_planned',
  'worktree_removed',
  'settings_changed',
  'fleet_joined',
  'fleet_left',
  'fleet_member_added',
  'fleet_member_revoked',
]);

export const isAct = (type: string): boolean => ACTS.has(type) || type.startsWith('package_');

/**
 * Returns the person or agent that caused the event. Returns null if Baton itself caused the event, or if an older
 * version recorded it. In facts that Baton observed, the field `by` names the evidence and not a person or agent.
 */
export const doerIn = ({ type, data }: Pick<LoggedEvent, 'type' | 'data'>): string | null =>
  isAct(type) && typeof data.by === 'string' ? data.by : null;

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
