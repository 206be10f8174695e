import { z } from 'zod';
import { AGENT_STATES } from '../domain/agents/agent.ts';
import { RUN_ACTIONS } from '../domain/handoffs/run.ts';
import { PackageFinding } from './packages/package-resources.ts';

/** Response bodies. Field names are those of the seeds; times are ISO 8601 in UTC. */

export const ErrorBody = z
  .object({
    error: z.string().describe('One sentence: what happened, and to which agent.'),
    code: z.string(),
    hint: z.string().optional(),
    run_id: z.int().optional(),
    status: z.string().optional().describe('The step of that run.'),
    findings: z.array(PackageFinding).optional().describe('Lint findings, if they are the reason.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

export const Persona = z
  .object({
    slug: z.string(),
    role: z.string(),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    folder: z.string().describe('The folder with skill.md, experience.md and handoffs/.'),
    created_at: z.string(),
  })
  .meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

const PersonaText = z.object({
  text: z.string().nullable().describe('null: there is no such file.'),
  sha256: z.string().nullable(),
  problem: z.string().optional().describe('Set if the file exists but cannot be shown or saved: a link, or not UTF-8.'),
});

export const PersonaDetail = Persona.extend({
  skill: PersonaText,
  experience: PersonaText,
  agents: z.array(z.int()).describe('All agents that have had it, oldest first.'),
}).meta({ id: 'PersonaDetail' });
export type PersonaDetail = z.infer<typeof PersonaDetail>;

export const Project = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    default_persona: z.string().nullable().describe('The default persona of its agents.'),
    created_at: z.string(),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const Question = z.object({
  id: z.string().describe('The id of exactly this question; an answer must name it.'),
  text: z.string(),
  options: z
    .array(z.object({ number: z.int(), label: z.string() }))
    .describe('Empty: it can only be answered in its terminal.'),
  takes_text: z.boolean(),
  how_to_answer: z.string().describe('How a person can answer it, in words.'),
});
export type Question = z.infer<typeof Question>;

const AgentState = z
  .enum(AGENT_STATES)
  .describe(
    'idle only if a hook, the client or its transcript says so; unknown: Baton cannot tell whether it is working or idle.',
  );

export const Agent = z
  .object({
    id: z.int(),
    session_uuid: z.string(),
    label: z.string().describe("The persona's name, or the first eight characters of the session."),
    runtime: z.string(),
    project: Project.pick({ id: true, name: true, path: true }),
    persona: Persona.pick({ slug: true, name: true, role: true }).nullable(),
    folder: z.string().describe("Its working folder: the project's own folder, or its worktree."),
    worktree: z.object({ id: z.int(), name: z.string(), branch: z.string() }).nullable(),
    previous_agent_id: z.int().nullable(),
    resumed_from: z.int().nullable().describe('The agent whose conversation this one resumed.'),
    resumed_as: z.int().nullable().describe('The agent that resumed the conversation of this ended one.'),
    state: AgentState,
    state_reason: z.string(),
    activity: z.string().nullable().describe('What it is doing: the tool in use, otherwise its last prompt.'),
    background: z
      .array(z.object({ kind: z.enum(['shell', 'subagent']), what: z.string() }))
      .describe('Background tasks of its last turn. A handoff does not wait for a shell.'),
    question: Question.nullable().describe('The question that it waits on, if Baton can read it from the screen.'),
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
      .describe('A handoff for a reason other than a full context needs no threshold.'),
    muted: z
      .object({ until: z.string().nullable() })
      .nullable()
      .optional()
      .describe('Only failures are sent as notifications; `until` null: until it is unmuted.'),
    context: z
      .object({
        tier: z
          .enum(['fine', 'warn', 'high', 'handoff'])
          .describe('warn from 65, high from 75, handoff from the threshold.'),
        used_percent: z
          .number()
          .describe('Percent of the context that the client allows before it compacts; less than the window.'),
        used_tokens: z.int().nullable(),
        window_tokens: z.int().nullable(),
        measured_at: z.string(),
      })
      .nullable(),
    skill_injected_at: z.string().nullable(),
    tmux: z.object({ socket: z.string(), session: z.string(), pane: z.string().nullable() }),
    attach_command: z.string().describe("The command that shows the agent's terminal."),
    adopted: z.boolean().describe("It runs in the operator's own tmux, where the operator started it."),
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
    since: z.string().nullable().describe('When it entered this state.'),
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
  title: z.string().describe('The effect of the action, in words.'),
  confirm: z.string().nullable().describe('Set if the action destroys something: ask this question first.'),
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
    actions: z.array(Offer).describe('The actions that the operator can choose now: POST /api/runs/{id}/{action}.'),
    attempt: z.int(),
    emergency: z.boolean().describe('The agent ended without a document; its successor got what Baton knew.'),
    review: z.enum(['not_wanted', 'wanted', 'approved']),
    late_document: z.boolean().describe('The document arrived after the run had ended.'),
    git: z
      .looseObject({ kind: z.enum(['repository', 'unknown']) })
      .nullable()
      .describe('The git state when the document was checked.'),
    findings: z.array(Finding).describe('Warnings about the document. They never stop the run.'),
    comment: z.string().nullable().describe('Why the last document was sent back, until the next one is verified.'),
    changed_since: z.string().nullable().describe('What the agent did after it wrote the document that the run uses.'),
    brought_back_agent_id: z.int().nullable().describe('After an undo: the agent that resumed the predecessor.'),
    document: z
      .object({
        path: z.string().describe("Relative to Baton's home."),
        absolute_path: z.string(),
        sha256: z.string().nullable(),
        bytes: z.int().nullable(),
        marker_found: z.boolean().nullable(),
      })
      .nullable(),
    last_refusal: z.string().nullable().describe('Why Baton could not type at the last try.'),
    waits: z.string().nullable().describe('What it waits for now, in words; null if it is not waiting.'),
    background: z
      .enum(['stop', 'keep'])
      .describe('Whether background shells are stopped or kept when the agent exits.'),
    compacted_since_instruction: z.boolean(),
    cleared_since_instruction: z.boolean().describe('The conversation was cleared between instruction and document.'),
    compact_summary: z
      .string()
      .nullable()
      .describe("The client's own summary, if it compacted its context while it wrote."),
    warnings: z.array(z.string()),
    acknowledged: z.boolean(),
    acknowledgement: z.object({ task: z.string(), at: z.string() }).nullable(),
    deadline_at: z.string().nullable(),
    paused_since: z.string().nullable().describe('Set while the agent waits for the operator: the deadline is paused.'),
    steps: z.array(
      z.object({
        step: z.string(),
        entered_at: z.string(),
        attempt: z.int(),
        ms: z.int().nullable().describe('How long it took; null while it is in progress.'),
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
  document_text: z.string().nullable().describe('The document as Baton verified and kept it.'),
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
        /** True if the agent continues its predecessor's conversation after an undo. */
        brought_back: z.boolean(),
        wore_until: z.string().nullable().describe('When it got another persona; null: it still has this one.'),
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
      .describe('Rows of text runs in one style. Control characters are removed.'),
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
    .describe('Whether Baton was tested with this version of the program; null: it has no version of its own.'),
  standing_sentence: z.string().nullable(),
  why_unavailable: z.string().nullable(),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

const Template = z.object({
  name: z.enum(['instruction', 'injection']),
  text: z.string().describe('The text in use now.'),
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
      waits: z.boolean().describe('An agent asks a question, or Baton needs a decision.'),
      finished: z.boolean().describe('An agent finished after long work.'),
      near_threshold: z.boolean().describe('An agent reached the threshold for a handoff; once per session.'),
      notices: z.boolean().describe('Other events. Failures are always sent.'),
    }),
    notify_finished_after_seconds: z.int(),
    quiet_hours: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .describe(
        'Local time. During these hours only failures are sent; the rest is sent as one summary when they end.',
      ),
    allowed_hosts: z
      .array(z.string())
      .describe('Host names of your own proxy, from config.json; read when Baton starts.'),
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
    package_id: z.string().nullable().optional().describe('The package that the item is about.'),
    sentence: z.string(),
    hint: z.string(),
    offers: z
      .array(z.enum(['resume', 'succeed', 'restore']))
      .optional()
      .describe('Further actions: resume or succeed the agent, or restore all lost agents.'),
    opened_at: z.string(),
    resolved_at: z.string().nullable(),
    resolution: z.string().nullable(),
    notified_at: z.string().nullable().describe('When the notification was sent.'),
    notified: z
      .record(z.string(), z.string())
      .describe('By channel: sent, or why not. `held`: held back because of quiet hours or a muted agent.'),
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
      .describe(
        'Who requested it: operator/page, operator/cli or agent/ID. Null: Baton observed it or did it by itself.',
      ),
    sentence: z.string().default('').describe('The event in one sentence for people.'),
    kind: z
      .enum(EVENT_KINDS)
      .nullable()
      .default(null)
      .describe('The subject of the event. Null: a type without a sentence.'),
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
    alive: z.boolean().describe('Whether its process runs and has not reported its end.'),
    why_not: z
      .string()
      .nullable()
      .describe('Why it cannot be adopted, as far as Baton knows without trying; null if it can.'),
    default_persona: z
      .string()
      .nullable()
      .describe('The persona that it would get: the default of the project in its folder.'),
  })
  .meta({ id: 'Candidate' });
export type Candidate = z.infer<typeof Candidate>;

export const HookSettings = z
  .object({
    runtime: z.string(),
    title: z.string(),
    file: z.string().describe("The operator's own settings file of that agent program."),
    state: z.enum(['not_installed', 'installed', 'outdated', 'partly']).nullable().describe('Null: see problem.'),
    version: z.int().nullable().describe('The version of the hooks in the file.'),
    current_version: z.int(),
    hooks: z.array(z.object({ event: z.string(), command: z.string() })),
    script: z.string().describe('The script that the hooks run.'),
    script_exists: z.boolean(),
    sees_sessions: z.boolean().describe('Whether Baton will see a session that is started now outside Baton.'),
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
    trouble: z.array(z.string()).describe('Parts of Baton that currently fail; empty if none does.'),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const PersonaList = z.object({ personas: z.array(Persona) });
export const RuntimeList = z.object({ runtimes: z.array(RuntimeInfo) });
export const ProjectList = z.object({ projects: z.array(Project) });
export const AgentList = z.object({ agents: z.array(Agent), next: Next.optional() });
export type AgentList = z.infer<typeof AgentList>;
export const RunList = z.object({ runs: z.array(Run), next: Next.optional() });
export type RunList = z.infer<typeof RunList>;
export const HandoffList = z.object({ handoffs: z.array(HandoffSummary), next: Next.optional() });
export const Inbox = z.object({ items: z.array(InboxItem) });
export const EventPage = z.object({ events: z.array(Event), last_seq: z.int() });
export const LoginAddress = z.object({ url: z.string() });
export const CandidateList = z.object({ candidates: z.array(Candidate) });
