import { z } from 'zod';
import { AGENT_STATES } from '../domain/agents/agent.ts';
import { RUN_ACTIONS } from '../domain/handoffs/run.ts';
import { SEVERITIES } from '../domain/inbox/severity.ts';
import { CAPABILITIES } from '../domain/personas/capability.ts';
import { AgentUsage } from './history/usage.ts';
import { PackageFinding } from './packages/package-resources.ts';
import { AutoHandoff, HandoffPolicy, PolicyOfAgent } from './policies.ts';

/** The response bodies. The field names come from the specifications 000 to 004. Times are ISO 8601 in UTC. */

export const ErrorBody = z
  .object({
    error: z.string().describe('One sentence: what happened, and to which agent.'),
    code: z.string(),
    hint: z.string().optional(),
    run_id: z.int().optional(),
    status: z.string().optional().describe('The current step of the run with the id `run_id`.'),
    findings: z.array(PackageFinding).optional().describe('The lint findings, if they are the reason for the refusal.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

export const RunsOn = z.object({
  runtime: z.string(),
  model: z.string().optional(),
  client_args: z
    .array(z.string())
    .optional()
    .describe('Answers of the API leave out the arguments, because arguments may contain secrets.'),
  stored_args: z.int().optional().describe('The number of stored arguments; missing if there are none.'),
});
export type RunsOn = z.infer<typeof RunsOn>;

export const Persona = z
  .object({
    slug: z.string(),
    role: z.string(),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    folder: z.string().describe("The persona's folder, with skill.md, experience.md and handoffs/."),
    runs_on: z
      .array(RunsOn)
      .optional()
      .describe(
        'The runtimes, models and arguments that agents of this persona may run on, in order of preference; empty if none were chosen.',
      ),
    handoff_policy: HandoffPolicy.nullable()
      .optional()
      .describe('The handoff policy of the agents of this persona; null if there is none.'),
    created_at: z.string(),
  })
  .meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

const PersonaText = z.object({
  text: z.string().nullable().describe('The text of the file; null if there is no such file.'),
  sha256: z.string().nullable(),
  problem: z
    .string()
    .optional()
    .describe('Set if the file exists but cannot be shown or saved, because it is a link or not UTF-8 text.'),
});

export const PersonaDetail = Persona.extend({
  skill: PersonaText,
  experience: PersonaText,
  agents: z
    .array(z.int())
    .describe(
      'The ids of the newest 100 agents that have or had this persona, oldest first. The lineage of the persona contains all its agents.',
    ),
}).meta({ id: 'PersonaDetail' });
export type PersonaDetail = z.infer<typeof PersonaDetail>;

export const Project = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    default_persona: z
      .string()
      .nullable()
      .describe('The default persona for new agents in this project; null if there is none.'),
    runs_on: z
      .array(RunsOn)
      .optional()
      .describe(
        'The runtimes, models and arguments that agents of this project may run on, in order of preference; empty if none were chosen.',
      ),
    handoff_policy: HandoffPolicy.nullable()
      .optional()
      .describe('The handoff policy of the agents of this project; null if there is none.'),
    created_at: z.string(),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const Question = z.object({
  id: z
    .string()
    .describe(
      'The id of this question. An answer must contain this id, so that the answer never reaches another question.',
    ),
  text: z.string(),
  options: z
    .array(z.object({ number: z.int(), label: z.string() }))
    .describe(
      "The options to choose from. If there are no options and `takes_text` is false, a person can answer the question only in the agent's terminal.",
    ),
  takes_text: z.boolean(),
  how_to_answer: z.string().describe('A sentence that says how a person can answer the question.'),
});
export type Question = z.infer<typeof Question>;

const AgentState = z
  .enum(AGENT_STATES)
  .describe(
    "`idle`: a hook, the client or the transcript says that the agent is idle. `limited`: a usage limit keeps the agent's model from answering. `unknown`: Baton cannot tell whether the agent is working or idle.",
  );

const UsageLimit = z
  .object({
    words: z.string().describe("The client's own words about the limit."),
    until: z.string().nullable().describe('When the limit ends; null if the client names no time.'),
    retries_at: z
      .string()
      .nullable()
      .describe(
        'The time at which the client will send the refused request again; null if the client has announced no such time. The limit does not necessarily end at this time.',
      ),
    continues_itself: z.boolean().describe('Whether the client continues by itself when the limit ends.'),
    since: z.string(),
    waits: z.boolean().describe('Whether Baton asks the agent to continue when the limit ends.'),
  })
  .describe('The usage limit that the agent is under. The state of such an agent is `limited`.');

export const CutOff = z
  .object({
    state: z.enum(['working', 'awaiting_input']),
    doing: z
      .string()
      .describe('What the agent was doing, such as the tool that it used or the question that it asked.'),
    at: z.string(),
  })
  .describe(
    'Set if the agent was lost while it worked or waited for an answer. The value is removed when the resumed agent gets a prompt.',
  );
const Severity = z
  .enum(SEVERITIES)
  .describe(
    'How urgently something needs the operator. The values, the most urgent first: `failed`, `question`, `decision`, `lost`, `stuck`, `handoff` (a handoff is suggested), `notice`.',
  );
export type Severity = z.infer<typeof Severity>;

export const Agent = z
  .object({
    id: z.int(),
    session_uuid: z.string(),
    label: z
      .string()
      .describe("The persona's name or, without a persona, the first eight characters of the session id."),
    runtime: z.string(),
    project: Project.pick({ id: true, name: true, path: true }),
    persona: Persona.pick({ slug: true, name: true, role: true }).nullable(),
    folder: z.string().describe("The agent's working folder: the project's own folder or a worktree."),
    worktree: z.object({ id: z.int(), name: z.string(), branch: z.string() }).nullable(),
    previous_agent_id: z.int().nullable(),
    resumed_from: z.int().nullable().describe('The agent whose conversation this agent resumed.'),
    resumed_as: z.int().nullable().describe('The agent that resumed the conversation of this agent after its end.'),
    state: AgentState,
    state_reason: z.string(),
    limit: UsageLimit.nullable().optional(),
    model: z
      .string()
      .nullable()
      .optional()
      .describe('The model that the operator chose; null if the client chooses it.'),
    client_args: z
      .array(z.string())
      .optional()
      .describe("The operator's arguments for the agent's program, with secrets masked."),
    cut_off: CutOff.nullable().optional(),
    activity: z
      .string()
      .nullable()
      .describe("The agent's current activity: the tool that it uses now, otherwise its last prompt."),
    background: z
      .array(z.object({ kind: z.enum(['shell', 'subagent']), what: z.string() }))
      .describe("Background tasks of the agent's last turn. A handoff does not wait for background shells."),
    question: Question.nullable().describe(
      'The question that the agent waits on, if Baton can read it from the screen.',
    ),
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
      .describe("The agent's handoff record; null if it has none."),
    handoff_offer: z
      .object({
        offered: z
          .boolean()
          .describe(
            'Whether the page offers the Handoff button. The page offers the button if the agent is live, has a persona and a pane, is in no handoff run, has reached the threshold, and has a handoff policy other than `off`.',
          ),
        why_not: z.string().nullable(),
      })
      .describe(
        'Whether Baton offers a handoff because the context is nearly full. A handoff for another reason is possible at any context use.',
      ),
    handoff_policy: PolicyOfAgent.optional(),
    auto_handoff: AutoHandoff.optional(),
    first_prompt: z
      .object({
        state: z
          .enum(['waiting', 'sending', 'accepted', 'refused', 'unconfirmed'])
          .describe(
            "`waiting`: the agent is not ready yet. `sending`: Baton is delivering the prompt. `accepted`: the agent's model has the prompt. `refused`: nothing was typed. `unconfirmed`: the prompt may have arrived; Baton never repeats it.",
          ),
        excerpt: z.string().describe('The beginning of the prompt.'),
        sentence: z
          .string()
          .nullable()
          .describe('The outcome in one sentence; null as long as the outcome is not known.'),
      })
      .nullable()
      .optional()
      .describe('The prompt that the agent was started with; null if it was started without one.'),
    muted: z
      .object({ until: z.string().nullable() })
      .nullable()
      .optional()
      .describe(
        'Set if the agent is muted: only its failures are sent as notifications. If `until` is null, the agent stays muted until it is unmuted.',
      ),
    context: z
      .object({
        tier: z
          .enum(['fine', 'warn', 'high', 'handoff'])
          .describe(
            'How full the context is: `warn` from 65 percent, `high` from 75 percent, `handoff` from the threshold.',
          ),
        used_percent: z
          .number()
          .describe(
            'How much of the usable context is used, in percent. The usable context is the part of the context window that the client fills before it compacts the conversation.',
          ),
        used_tokens: z.int().nullable(),
        window_tokens: z.int().nullable(),
        measured_at: z.string(),
      })
      .nullable(),
    usage: AgentUsage.nullable()
      .optional()
      .describe("What the agent's client has reported so far; null if it has reported nothing."),
    skill_injected_at: z.string().nullable(),
    tmux: z.object({ socket: z.string(), session: z.string(), pane: z.string().nullable() }),
    attach_command: z.string().describe("The command that shows the agent's terminal."),
    adopted: z
      .boolean()
      .describe(
        'True if the operator started the agent in their own tmux and Baton adopted it. Baton does not move such an agent into its own tmux.',
      ),
    run_id: z
      .int()
      .nullable()
      .describe('The handoff run in progress that this agent is part of; null if there is none.'),
    needs: z
      .object({
        severity: Severity,
        sentence: z.string(),
        since: z.string(),
        item_id: z
          .int()
          .nullable()
          .describe('The id of the inbox item; null if this is a suggested handoff for which there is no inbox item.'),
      })
      .nullable()
      .optional()
      .describe(
        'The most urgent thing that the operator should know about the agent: the most urgent open inbox item of the agent, or a suggested handoff. Null if there is neither.',
      ),
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
    since: z.string().nullable().describe('When the agent entered this state.'),
    facts: z
      .array(z.object({ seq: z.int(), at: z.string(), type: z.string(), sentence: z.string() }))
      .describe('The last facts in the log that concern the state, oldest first.'),
  })
  .meta({ id: 'AgentWhy' });
export type AgentWhy = z.infer<typeof AgentWhy>;

const Failure = z.object({ at: z.string(), code: z.string(), sentence: z.string(), hint: z.string() });

export const RunAction = z.enum(RUN_ACTIONS);
export type RunAction = z.infer<typeof RunAction>;

const Offer = z.object({
  action: RunAction,
  title: z.string().describe('The effect of the action, in words.'),
  confirm: z
    .string()
    .nullable()
    .describe('The question to ask the operator first, if the action destroys something; otherwise null.'),
});

const Finding = z.object({ rule: z.string(), sentence: z.string(), line: z.int().optional() });

export const Run = z
  .object({
    id: z.int(),
    agent_id: z.int(),
    successor_agent_id: z.int().nullable(),
    handoff_id: z.int().nullable().describe('The id of the handoff record; null until the handoff is recorded.'),
    reason: z.enum(['context_limit', 'shift_end', 'task_boundary']),
    begun_because: z
      .string()
      .nullable()
      .optional()
      .describe('Why Baton began the handoff by itself; null if a person began it.'),
    note: z.string().nullable(),
    step: z.string(),
    over: z.boolean(),
    failure: Failure.nullable(),
    actions: z.array(Offer).describe('The actions that the operator can choose now: POST /api/runs/{id}/{action}.'),
    attempt: z.int(),
    emergency: z
      .boolean()
      .describe(
        'True for an emergency handoff: the agent could not write a document, because it had ended or was under a usage limit. The successor gets only what Baton knows.',
      ),
    runs_on: RunsOn.nullable()
      .optional()
      .describe(
        'The runtime, model and arguments that were chosen for the successor; null if the successor runs like its predecessor.',
      ),
    review: z.enum(['not_wanted', 'wanted', 'approved']),
    late_document: z.boolean().describe('True if the document arrived after the run had ended.'),
    git: z
      .looseObject({ kind: z.enum(['repository', 'unknown']) })
      .nullable()
      .describe('The git state when the document was checked.'),
    findings: z.array(Finding).describe('Warnings about the document. They never stop the run.'),
    comment: z
      .string()
      .nullable()
      .describe("The operator's comment on a document that was sent back; null once a new document is verified."),
    changed_since: z.string().nullable().describe('What the agent did after it wrote the document that the run uses.'),
    brought_back_agent_id: z
      .int()
      .nullable()
      .describe("The agent that continues the predecessor's conversation after an undo."),
    document: z
      .object({
        path: z.string().describe("The path of the document, relative to Baton's home."),
        absolute_path: z.string(),
        sha256: z.string().nullable(),
        bytes: z.int().nullable(),
        marker_found: z.boolean().nullable(),
      })
      .nullable(),
    last_refusal: z.string().nullable().describe('Why Baton could not type to the agent at the last attempt.'),
    waits: z.string().nullable().describe('A sentence that says why the run waits now; null if it does not wait.'),
    background: z
      .enum(['stop', 'keep'])
      .describe('Whether background shells are stopped or kept when the agent exits.'),
    compacted_since_instruction: z.boolean(),
    cleared_since_instruction: z
      .boolean()
      .describe("True if the agent's conversation was cleared between the handoff instruction and the document."),
    compact_summary: z
      .string()
      .nullable()
      .describe("The client's own summary, if the client compacted the context while the agent wrote the document."),
    warnings: z.array(z.string()),
    acknowledged: z.boolean(),
    acknowledgement: z.object({ task: z.string(), at: z.string() }).nullable(),
    deadline_at: z.string().nullable(),
    paused_since: z
      .string()
      .nullable()
      .describe(
        'The time at which the deadline was paused because an agent waits for the operator; null if the deadline is not paused.',
      ),
    steps: z.array(
      z.object({
        step: z.string(),
        entered_at: z.string(),
        attempt: z.int(),
        ms: z.int().nullable().describe('How long the step took; null while the step is in progress.'),
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
        purpose: z.enum(['instruction', 'skill', 'injection', 'nudge', 'exit', 'package', 'message', 'continue']),
        agent_id: z.int(),
        text: z.string(),
        outcome: z
          .string()
          .describe('Whether the agent got the text: typed, refused, unconfirmed, given_at_start or not_yet.'),
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
    file_path: z
      .string()
      .nullable()
      .describe(
        "The path of the document, relative to Baton's home; null after an emergency handoff without a document.",
      ),
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
  document_text: z.string().nullable().describe('The text of the document that Baton verified.'),
  document_problem: z
    .string()
    .nullable()
    .default(null)
    .describe('Why the text of the document cannot be shown; null if it can be shown.'),
}).meta({ id: 'HandoffDetail' });
export type HandoffDetail = z.infer<typeof HandoffDetail>;

const Next = z
  .int()
  .nullable()
  .describe('The value of `?before=` that returns older entries; null if there are no older entries.');

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
        wore_until: z
          .string()
          .nullable()
          .describe('When the agent got another persona; null if the agent still has this persona.'),
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
                'Style names, separated by spaces: bold, dim, italic, underline, inverse, fg-0…15, bg-0…15, fg-#rrggbb, bg-#rrggbb.',
              ),
          }),
        ),
      )
      .describe(
        'The rows of the screen. Each row is a list of texts, each in one style. Control characters are removed.',
      ),
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
    .describe(
      'Whether Baton was tested with this version of the program; null if the program has no version of its own.',
    ),
  standing_sentence: z.string().nullable(),
  why_unavailable: z.string().nullable(),
  capabilities: z
    .record(z.enum(CAPABILITIES), z.boolean())
    .optional()
    .describe('What agents of this type can do, and what Baton therefore offers for them.'),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

const Template = z.object({
  name: z.enum(['instruction', 'injection']),
  text: z.string().describe('The text in use now.'),
  is_own: z.boolean(),
  built_in: z.string(),
  placeholders: z.array(z.object({ name: z.string(), required: z.boolean() })),
  path: z.string(),
  problem: z.string().nullable().describe("Why the operator's own text is not used; null if there is no problem."),
});

export const SettingsView = z
  .object({
    handoff_at_percent: z.int(),
    notifications: z.object({
      os: z.boolean(),
      ntfy: z.string().nullable(),
      webhook: z.string().nullable(),
      waits: z.boolean().describe('Notify if an agent asks a question or Baton needs a decision.'),
      finished: z.boolean().describe('Notify if an agent finishes after long work.'),
      near_threshold: z.boolean().describe('Notify if an agent reaches the threshold for a handoff, once per session.'),
      notices: z.boolean().describe('Notify of other events. Failures are always sent.'),
    }),
    notify_finished_after_seconds: z.int(),
    quiet_hours: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .describe(
        'Quiet hours in local time. During quiet hours, Baton notifies the operator only of failures. When quiet hours end, Baton sends one summary of all other notifications.',
      ),
    accept_lessons: z
      .boolean()
      .optional()
      .describe('If true, Baton writes the lessons of handoff documents to experience.md without asking a person.'),
    token_budget: z
      .int()
      .nullable()
      .optional()
      .describe(
        'How many tokens all agents together may use on one day before Baton sends a notice; null if there is no limit.',
      ),
    default_runtime: z
      .string()
      .optional()
      .describe('The agent type of a new agent if the request to start the agent contains no agent type.'),
    allowed_hosts: z
      .array(z.string())
      .describe('The host names of your own proxy, from config.json. Baton reads these names only when Baton starts.'),
    templates: z.array(Template),
    config_path: z.string(),
    home: z.string(),
    version: z.string(),
  })
  .meta({ id: 'Settings' });
export type SettingsView = z.infer<typeof SettingsView>;

export const TestNotification = z.object({
  channels: z.array(
    z.object({
      channel: z.enum(['os', 'ntfy', 'webhook']),
      outcome: z.enum(['sent', 'unavailable', 'failed']),
      sentence: z.string().describe('The result in words.'),
    }),
  ),
  sentence: z.string().describe('The result of all channels in words.'),
});
export type TestNotification = z.infer<typeof TestNotification>;

export const DemoStarted = z.object({ agent_id: z.int(), persona: z.string(), project_id: z.int() });
export type DemoStarted = z.infer<typeof DemoStarted>;

export const InboxItem = z
  .object({
    id: z.int(),
    kind: z.enum(['failure', 'question', 'decision', 'notice']),
    severity: Severity.optional(),
    agent_id: z.int().nullable(),
    run_id: z.int().nullable(),
    package_id: z.string().nullable().optional().describe('The package that the item is about.'),
    persona: z.string().nullable().optional().describe('The slug of the persona that the item is about.'),
    sentence: z.string(),
    hint: z.string(),
    offers: z
      .array(
        z.enum([
          'resume',
          'succeed',
          'restore',
          'remind',
          'reassign',
          'continue',
          'cancel_countdown',
          'snooze',
          'handoff',
        ]),
      )
      .optional()
      .describe(
        'Further actions that the operator can choose. `resume`: resume the agent. `succeed`: start a successor. `restore`: restore all lost agents. `remind`: remind the agent of the package. `reassign`: give the package to another receiver. `continue`: let a restored agent continue. `cancel_countdown` or `snooze`: cancel or delay an automatic handoff. `handoff`: begin a handoff.',
      ),
    opened_at: z.string(),
    resolved_at: z.string().nullable(),
    resolution: z.string().nullable(),
    notified_at: z.string().nullable().describe('When the notification was sent.'),
    notified: z
      .record(z.string(), z.string())
      .describe(
        'The result for each channel: sent, or why not. If quiet hours or a mute of the agent delay the notification, the only key is `held`, and its value is the cause of the delay.',
      ),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof InboxItem>;

export const InboxHistory = z.object({ items: z.array(InboxItem), next: Next.optional() }).meta({ id: 'InboxHistory' });
export type InboxHistory = z.infer<typeof InboxHistory>;

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
        'The caller whose request caused the event: `operator/page`, `operator/cli` or `agent/ID`. Null if Baton observed the event or acted by itself.',
      ),
    sentence: z.string().default('').describe('The event in one sentence for people.'),
    kind: z
      .enum(EVENT_KINDS)
      .nullable()
      .default(null)
      .describe('The subject of the event; null if events of this type have no subject.'),
    bad_news: z.boolean().default(false).describe('True if something failed or was lost.'),
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
    tmux: z
      .object({ socket: z.string(), pane: z.string() })
      .nullable()
      .describe('The tmux pane of the session; null outside tmux.'),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    ended_at: z.string().nullable(),
    alive: z.boolean().describe("Whether the session's process runs and has not reported its end."),
    why_not: z
      .string()
      .nullable()
      .describe('Why the session cannot be adopted, as far as Baton knows without trying; null if it can be adopted.'),
    default_persona: z
      .string()
      .nullable()
      .describe(
        "The persona that the session would get if Baton adopted it: the default persona of the project in the session's folder.",
      ),
  })
  .meta({ id: 'Candidate' });
