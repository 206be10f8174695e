import { z } from 'zod';

/** The request bodies. They are strict: a misspelled field is reported and not ignored. */

export const RegisterPersona = z.strictObject({ role: z.string().max(200), name: z.string().max(200) });

const RunsOn = z.strictObject({
  runtime: z.string().max(60),
  model: z.string().max(200).optional(),
  client_args: z.array(z.string().max(4096)).max(50).optional(),
  keep_args_of: z
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe(
      'The position of a choice in the stored list, counted from 1. The new choice keeps the arguments of that stored choice; the API never returns these arguments. Both choices must have the same runtime.',
    ),
});
export type RunsOnChoice = z.infer<typeof RunsOn>;

const RunsOnList = z
  .array(RunsOn)
  .max(10)
  .describe(
    'The runtimes, models and arguments that agents may run on, in order of preference. Baton uses the first choice that can start. An empty list removes the stored list.',
  );

export const ProjectRunsOn = z.strictObject({ runs_on: RunsOnList });

/**
 * The request to change a persona. Omitted fields stay unchanged. The slug cannot change, because folders and records
 * are named after the slug.
 */
export const EditPersona = z.strictObject({
  role: z.string().max(200).optional(),
  name: z.string().max(200).optional(),
  runs_on: RunsOnList.optional(),
});

export const SavePersonaText = z.strictObject({
  text: z.string().max(200_000),
  based_on: z
    .string()
    .max(64)
    .nullable()
    .describe(
      'The sha256 of the text on which the edit is based; null if there was no text. If the text has changed since then, nothing is saved.',
    ),
});

export const AddProject = z.strictObject({ path: z.string().max(4096), name: z.string().max(200).optional() });

export const StartAgent = z.strictObject({
  project_id: z.int(),
  persona: z
    .string()
    .max(200)
    .nullable()
    .optional()
    .describe(
      "The persona's slug; null for an agent without a persona. If omitted, the agent gets the default persona of the project, if the project has one.",
    ),
  runtime: z
    .string()
    .max(60)
    .optional()
    .describe(
      'The agent type. If omitted, the agent gets the type in the setting `default_runtime`, which is `practice` unless you change it.',
    ),
  model: z
    .string()
    .max(200)
    .optional()
    .describe('The model, as the agent type names it. Successors of the same agent type get the same model.'),
  client_args: z
    .array(z.string().max(4096))
    .max(50)
    .optional()
    .describe(
      "Arguments that Baton passes unchanged to the agent's program. Successors of the same agent type get the same arguments.",
    ),
  worktree: z
    .string()
    .max(60)
    .optional()
    .describe(
      'The name of a new git worktree for the agent, on the branch baton/<name>, based on the last commit. If empty, Baton chooses a name. Successors work in the same worktree.',
    ),
  prompt: z
    .string()
    .min(1)
    .max(65_536)
    .optional()
    .describe(
      'The first prompt. Baton sends this prompt once, when the agent is ready. The field `first_prompt` of the agent shows the outcome. If the prompt did not arrive, the inbox says so.',
    ),
});

export const ResumeAgent = z.strictObject({
  anyway: z.boolean().default(false).describe('If true, resume the agent even if a successor has taken over its work.'),
});

export const RestoreAgents = z.strictObject({
  dry_run: z.boolean().default(false).describe('If true, only report which agents would be resumed.'),
});

export const RemoveWorktree = z.strictObject({
  dry_run: z
    .boolean()
    .default(false)
    .describe('If true, only report what would be lost and what prevents the removal.'),
  force: z
    .array(z.enum(['uncommitted', 'unmerged']))
    .default([])
    .describe(
      'The kinds of work that you allow Baton to discard: `uncommitted` stands for uncommitted changes, `unmerged` for commits that are on no remaining branch. If work of another kind would be lost, Baton refuses the removal.',
    ),
  branch: z.boolean().default(false).describe('If true, also remove the branch of the worktree.'),
});

