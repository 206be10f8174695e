import { z } from 'zod';

/** Request bodies. They are strict, so a misspelled field is reported and not ignored. */

export const RegisterPersona = z.strictObject({ role: z.string().max(200), name: z.string().max(200) });

/** Omitted fields stay unchanged. The slug never changes, because folders and records are named after it. */
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
      'The sha256 of the text that was edited, null if there was none. A text that changed meanwhile is not overwritten.',
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
    .describe("The persona's slug; null for an anonymous agent. Omitted: the project's default, if it has one."),
  runtime: z.string().max(60).default('practice'),
  client_args: z
    .array(z.string().max(4096))
    .max(50)
    .optional()
    .describe("Passed unchanged to the agent's program; inherited by successors."),
  worktree: z
    .string()
    .max(60)
    .optional()
    .describe(
      'Start it in its own git worktree, on the branch baton/<name>, based on the last commit. Empty: Baton chooses a name. Inherited by successors.',
    ),
});

export const ResumeAgent = z.strictObject({
  anyway: z.boolean().default(false).describe('Resume it even if a successor has taken over.'),
});

export const RestoreAgents = z.strictObject({
  dry_run: z.boolean().default(false).describe('Only report which agents would be resumed.'),
});

export const RemoveWorktree = z.strictObject({
  dry_run: z.boolean().default(false).describe('Only report what would be lost, and what prevents the removal.'),
  force: z
    .array(z.enum(['uncommitted', 'unmerged']))
    .default([])
    .describe('Work that may be lost: uncommitted changes; commits that are on no remaining branch.'),
  branch: z.boolean().default(false).describe('Also remove its branch.'),
});

export const StopAgent = z.strictObject({
  force: z.boolean().default(false).describe('End its pane instead of asking it to exit.'),
});

export const SendMessage = z.strictObject({ text: z.string().min(1).max(65_536) });

export const GivePersona = z.strictObject({
  persona: z.string().max(200).describe("The persona's slug."),
  replace: z.boolean().default(false).describe('Replace the persona that it has.'),
});

/** The operator's permission for Baton to read the session's screen, type into it and end it. */
export const AdoptCandidate = z.strictObject({
  persona: StartAgent.shape.persona,
  runtime: z.string().max(60).optional().describe('Required if sessions of two agent types have this id.'),
});

export const DefaultPersona = z.strictObject({
  persona: z.string().max(200).nullable().describe("The persona's slug; null for none."),
});

/** An answer is either a choice or a text. It is refused if the agent now shows another question. */
export const AnswerQuestion = z.strictObject({
  question: z.string().max(64).describe('The id of the question, as shown with the agent.'),
  choice: z.int().min(1).max(20).optional().describe('The number of the option.'),
  text: z.string().min(1).max(10_000).optional().describe('A text answer, if the question takes text.'),
});

export const MuteAgent = z.strictObject({
  until: z.iso.datetime({ offset: true }).nullable().optional().describe('Omitted or null: until it is unmuted.'),
});

export const MessageVerdict = z.object({
  verdict: z
    .enum(['accepted', 'refused', 'unconfirmed'])
    .describe(
      "accepted: the agent's model has it. refused: nothing was typed. unconfirmed: it may have arrived; Baton never repeats it, and reports a later receipt with an event `message_verdict`.",
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Refused: command, starting, busy, dialog, draft, view, unknown, copy_mode, agent_gone, pane_gone, wrong_server, not_wanted or terminal_unavailable; an answer also: not_asked, other_question or terminal_only. Unconfirmed: the last known stage: unknown, typed or submitted. Accepted: null.',
    ),
  sentence: z.string().describe('What happened, to which agent, and what to do next.'),
  ref: z.string().describe('Identifies this message in the event log.'),
});
export type MessageVerdict = z.infer<typeof MessageVerdict>;

/** `reason` accepts any value here, because the domain validates it after the agent's state (SPEC H1). */
export const TriggerHandoff = z.strictObject({
  reason: z.unknown().optional().describe('context_limit (default), shift_end or task_boundary.'),
  note: z.string().max(100_000).optional(),
  review: z.boolean().optional().describe('Wait for approval of the document before the agent is asked to exit.'),
  background: z
    .enum(['stop', 'keep'])
    .optional()
    .describe('Whether background shells of the agent are stopped with it (default) or kept.'),
});

/** An emergency handoff of an agent that ended without a document. */
export const SucceedAgent = TriggerHandoff.omit({ review: true, background: true });

export const Nothing = z.strictObject({});
export const AdoptFile = z.strictObject({
  file: z.string().max(4096).describe("Absolute path, in the agent's project or its persona's handoffs folder."),
});

export const SendBack = z.strictObject({
  comment: z.string().max(100_000).describe('What is wrong with the document; Baton sends this to the agent.'),
});

export const HandoffInitiated = z.object({
  status: z.literal('initiated'),
  run_id: z.int(),
  background_shells: z
    .array(z.string())
    .optional()
    .describe('Background tasks of the agent; they end with the agent unless they are kept.'),
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
  text: z.string().max(20_000).nullable().describe('null: restore the built-in text.'),
  based_on: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'The text that was edited. A text that changed meanwhile is not overwritten. Omitted: overwrite any text.',
    ),
});

export const Logout = z.strictObject({
  everywhere: z.boolean().default(false).describe('All pages, not only this one.'),
});
export const LoggedOut = z.object({ ended: z.int().describe('The number of pages that were logged out.') });

export const NewLoginCode = z.strictObject({
  host: z.string().max(300).optional().describe('One of the allowed_hosts; omitted: this machine itself.'),
});

export const Login = z.strictObject({ code: z.string().max(200) });
export const LoggedIn = z.object({ token: z.string() });
