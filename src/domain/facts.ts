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
 * What the screen of an agent at rest shows besides. A turn that is interrupted ends without a hook; if the model had not
 * begun to answer, the client takes the prompt back into its composer.
 */
export type RestShown = 'interrupted' | 'prompt_returned' | 'draft';

/** What says that an agent rests. Its screen alone never does. */
export type RestEvidence = 'status' | 'transcript' | 'hooks';

/** What an agent's runtime told us through its hooks, or what we saw by looking at it. Past tense, no authority of their own. */
export type AgentFact =
  | { readonly type: 'agent_created'; readonly agentId: number }
  | {
      readonly type: 'agent_launched';
      readonly agentId: number;
      readonly pane: Pane;
      /** Of the machine that it was started on; absent in old rows. */
      readonly bootId?: string | null;
    }
  | {
      readonly type: 'agent_launch_failed';
      readonly agentId: number;
      readonly detail: string;
      /** Nobody knows whether its process runs; the regular look will. */
      readonly isUnknown?: boolean;
    }
  | {
      readonly type: 'session_started';
      readonly agentId: number;
      readonly runtimeSessionId: string;
      readonly source: SessionSource;
      readonly transcriptPath?: string;
      /** The client's process. */
      readonly clientPid?: number;
      /** Names the skill's text that this session began with; absent if its hook gave none. */
      readonly skillGiven?: string;
    }
  | {
      readonly type: 'prompt_submitted';
      readonly agentId: number;
      readonly promptId: string | null;
      /** The reference of a prompt that Baton typed; null for what anyone else typed. */
      readonly ref: string | null;
      readonly excerpt: string;
      /** Of the whole text, made comparable (`comparable`): how a message of the operator's is told from any other. */
      readonly textHash: string;
    }
  | { readonly type: 'prompt_found_in_transcript'; readonly agentId: number; readonly ref: string }
  | {
      readonly type: 'tool_used';
      readonly agentId: number;
      readonly promptId: string | null;
      readonly tool: string;
      readonly phase: 'began' | 'ended';
      /** Names this one use, where the runtime does. */
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
      /** The same tasks by name, where the client names them. */
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
  /** What its client does without asking, in the client's own word. */
  | { readonly type: 'permission_mode_seen'; readonly agentId: number; readonly mode: string }
  | { readonly type: 'session_ended'; readonly agentId: number; readonly reason: string }
  /** Its own word, some time after this turn: it waits for a prompt. */
  | { readonly type: 'agent_said_idle'; readonly agentId: number; readonly promptId: string | null }
  | {
      readonly type: 'agent_seen_idle';
      readonly agentId: number;
      readonly shows?: RestShown;
      /** Absent in old rows, in which the screen was enough. */
      readonly by?: RestEvidence;
    }
  | {
      readonly type: 'agent_seen_working';
      readonly agentId: number;
      /** Its client's own status says so. */
      readonly by?: 'status';
      /** What it waits for by itself, in its client's words. */
      readonly doing?: string;
    }
  /** Nothing says whether it works or rests. `line`: what its screen shows that Baton cannot read; null: an empty composer. */
  | { readonly type: 'agent_seen_unknown'; readonly agentId: number; readonly line: string | null }
  /** What stands in its composer's way, or that nothing does any more. */
  | { readonly type: 'agent_composer_seen'; readonly agentId: number; readonly obstacle: ComposerObstacle | null }
  | {
      readonly type: 'agent_seen_asking';
      readonly agentId: number;
      readonly question: string;
      /** As it can be answered from elsewhere; absent in old rows. */
      readonly asked?: Question;
      /** The operator opened it himself; the agent asks nothing. */
      readonly isMenu?: boolean;
    }
  /** Its process is there, but what is typed would reach another one. */
  | { readonly type: 'terminal_taken'; readonly agentId: number }
  | { readonly type: 'terminal_returned'; readonly agentId: number }
  | { readonly type: 'agent_process_gone'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'agent_pane_lost'; readonly agentId: number; readonly detail: string }
  | {
      readonly type: 'prompt_typed';
      readonly agentId: number;
      readonly purpose: PromptPurpose;
      readonly ref: string;
      readonly outcome: TypingOutcome;
    }
  /** Escape was pressed into a working agent, or why not. */
  | { readonly type: 'agent_interrupted'; readonly agentId: number; readonly refusal: string | null }
  /** The operator sends something; written before anything is typed. */
  | {
      readonly type: 'message_begun';
      readonly agentId: number;
      readonly ref: string;
      readonly textHash: string;
      readonly excerpt: string;
      /** Where the transcript ended then: what stands behind it came later. */
      readonly transcript: { readonly path: string; readonly from: number } | null;
      /** The server process that types it and waits for its receipt. */
      readonly sentBy: string;
    }
  /** No receipt came in time; `senderGone`: the server that took it died, so its sender never got an answer. */
  | {
      readonly type: 'message_overdue';
      readonly agentId: number;
      readonly ref: string;
      readonly detail: string;
      readonly senderGone?: true;
    }
  /** By the operator, after an outage: its conversation is to go on. */
  | { readonly type: 'restore_wanted'; readonly agentId: number }
  | { readonly type: 'restore_failed'; readonly agentId: number; readonly detail: string }
  /** By the operator, to an agent that was started without one. */
  | { readonly type: 'persona_given'; readonly agentId: number; readonly personaId: number; readonly slug: string }
  /** By the operator, in place of the one it had; `change` tells this change from every other. */
  | {
      readonly type: 'persona_changed';
      readonly agentId: number;
      readonly personaId: number;
      readonly slug: string;
      readonly from: string;
      readonly change: string;
    }
  /** A session that the operator started himself is Baton's agent from now on. `isWorking` null: nothing says. */
  | {
      readonly type: 'agent_adopted';
      readonly agentId: number;
      readonly pane: Pane;
      readonly isWorking: boolean | null;
    }
  | { readonly type: 'agent_adoption_failed'; readonly agentId: number; readonly detail: string }
  /** It was given back to the operator and goes on without Baton. */
  | { readonly type: 'agent_released'; readonly agentId: number }
  /** The operator answers a question; written before any key is pressed. */
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
  /** `typed`: the question is not on the screen any more. */
  | { readonly type: 'answer_given'; readonly agentId: number; readonly ref: string; readonly outcome: TypingOutcome }
  /** Whoever was to give it is gone. */
  | { readonly type: 'answer_overdue'; readonly agentId: number; readonly ref: string; readonly detail: string }
  /** By the operator. `until` null: until he says otherwise; `muted` false: he does. */
  | { readonly type: 'agent_muted'; readonly agentId: number; readonly muted: boolean; readonly until: Instant | null }
  | { readonly type: 'skill_absent'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'priming_failed'; readonly agentId: number; readonly detail: string }
  | { readonly type: 'agent_start_overdue'; readonly agentId: number; readonly detail: string };

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';
export type PromptPurpose = 'skill' | 'instruction' | 'injection' | 'exit' | 'message' | 'package';

/** By a permission rule of the operator's. */
export interface DeniedTool {
  readonly tool: string;
  /** The settings file with the rule; null where only the transcript tells of it. */
  readonly file: string | null;
}

/** What happened to one run of a handoff. */
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
      /** Where there is no document: files that are new since the agent was asked for it. */
      readonly beside?: readonly string[];
      /** Where there is no document: the tool that a permission rule denies to the agent. */
      readonly denied?: DeniedTool;
    }
  | { readonly type: 'document_found_otherwise'; readonly runId: number; readonly found: 'restored' | 'changed' }
  | { readonly type: 'successor_can_start'; readonly runId: number }
  | { readonly type: 'successor_cannot_start'; readonly runId: number; readonly detail: string }
  | { readonly type: 'handoff_acknowledged'; readonly runId: number; readonly task: string }
  /** A permission rule keeps the successor from acknowledging. */
  | ({ readonly type: 'acknowledgement_denied'; readonly runId: number } & DeniedTool)
  /** What the operator clicked. Judged like every other fact: if the run has gone on meanwhile, it means nothing. */
  | {
      readonly type: 'operator_chose';
      readonly runId: number;
      readonly action: RunAction;
      /** For `adopt`: the file. */
      readonly adopted?: string;
      /** For `send_back`: what is wrong with the document. */
      readonly comment?: string;
      /** What the agent did after it wrote the document that is gone on with. */
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
      /** Of the document as the agent left it. */
      readonly markerFound: boolean;
      /** It was not there, and Baton put it there. Absent in old rows. */
      readonly markerAdded?: boolean;
    }
  | { readonly verdict: 'missing' | 'empty' | 'not_a_regular_file' | 'reached_through_link' | 'too_large' }
  | { readonly verdict: 'unreadable'; readonly detail: string };