export const StopAgent = z.strictObject({
  force: z.boolean().default(false).describe("If true, end the agent's pane instead of asking the agent to exit."),
});

export const SendMessage = z.strictObject({ text: z.string().min(1).max(65_536) });

export const GivePersona = z.strictObject({
  persona: z.string().max(200).describe("The persona's slug."),
  replace: z.boolean().default(false).describe('If true, replace the persona that the agent already has.'),
});

/**
 * The request to adopt a session. The request permits Baton to read the session's screen, to type into the session and
 * to end it.
 */
export const AdoptCandidate = z.strictObject({
  persona: StartAgent.shape.persona,
  runtime: z
    .string()
    .max(60)
    .optional()
    .describe('The agent type of the session; required if sessions of two agent types have the same id.'),
});

export const DefaultPersona = z.strictObject({
  persona: z.string().max(200).nullable().describe('The slug of the default persona; null for no default.'),
});

/** The answer to a question: a choice or a text. Baton refuses the answer if the agent now shows another question. */
export const AnswerQuestion = z.strictObject({
  question: z.string().max(64).describe("The id of the agent's question that you answer."),
  choice: z.int().min(1).max(20).optional().describe('The number of the chosen option.'),
  text: z.string().min(1).max(10_000).optional().describe('A text answer, if the question accepts text.'),
});

export const MuteAgent = z.strictObject({
  until: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .describe('When the mute ends. If omitted or null, the agent stays muted until it is unmuted.'),
});

export const MessageVerdict = z.object({
  verdict: z
    .enum(['accepted', 'refused', 'unconfirmed'])
    .describe(
      "`accepted`: the agent's model has the message. `refused`: nothing was typed. `unconfirmed`: the message may have arrived; Baton never repeats it, and reports a late confirmation with an event `message_verdict`.",
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'If `verdict` is `refused`: `command`, `starting`, `busy`, `dialog`, `draft`, `view`, `unknown`, `copy_mode`, `agent_gone`, `pane_gone`, `wrong_server`, `not_wanted` or `terminal_unavailable`, or for an answer also `not_asked`, `other_question` or `terminal_only`. If `verdict` is `unconfirmed`, the last known stage: `unknown`, `typed` or `submitted`. If `verdict` is `accepted`, null.',
    ),
  sentence: z.string().describe('What happened, to which agent, and what to do next.'),
  ref: z.string().describe('Identifies this message in the event log.'),
});
export type MessageVerdict = z.infer<typeof MessageVerdict>;

/** The program that the successor of a handoff runs on. */
const SuccessorOptions = {
  runtime: z
    .string()
    .max(60)
    .optional()
    .describe(
      "The successor's agent type. If omitted, Baton uses the first choice in the persona's list `runs_on` that can start. If the persona has no list, Baton uses the agent type of the predecessor.",
    ),
  model: StartAgent.shape.model.describe(
    "The successor's model. If omitted, a successor of the same agent type gets its predecessor's model.",
  ),
  client_args: StartAgent.shape.client_args.describe(
    "Arguments for the successor's program. If omitted, a successor of the same agent type gets its predecessor's arguments.",
  ),
};

/**
 * This schema accepts any `reason`, because the domain checks the agent's state first and the reason afterwards (SPEC
 * H1).
 */
export const TriggerHandoff = z.strictObject({
  reason: z
    .unknown()
    .optional()
    .describe('The reason for the handoff: `context_limit` (default), `shift_end` or `task_boundary`.'),
  note: z.string().max(100_000).optional(),
  review: z
    .boolean()
    .optional()
    .describe('If true, Baton asks the agent to exit only after the operator has approved the document.'),
  background: z
    .enum(['stop', 'keep'])
    .optional()
    .describe(
      'What happens to the background shells of the agent when the agent exits: `stop` ends them (default), `keep` lets them run.',
    ),
  ...SuccessorOptions,
});

/** The request to resume a run. An omitted field about the successor keeps the value that was chosen earlier. */
export const ResumeRun = z.strictObject(SuccessorOptions);

