import { z } from 'zod';

/** Request bodies. Strict: a misspelled field is reported, not ignored. */

export const RegisterPersona = z.strictObject({ role: z.string().max(200), name: z.string().max(200) });

/** Omitted fields stay unchanged. The slug never changes: folders and records are named after it. */
export const EditPersona = z.strictObject({
  role: z.string().max(200).optional(),
  name: z.string().max(200).optional(),
});

export const SavePersonaText = z.strictObject({
  text: z.string().max(200_000),
  based_on: z
    .string()
    .max(64)
    .nullable()
    .describe(
      'The sha256 of the text that was edited, null if there was none: a text that changed meanwhile is not overwritten.',
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
    .describe("The persona's slug; null for an anonymous agent. Absent: the project's default, if it has one."),
  runtime: z.string().max(60).default('practice'),
  client_args: z
    .array(z.string().max(4096))
    .max(50)
    .optional()
    .describe("Given to the agent's program as they are; inherited by successors."),
  worktree: z
    .string()
    .max(60)
    .optional()
    .describe(
      'In a git worktree of its own, on the branch baton/<name>, from the last commit on. Empty: Baton finds a name. It is inherited by successors.',
    ),
});

export const ResumeAgent = z.strictObject({
  anyway: z.boolean().default(false).describe('Although a successor has taken over.'),
});

export const RestoreAgents = z.strictObject({
  dry_run: z.boolean().default(false).describe('Only say which would be brought back.'),
});

export const RemoveWorktree = z.strictObject({
  dry_run: z.boolean().default(false).describe('Only say what would be lost, and what stands in the way.'),
  force: z
    .array(z.enum(['uncommitted', 'unmerged']))
    .default([])
    .describe('What may be lost: uncommitted changes; commits that are on no branch that stays.'),
  branch: z.boolean().default(false).describe('Remove its branch, too.'),
});

export const StopAgent = z.strictObject({
  force: z.boolean().default(false).describe('End its pane instead of asking it to leave.'),
});

export const SendMessage = z.strictObject({ text: z.string().min(1).max(65_536) });

export const GivePersona = z.strictObject({
  persona: z.string().max(200).describe("The persona's slug."),
  replace: z.boolean().default(false).describe('Also in place of one that it has.'),
});

/** The operator's permission for Baton to read the session's screen, type into it and end it. */
export const AdoptCandidate = z.strictObject({
  persona: StartAgent.shape.persona,
  runtime: z.string().max(60).optional().describe('Where two kinds of agents have a session of this name.'),
});

export const DefaultPersona = z.strictObject({
  persona: z.string().max(200).nullable().describe("The persona's slug; null for none."),
});

/** Either a choice or a text. Refused if the agent now shows another question. */
export const AnswerQuestion = z.strictObject({
  question: z.string().max(64).describe('Its id, as shown with the agent.'),
  choice: z.int().min(1).max(20).optional().describe('The number of the option.'),
  text: z.string().min(1).max(10_000).optional().describe('In your own words, where the question takes them.'),
});

export const MuteAgent = z.strictObject({
  until: z.iso.datetime({ offset: true }).nullable().optional().describe('Absent or null: until it is unmuted.'),
});

export const MessageVerdict = z.object({
  verdict: z
    .enum(['accepted', 'refused', 'unconfirmed'])
    .describe(
      "accepted: the agent's model has it. refused: nothing was typed. unconfirmed: it may have arrived; never repeated by Baton, and a later receipt is told by an event `message_verdict`.",
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Refused: command, starting, busy, dialog, draft, view, unknown, copy_mode, agent_gone, pane_gone, wrong_server, not_wanted or terminal_unavailable; an answer also: not_asked, other_question or terminal_only. Unconfirmed: how far it is known to have got: unknown, typed or submitted. Accepted: null.',
    ),
  sentence: z.string().describe('What happened, to which agent, and what to do next.'),
  ref: z.string().describe('Names this message in the event log.'),
});
export type MessageVerdict = z.infer<typeof MessageVerdict>;

/** `reason` accepts any value here: the domain validates it, after the agent (SPEC H1). */
export const TriggerHandoff = z.strictObject({
  reason: z.unknown().optional().describe('context_limit (if absent), shift_end or task_boundary.'),
  note: z.string().max(100_000).optional(),
  review: z.boolean().optional().describe('Wait for approval of the document before the agent is asked to exit.'),
  background: z
    .enum(['stop', 'keep'])
    .optional()
    .describe('What becomes of shells that the agent runs in the background: stop (default) ends them with it.'),
});

/** An emergency handoff of an agent that ended without a document. */
export const SucceedAgent = TriggerHandoff.omit({ review: true, background: true });

export const Nothing = z.strictObject({});
export const AdoptFile = z.strictObject({
  file: z.string().max(4096).describe("Absolute path, in the agent's project or its persona's handoffs folder."),
});

export const SendBack = z.strictObject({
  comment: z.string().max(100_000).describe('What is wrong with the document; the agent is told so.'),
});

export const HandoffInitiated = z.object({
  status: z.literal('initiated'),
  run_id: z.int(),
  background_shells: z
    .array(z.string())
    .optional()
    .describe('What the agent runs in the background, if anything: it ends with the agent unless it is kept.'),
});
export type HandoffInitiated = z.infer<typeof HandoffInitiated>;

export const Acknowledge = z.strictObject({
  proof: z.string().min(1).max(200).describe("The token in the document's last line."),
  task: z.string().trim().min(1).max(4000).describe('What you are going to do, in your own words.'),
});

/** Omitted settings stay unchanged; null resets a setting to its default. */
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
    .describe('Local times such as 22:00; null: none.'),
});

export const SaveTemplate = z.strictObject({
  text: z.string().max(20_000).nullable().describe("null: back to Baton's own wording."),
  based_on: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'The text that was edited: one that was changed meanwhile is not overwritten. Absent: whatever there is.',
    ),
});

export const Logout = z.strictObject({
  everywhere: z.boolean().default(false).describe('All pages, not only this one.'),
});
export const LoggedOut = z.object({ ended: z.int().describe('How many pages were logged out.') });

export const NewLoginCode = z.strictObject({
  host: z.string().max(300).optional().describe('One of the allowed_hosts; absent: this machine itself.'),
});

export const Login = z.strictObject({ code: z.string().max(200) });
export const LoggedIn = z.object({ token: z.string() });
