import { z } from 'zod';
import { AGENT_STATES } from '../domain/agents/agent.ts';
import { RUN_ACTIONS } from '../domain/handoffs/run.ts';
import { PackageFinding } from './packages/package-resources.ts';

/** Response bodies. Field names are those of the seeds; times are ISO 8601 in UTC. */

export const ErrorBody = z
  .object({
    error: z.string().describe('One sentence: what happened, to whom, and what to do next.'),
    code: z.string(),
    hint: z.string().optional(),
    run_id: z.int().optional(),
    status: z.string().optional().describe('Where that run is.'),
    findings: z.array(PackageFinding).optional().describe('What the lint found, where that is why.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

export const Persona = z
  .object({
    slug: z.string(),
    role: z.string(),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    folder: z.string().describe('Where skill.md, experience.md and handoffs/ are.'),
    created_at: z.string(),
  })
  .meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

const PersonaText = z.object({
  text: z.string().nullable().describe('null: there is no such file.'),
  sha256: z.string().nullable(),
  problem: z.string().optional().describe('Set if the file is there but neither shown nor saved: a link, not UTF-8.'),
});

export const PersonaDetail = Persona.extend({
  skill: PersonaText,
  experience: PersonaText,
  agents: z.array(z.int()).describe('All that ever wore it, oldest first.'),
}).meta({ id: 'PersonaDetail' });
export type PersonaDetail = z.infer<typeof PersonaDetail>;

export const Project = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    default_persona: z.string().nullable().describe('What its agents wear unless another persona is named.'),
    created_at: z.string(),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const Question = z.object({
  id: z.string().describe('Of exactly this question; an answer names it.'),
  text: z.string(),
  options: z
    .array(z.object({ number: z.int(), label: z.string() }))
    .describe('Empty: it can only be answered in its terminal.'),
  takes_text: z.boolean(),
  how_to_answer: z.string().describe('What a person can do about it, in words.'),
});
export type Question = z.infer<typeof Question>;

const AgentState = z
  .enum(AGENT_STATES)
  .describe('idle only where something says so; unknown: nothing says whether it works or rests.');

export const Agent = z
  .object({
    id: z.int(),
    session_uuid: z.string(),
    label: z.string().describe("The persona's name, or the first eight characters of the session."),
    runtime: z.string(),
    project: Project.pick({ id: true, name: true, path: true }),
    persona: Persona.pick({ slug: true, name: true, role: true }).nullable(),
    folder: z.string().describe("Where it works: the project's own folder, or its worktree."),
    worktree: z.object({ id: z.int(), name: z.string(), branch: z.string() }).nullable(),
    previous_agent_id: z.int().nullable(),
    resumed_from: z.int().nullable().describe('The agent whose conversation goes on in this one.'),
    resumed_as: z
      .int()
      .nullable()
      .describe('The agent in which the conversation of this one, which has ended, goes on.'),
    state: AgentState,
    state_reason: z.string(),
    activity: z.string().nullable().describe('What it is doing: the tool in use, else what it was last asked.'),
    background: z
      .array(z.object({ kind: z.enum(['shell', 'subagent']), what: z.string() }))
      .describe('What its last turn left running. A shell does not keep a handoff waiting.'),
    question: Question.nullable().describe('What it waits for an answer to, if that can be read off its screen.'),
    handoff: z
      .object({
        id: z.int(),
        agent_id: z.int(),
        reason: z.string(),
        file_path: z.string().nullable(),
        injection_prompt: z.string().nullable(),
        created_at: z.string(),
      })
      .nullable()
      .describe('Its handoff record; null if it has none.'),
    handoff_offer: z
      .object({
        offered: z
          .boolean()
          .describe('The Handoff button: persona, live, pane, no run in flight, context at or above the threshold.'),
        why_not: z.string().nullable(),
      })
      .describe('A handoff for another reason than a full context needs no threshold.'),
    muted: z
      .object({ until: z.string().nullable() })
      .nullable()
      .optional()
      .describe('Nothing but failures is told of it outside of Baton; `until` null: until it is unmuted.'),
    context: z
      .object({
        tier: z
          .enum(['fine', 'warn', 'high', 'handoff'])
          .describe('warn from 65, high from 75, handoff from the threshold.'),
        used_percent: z.number().describe('Of what the client lets in before it compacts; less than the window.'),
        used_tokens: z.int().nullable(),
        window_tokens: z.int().nullable(),
        measured_at: z.string(),
      })
      .nullable(),
    skill_injected_at: z.string().nullable(),
    tmux: z.object({ socket: z.string(), session: z.string(), pane: z.string().nullable() }),
    attach_command: z.string().describe('Typed into a terminal, it shows the agent.'),
    adopted: z.boolean().describe("It runs in the operator's own tmux, where he started it himself."),
    run_id: z.int().nullable().describe('The handoff run in flight that this agent takes part in.'),
    started_at: z.string(),
    registered_at: z.string().nullable(),
    last_seen_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const AgentWhy = z
  .object({
    agent_id: z.int(),
    label: z.string(),
    state: AgentState,
    state_reason: z.string(),
    since: z.string().nullable().describe('When it came into this state.'),
    facts: z
      .array(z.object({ seq: z.int(), at: z.string(), type: z.string(), sentence: z.string() }))
      .describe('The last facts in the log that bear on the state, oldest first.'),
  })
  .meta({ id: 'AgentWhy' });
export type AgentWhy = z.infer<typeof AgentWhy>;

const Failure = z.object({ at: z.string(), code: z.string(), sentence: z.string(), hint: z.string() });

export const RunAction = z.enum(RUN_ACTIONS);
export type RunAction = z.infer<typeof RunAction>;

const Offer = z.object({
  action: RunAction,
  title: z.string().describe('What it does, in words.'),
  confirm: z.string().nullable().describe('Set if something is destroyed: ask before doing it.'),
});

const Finding = z.object({ rule: z.string(), sentence: z.string(), line: z.int().optional() });

export const Run = z
  .object({
    id: z.int(),
    agent_id: z.int(),
    successor_agent_id: z.int().nullable(),
    handoff_id: z.int().nullable().describe('The record, once the document was verified.'),
    reason: z.enum(['context_limit', 'shift_end', 'task_boundary']),
    note: z.string().nullable(),
    step: z.string(),
    over: z.boolean(),
    failure: Failure.nullable(),
    actions: z.array(Offer).describe('What the operator can do about it now: POST /api/runs/{id}/{action}.'),
    attempt: z.int(),
    emergency: z.boolean().describe('The agent died without a document; its successor got what Baton knew.'),
    review: z.enum(['not_wanted', 'wanted', 'approved']),
    late_document: z.boolean().describe('The document came after the run was over.'),
    git: z
      .looseObject({ kind: z.enum(['repository', 'unknown']) })
      .nullable()
      .describe('What git showed when the document was checked.'),
    findings: z.array(Finding).describe('What is odd about the document. Advice, never a reason to stop.'),
    comment: z.string().nullable().describe('Why the last document was sent back, until the next one is verified.'),
    changed_since: z
      .string()
      .nullable()
      .describe('What the agent did after it wrote the document that the run goes on with.'),
    brought_back_agent_id: z.int().nullable().describe('After an undo: where the predecessor goes on.'),
    document: z
      .object({
        path: z.string().describe("Relative to Baton's home."),
        absolute_path: z.string(),
        sha256: z.string().nullable(),
        bytes: z.int().nullable(),
        marker_found: z.boolean().nullable(),
      })
      .nullable(),
    last_refusal: z.string().nullable().describe('Why nothing could be typed at the last try.'),
    waits: z.string().nullable().describe('What it waits for right now, in words; null if it just goes on.'),
    background: z.enum(['stop', 'keep']).describe('What becomes of background shells when the agent exits.'),
    compacted_since_instruction: z.boolean(),
    cleared_since_instruction: z.boolean().describe('Its conversation was cleared between instruction and document.'),
    compact_summary: z.string().nullable().describe("The client's own summary, if it compacted while it wrote."),
    warnings: z.array(z.string()),
    acknowledged: z.boolean(),
    acknowledgement: z.object({ task: z.string(), at: z.string() }).nullable(),
    deadline_at: z.string().nullable(),
    paused_since: z
      .string()
      .nullable()
      .describe('Set while the agent waits for the operator: the deadline stands still.'),
    steps: z.array(
      z.object({
        step: z.string(),
        entered_at: z.string(),
        attempt: z.int(),
        ms: z.int().nullable().describe('How long it took; null while it is under way.'),
      }),
    ),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

export const RunTexts = z
  .object({
    texts: z.array(
      z.object({
        purpose: z.enum(['instruction', 'skill', 'injection', 'exit', 'package', 'message']),
        agent_id: z.int(),
        text: z.string(),
        outcome: z.string().describe('typed, refused, unconfirmed, given_at_start or not_yet.'),
        at: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'RunTexts' });
export type RunTexts = z.infer<typeof RunTexts>;

export const Handoff = z
  .object({
    id: z.int(),
    agent_id: z.int(),
    reason: z.string(),
    file_path: z.string().nullable().describe("Relative to Baton's home; null after an emergency."),
    injection_prompt: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'Handoff' });
export type Handoff = z.infer<typeof Handoff>;

export const HandoffSummary = Handoff.omit({ injection_prompt: true }).extend({
  persona: z.string().nullable().describe("The persona's slug."),
  run_id: z.int().nullable(),
  step: z.string().nullable(),
  successor_agent_id: z.int().nullable(),
  acknowledged: z.boolean(),
  emergency: z.boolean(),
});
export type HandoffSummary = z.infer<typeof HandoffSummary>;

export const HandoffDetail = Handoff.extend({
  run: Run.nullable(),
  document_text: z.string().nullable().describe('The bytes that Baton kept when it verified them.'),
  document_problem: z.string().nullable().default(null).describe('Why the kept document cannot be shown.'),
}).meta({ id: 'HandoffDetail' });
export type HandoffDetail = z.infer<typeof HandoffDetail>;

const Next = z.int().nullable().describe('The value of ?before= for older ones; null if there are none');

export const Lineage = z
  .object({
    persona: Persona,
    agents: z.array(
      z.object({
        id: z.int(),
        label: z.string(),
        uuid8: z.string(),
        state: AgentState,
        project: z.string(),
        runtime: z.string(),
        previous_agent_id: z.int().nullable(),
        /** The agent continues its predecessor's conversation after an undo. */
        brought_back: z.boolean(),
        wore_until: z.string().nullable().describe('It was given another persona then; null: this is the one it has.'),
        started_at: z.string(),
        ended_at: z.string().nullable(),
      }),
    ),
    handoffs: z.array(HandoffSummary),
    next: Next.optional(),
  })
  .meta({ id: 'Lineage' });
export type Lineage = z.infer<typeof Lineage>;

export const ScreenView = z
  .object({
    agent_id: z.int(),
    at: z.string(),
    columns: z.int(),
    rows: z.int(),
    lines: z
      .array(
        z.array(
          z.object({
            text: z.string(),
            style: z
              .string()
              .describe(
                'Space-separated: bold, dim, italic, underline, inverse, fg-0…15, bg-0…15, fg-#rrggbb, bg-#rrggbb.',
              ),
          }),
        ),
      )
      .describe('Rows of runs of text in one style. Text only: no control character is left.'),
    cursor: z.object({ x: z.int(), y: z.int() }).nullable(),
  })
  .meta({ id: 'ScreenView' });
export type ScreenView = z.infer<typeof ScreenView>;

export const RuntimeInfo = z.object({
  id: z.string(),
  title: z.string(),
  version: z.string().nullable(),
  standing: z
    .enum(['tried', 'near', 'untried', 'unsupported', 'unknown'])
    .nullable()
    .describe('Was Baton tried with this version of its program? null: it has none of its own.'),
  standing_sentence: z.string().nullable(),
  why_unavailable: z.string().nullable(),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

const Template = z.object({
  name: z.enum(['instruction', 'injection']),
  text: z.string().describe('What is in use now.'),
  is_own: z.boolean(),
  built_in: z.string(),
  placeholders: z.array(z.object({ name: z.string(), required: z.boolean() })),
  path: z.string(),
  problem: z.string().nullable().describe("Why the operator's own text is not used."),
});

export const SettingsView = z
  .object({
    handoff_at_percent: z.int(),
    notifications: z.object({
      os: z.boolean(),
      ntfy: z.string().nullable(),
      webhook: z.string().nullable(),
      waits: z.boolean().describe('An agent asks, or Baton needs a decision.'),
      finished: z.boolean().describe('An agent came to rest after long work.'),
      near_threshold: z.boolean().describe('An agent reached the threshold for a handoff; once per session.'),
      notices: z.boolean().describe('What is good to know. Failures are always told.'),
    }),
    notify_finished_after_seconds: z.int(),
    quiet_hours: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .describe('Local time. Nothing but failures is told in them; what waited is told in one when they end.'),
    allowed_hosts: z.array(z.string()).describe('Names of your own proxy; from config.json, read at the start.'),
    templates: z.array(Template),
    config_path: z.string(),
    home: z.string(),
    version: z.string(),
  })
  .meta({ id: 'Settings' });
export type SettingsView = z.infer<typeof SettingsView>;

export const DemoStarted = z.object({ agent_id: z.int(), persona: z.string(), project_id: z.int() });
export type DemoStarted = z.infer<typeof DemoStarted>;

export const InboxItem = z
  .object({
    id: z.int(),
    kind: z.enum(['failure', 'question', 'decision', 'notice']),
    agent_id: z.int().nullable(),
    run_id: z.int().nullable(),
    package_id: z.string().nullable().optional().describe('The package that it is about.'),
    sentence: z.string(),
    hint: z.string(),
    offers: z
      .array(z.enum(['resume', 'succeed', 'restore']))
      .optional()
      .describe('What can be done about it besides: resume or succeed the agent, or restore all that were lost.'),
    opened_at: z.string(),
    resolved_at: z.string().nullable(),
    resolution: z.string().nullable(),
    notified_at: z.string().nullable().describe('When the operator was told outside of Baton.'),
    notified: z
      .record(z.string(), z.string())
      .describe('By channel: sent, or why not. `held`: not told yet, because of quiet hours or a muted agent.'),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof InboxItem>;

export const EVENT_KINDS = ['agent', 'handoff', 'package', 'inbox', 'messages', 'server'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const Event = z
  .object({
    seq: z.int(),
    at: z.string(),
    type: z.string(),
    agent_id: z.int().nullable(),
    run_id: z.int().nullable(),
    by: z
      .string()
      .nullable()
      .default(null)
      .describe('Who asked for it: operator/page, operator/cli or agent/ID. Null: Baton saw it, or did it by itself.'),
    sentence: z.string().default('').describe('What happened, in one sentence for people.'),
    kind: z.enum(EVENT_KINDS).nullable().default(null).describe('What it is about. Null: a type without a sentence.'),
    bad_news: z.boolean().default(false).describe('Something failed or was lost.'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });
export type Event = z.infer<typeof Event>;

export const Candidate = z
  .object({
    runtime: z.string(),
    session_id: z.string(),
    folder: z.string().nullable(),
    transcript_path: z.string().nullable(),
    pid: z.int().nullable(),
    tmux: z.object({ socket: z.string(), pane: z.string() }).nullable().describe('Null outside tmux.'),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    ended_at: z.string().nullable(),
    alive: z.boolean().describe('Its process runs, and it has not said that it ended.'),
    why_not: z
      .string()
      .nullable()
      .describe('Why it cannot be adopted, as far as that is known without trying; null if it can.'),
    default_persona: z.string().nullable().describe('What it would wear: the default of the project in its folder.'),
  })
  .meta({ id: 'Candidate' });
export type Candidate = z.infer<typeof Candidate>;

export const HookSettings = z
  .object({
    runtime: z.string(),
    title: z.string(),
    file: z.string().describe("The operator's own settings file of that agent program."),
    state: z.enum(['not_installed', 'installed', 'outdated', 'partly']).nullable().describe('Null: see problem.'),
    version: z.int().nullable().describe('Of the hooks that stand in the file.'),
    current_version: z.int(),
    hooks: z.array(z.object({ event: z.string(), command: z.string() })),
    script: z.string().describe('What the hooks run.'),
    script_exists: z.boolean(),
    sees_sessions: z.boolean().describe('A session that is started now, outside Baton, will be seen.'),
    changes: z.array(
      z.object({ what: z.enum(['added', 'replaced', 'removed']), event: z.string(), command: z.string() }),
    ),
    backup: z.string().nullable().describe('The file as it was before the change.'),
    problem: z.string().nullable(),
  })
  .meta({ id: 'HookSettings' });
export type HookSettings = z.infer<typeof HookSettings>;

export const Health = z
  .object({
    status: z.enum(['ok', 'trouble']),
    version: z.string(),
    host_id: z.string(),
    last_seq: z.int(),
    trouble: z.array(z.string()).describe('What keeps failing around Baton itself; empty if nothing does.'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const PersonaList = z.object({ personas: z.array(Persona) });
export const RuntimeList = z.object({ runtimes: z.array(RuntimeInfo) });
export const ProjectList = z.object({ projects: z.array(Project) });
export const AgentList = z.object({ agents: z.array(Agent), next: Next.optional() });
export const RunList = z.object({ runs: z.array(Run), next: Next.optional() });
export const HandoffList = z.object({ handoffs: z.array(HandoffSummary), next: Next.optional() });
export const Inbox = z.object({ items: z.array(InboxItem) });
export const EventPage = z.object({ events: z.array(Event), last_seq: z.int() });
export const LoginAddress = z.object({ url: z.string() });
export const CandidateList = z.object({ candidates: z.array(Candidate) });