export type Candidate = z.infer<typeof Candidate>;

export const HookSettings = z
  .object({
    runtime: z.string(),
    title: z.string(),
    file: z.string().describe("The operator's own settings file of the agent program in `runtime`."),
    state: z
      .enum(['not_installed', 'installed', 'outdated', 'partly'])
      .nullable()
      .describe(
        'The state of the hooks in the file. Null if Baton cannot tell, because the file has the problem that `problem` describes.',
      ),
    version: z.int().nullable().describe('The version of the hooks in the file.'),
    current_version: z.int(),
    hooks: z.array(z.object({ event: z.string(), command: z.string() })),
    script: z.string().describe('The script that the hooks run.'),
    script_exists: z.boolean(),
    plugin: z
      .boolean()
      .optional()
      .describe(
        'Whether the Baton plugin is enabled in this settings file. If the file itself contains hooks of Baton, the hooks of the plugin do nothing.',
      ),
    sees_sessions: z
      .boolean()
      .describe('Whether Baton will notice a session that the operator starts now without Baton.'),
    changes: z.array(
      z.object({ what: z.enum(['added', 'replaced', 'removed']), event: z.string(), command: z.string() }),
    ),
    diff: z
      .array(z.string())
      .describe('The change of the file as the lines of a unified diff; empty if nothing changes.'),
    backup: z
      .string()
      .nullable()
      .describe('The path of the copy that Baton made of the file before the change; null if there is no copy.'),
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
    address: z.string().optional().describe('The address of the page on this machine.'),
    trouble: z.array(z.string()).describe('Parts of Baton that currently fail; empty if none does.'),
    indexed_percent: z
      .int()
      .optional()
      .describe(
        'How much of the history the search can find, in percent. Present only for some time after an update of Baton, until the search can find everything.',
      ),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

export const ServerStopping = z.object({
  status: z.literal('stopping'),
  live_agents: z.int().describe('The number of agents that keep running without the server.'),
  hub_runs: z
    .boolean()
    .optional()
    .describe('True if the hub of a fleet keeps running on this machine without the server.'),
});
export type ServerStopping = z.infer<typeof ServerStopping>;

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
export const Device = z.object({
  id: z.string(),
  name: z.string().describe('The name that the browser gave at the login; empty if it gave none.'),
  created_on: z.string().describe('The UTC date of the login.'),
  used_on: z.string().describe('The UTC date of the last use. A device is logged out after 30 days without use.'),
  current: z.boolean().describe('True for the device that sent this request.'),
});
export type Device = z.infer<typeof Device>;
export const DeviceList = z.object({ devices: z.array(Device) });
export const CandidateList = z.object({ candidates: z.array(Candidate) });