/**
 * The request for an emergency handoff of an agent that cannot write a document, because it has ended or is under a
 * usage limit.
 */
export const SucceedAgent = TriggerHandoff.omit({ review: true, background: true });

export const AfterLimit = z.strictObject({
  continue: z.boolean().describe('Whether Baton asks the agent to continue once its usage limit is over.'),
});

export const Nothing = z.strictObject({});
export const AdoptFile = z.strictObject({
  file: z
    .string()
    .max(4096)
    .describe("The absolute path of the document, in the agent's project or in its persona's handoffs folder."),
});

export const SendBack = z.strictObject({
  comment: z.string().max(100_000).describe('What is wrong with the document. Baton sends this text to the agent.'),
});

export const MessageSuccessor = z.strictObject({
  text: z.string().max(100_000).describe('The message, at most 1,000 characters; Baton types it to the successor.'),
});

export const HandoffInitiated = z.object({
  status: z.literal('initiated'),
  run_id: z.int(),
  background_shells: z
    .array(z.string())
    .optional()
    .describe(
      'The background shells of the agent. They end with the agent, unless the request had `background` set to `keep`.',
    ),
});
export type HandoffInitiated = z.infer<typeof HandoffInitiated>;

export const Acknowledge = z.strictObject({
  proof: z.string().min(1).max(200).describe('The token in the last line of the handoff document.'),
  task: z.string().trim().min(1).max(4000).describe('What you are going to do, in your own words.'),
});

/** The request to change settings. An omitted setting stays unchanged. A null value resets a setting to its default. */
export const ChangeSettings = z.strictObject({
  handoff_at_percent: z.int().min(10).max(100).nullable().optional(),
  notifications: z
    .strictObject({
      os: z.boolean().optional(),
      ntfy: z.string().max(2000).nullable().optional(),
      webhook: z.string().max(2000).nullable().optional(),
      waits: z.boolean().optional(),
      finished: z.boolean().optional(),
      near_threshold: z.boolean().optional(),
      notices: z.boolean().optional(),
    })
    .optional(),
  notify_finished_after_seconds: z.int().min(1).max(86_400).nullable().optional(),
  quiet_hours: z
    .strictObject({ from: z.string().max(5), to: z.string().max(5) })
    .nullable()
    .optional()
    .describe('Local times such as 22:00; null turns quiet hours off.'),
  accept_lessons: z
    .boolean()
    .nullable()
    .optional()
    .describe('If true, Baton writes the lessons of handoff documents to experience.md without asking a person.'),
  token_budget: z
    .int()
    .min(1_000)
    .max(1_000_000_000_000)
    .nullable()
    .optional()
    .describe(
      'How many tokens all agents together may use on one day before Baton sends a notice; null if there is no limit.',
    ),
  default_runtime: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .optional()
    .describe('The agent type of a new agent if the request to start the agent contains no agent type.'),
});

export const SaveTemplate = z.strictObject({
  text: z.string().max(20_000).nullable().describe('The new text; null restores the built-in text.'),
  based_on: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'The text on which the edit is based. If the text has changed since then, nothing is saved. If omitted, any text is overwritten.',
    ),
});

export const Logout = z.strictObject({
  everywhere: z.boolean().default(false).describe('If true, log out all pages, not only this one.'),
  device: z
    .string()
    .max(64)
    .optional()
    .describe('The id of a device to log out. The list of devices contains the ids.'),
});
export const LoggedOut = z.object({ ended: z.int().describe('The number of pages that were logged out.') });

export const NewLoginCode = z.strictObject({
  host: z
    .string()
    .max(300)
    .optional()
    .describe(
      'The host name in the login link. It must be one of `allowed_hosts`. If omitted, the link is for this machine.',
    ),
});

export const Login = z.strictObject({
  code: z.string().max(200),
  device: z.string().max(80).optional().describe('The name of the browser in the list of devices.'),
});
export const LoggedIn = z.object({ token: z.string() });