export type Fact = AgentFact | RunFact;
export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

/** What the log additionally tells people; nothing is decided by these. */
export type Notice =
  | { readonly type: 'persona_registered'; readonly slug: string }
  | { readonly type: 'persona_edited'; readonly slug: string; readonly role: string; readonly name: string }
  | { readonly type: 'persona_archived'; readonly slug: string }
  | { readonly type: 'persona_restored'; readonly slug: string }
  /** Never the text itself: the log is kept for ever. */
  | {
      readonly type: 'persona_text_saved';
      readonly slug: string;
      readonly text: PersonaTextName;
      readonly sha256: string;
    }
  | { readonly type: 'project_added'; readonly path: string }
  /** A session that the operator started himself; which one is not kept for ever. */
  | { readonly type: 'own_session_seen'; readonly runtime: string; readonly moment: 'began' | 'ended' }
  /** Which persona agents of this project wear unless another is named; null: none. */
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
  /** What was told, as every channel and every page has to say it. `itemId` is the first of `itemIds`. */
  | {
      readonly type: 'operator_notified';
      readonly itemId: number;
      readonly itemIds: readonly number[];
      readonly title: string;
      readonly body: string;
      readonly outcome: Readonly<Record<string, string>>;
    }
  /** Not told for now: quiet hours, or its agent is muted. */
  | { readonly type: 'inbox_held'; readonly itemId: number; readonly why: string }
  | { readonly type: 'agent_state_changed'; readonly from: string; readonly to: string; readonly reason: string }
  /** `until`: over with the agent's end (`ended`), or once the agent has the message of that reference. */
  | { readonly type: 'agent_warning'; readonly sentence: string; readonly until?: string }
  /** It was asked to leave or, with force, its pane is ended. */
  | { readonly type: 'agent_stop_asked'; readonly force: boolean }
  /** About the agent that has ended; its conversation goes on in the other. */
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
  /** Their names and nothing of their values, which may be secrets. */
  | { readonly type: 'settings_changed'; readonly keys: readonly string[] }
  /** `couldNotBeWritten`: the disk was full; otherwise the spool. Absent in old rows. */
  | { readonly type: 'spool_overflowed'; readonly count: number; readonly couldNotBeWritten?: boolean }
  | { readonly type: 'server_started'; readonly version: string; readonly runsInFlight: number };

/** By whom something was done: the operator in the page or on the command line, or an agent. */
export type Doer = 'operator/page' | 'operator/cli' | `agent/${number}`;

/** What is done because somebody asked Baton for it. Everything else Baton saw, or did by itself. */
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

/** Who did it, as its event names them; null for what nobody asked for, and for events of older versions. */
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
