import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ParsedHook, RawHook, UnboundFact } from '../../app/ports/agent-runtime.ts';
import type { SessionTold } from '../../app/ports/operator-hooks.ts';
import type { BackgroundTask } from '../../domain/agents/agent.ts';
import type { SessionSource } from '../../domain/facts.ts';
import { findRef } from '../../domain/handoffs/prompts/prompts.ts';
import { comparable, onOneLine, withoutControls } from '../../domain/plain-text.ts';
import { microsFrom } from '../../domain/usage/usage.ts';

/** The input tokens of the last answer of the model, as the client reports them. */
const Usage = z.looseObject({
  input_tokens: z.number(),
  cache_creation_input_tokens: z.number().default(0),
  cache_read_input_tokens: z.number().default(0),
});

/**
 * The hook format that several agent CLIs share: one JSON object per event with `session_id`, `hook_event_name` and
 * often `prompt_id`. Unknown fields are ignored and missing fields are accepted, so that a new version of a client does
 * not break Baton.
 */
const Payload = z.looseObject({
  session_id: z.string().min(1).max(200),
  transcript_path: z.string().max(4096).optional(),
  prompt_id: z.string().max(200).optional(),
  permission_mode: z
    .string()
    .regex(/^[A-Za-z]{1,40}$/)
    .optional()
    .catch(undefined),
  source: z.string().optional(),
  prompt: z.string().optional(),
  tool_name: z.string().max(200).optional(),
  tool_use_id: z.string().max(200).optional(),
  tool_input: z.looseObject({}).optional().catch(undefined),
  message: z.string().optional(),
  notification_type: z.string().optional(),
  error: z.string().optional(),
  last_assistant_message: z.string().optional(),
  background_tasks: z.array(z.unknown()).optional(),
  trigger: z.string().optional(),
  compact_summary: z.string().optional(),
  reason: z.string().optional(),
  cost: z
    .looseObject({ total_cost_usd: z.number().nullish(), total_duration_ms: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
  context_window: z
    .looseObject({
      used_percentage: z.number().nullish(),
      total_input_tokens: z.number().nullish(),
      context_window_size: z.number().nullish(),
      current_usage: Usage.nullish().catch(null),
    })
    .optional(),
});
type Payload = z.infer<typeof Payload>;
type Window = NonNullable<Payload['context_window']>;

const MAX_EXCERPT = 500;
/**
 * The tools of all runtimes that change files: those of Claude Code and the practice agent, of Codex and of OpenCode.
 */
const EDITING_TOOLS: ReadonlySet<string> = new Set([
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit'],
  'apply_patch',
  ...['edit', 'write', 'patch', 'multiedit'],
]);
const NOTHING: ParsedHook = { sessionId: null, startedBy: null, facts: [] };

export const SESSION_HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
] as const;

/** Returns the output with which a SessionStart hook adds a text to the session's context. */
export const sessionStartOutput = (text: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } });

export function parseSessionHook({ event, payload }: RawHook): ParsedHook {
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) return NOTHING;
  const startedBy = event === 'SessionStart' ? sourceOf(parsed.data) : null;
  const { session_id: sessionId, transcript_path: transcriptPath } = parsed.data;
  const told = transcriptPath === undefined ? {} : { transcriptPath };
  return { sessionId, startedBy, ...told, facts: [...factsOf(event, parsed.data), ...modeOf(event, parsed.data)] };
}

/**
 * Reports the permission mode at the start and at the end of each turn. Between these two reports, only a key press of
 * the operator can change the mode.
 */
const modeOf = (event: string, { permission_mode: mode }: Payload): readonly UnboundFact[] =>
  mode !== undefined && (event === 'UserPromptSubmit' || event === 'Stop')
    ? [{ type: 'permission_mode_seen', mode }]
    : [];

const INTERRUPTED: UnboundFact = { type: 'agent_seen_idle', by: 'hooks', shows: 'interrupted' };

function factsOf(event: string, payload: Payload): readonly UnboundFact[] {
  const promptId = payload.prompt_id ?? null;
  switch (event) {
    case 'SessionStart':
      return [sessionStarted(payload)];
    case 'Interrupt':
      return [INTERRUPTED];
    case 'UserPromptSubmit':
      return [
        {
          type: 'prompt_submitted',
          promptId,
          ref: findRef(payload.prompt ?? ''),
          excerpt: withoutControls(payload.prompt ?? '').slice(0, MAX_EXCERPT),
          textHash: createHash('sha256')
            .update(comparable(payload.prompt ?? ''))
            .digest('hex'),
        },
      ];
    case 'PreToolUse':
    case 'PostToolUse':
      return [
        {
          type: 'tool_used',
          promptId,
          tool: payload.tool_name ?? 'a tool',
          phase: event === 'PreToolUse' ? 'began' : 'ended',
          ...(payload.tool_use_id === undefined ? {} : { useId: payload.tool_use_id }),
          ...(EDITING_TOOLS.has(payload.tool_name ?? '') ? { edits: true } : {}),
        },
      ];
    case 'PermissionRequest':
      return [{ type: 'input_requested', promptId, question: askedBy(payload) }];
    case 'Notification':
      return notified(payload, promptId);
    case 'Stop':
      return [{ type: 'turn_ended', promptId, ...leftRunning(payload.background_tasks ?? []) }];
    case 'StopFailure':
      return turnFailed(payload, promptId);
    case 'PreCompact':
      return [{ type: 'compaction_started', trigger: payload.trigger ?? 'unknown' }];
    case 'PostCompact':
      return [compactionEnded(payload)];
    case 'SessionEnd':
      return [{ type: 'session_ended', reason: payload.reason ?? 'unknown' }];
    case 'StatusLine':
      return [...contextMeasured(payload), ...costReported(payload)];
    default:
      return [];
  }
}

/** The kinds of error with which a client reports that a plan, a rate or a balance is used up (Claude Code 2.1.325). */
const LIMITS: ReadonlySet<string> = new Set(['rate_limit', 'billing_error']);

/** Returns the facts of a failed turn. The hook does not say when a usage limit ends, but the transcript may. */
function turnFailed({ error, last_assistant_message: said }: Payload, promptId: string | null): readonly UnboundFact[] {
  const words = withoutControls(said ?? error ?? 'unknown').slice(0, MAX_EXCERPT);
  const failed = { type: 'turn_failed', promptId, error: words } as const;
  if (error === undefined || !LIMITS.has(error)) return [failed];
  return [{ type: 'usage_limit_hit', words, until: null, continuesItself: false }, failed];
}

/** The input of the AskUserQuestion tool. The client reports the dialog of this tool as a permission dialog. */
const Asked = z.looseObject({ questions: z.tuple([z.looseObject({ question: z.string().min(1) })], z.unknown()) });
/** The fields of a tool's input that say what the tool would do, the most informative one first. */
const TELLING = ['command', 'file_path', 'notebook_path', 'url', 'path', 'query', 'pattern'] as const;
const MAX_ASKED = 300;

/**
 * Returns the agent's question in words. The text names the command or file, because the operator may read nothing
 * else.
 */
function askedBy({ tool_name: tool = 'a tool', tool_input: input = {} }: Payload): string {
  const asked = Asked.safeParse(input);
  if (asked.success) return shortLine(asked.data.questions[0].question);
  const subject = TELLING.map((name) => input[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  return `asks permission to use ${tool}${typeof subject === 'string' ? `: ${shortLine(subject)}` : ''}`;
}

function shortLine(text: string): string {
  const line = onOneLine(text.replaceAll(/\s+/g, ' ')).trim();
  return line.length <= MAX_ASKED ? line : `${line.slice(0, MAX_ASKED - 1)}…`;
}

const Task = z.looseObject({
  type: z.string(),
  command: z.string().optional(),
  description: z.string().optional(),
});
const MAX_TASK = 160;
const MAX_TASKS = 20;

/**
 * Returns the background tasks of a turn. Every task that is not a shell counts as a subagent. Baton waits for
 * subagents, because they end by themselves.
 */
function leftRunning(tasks: readonly unknown[]) {
  const background = tasks.slice(0, MAX_TASKS).map((task): BackgroundTask => {
    const { type, command, description } = Task.safeParse(task).data ?? { type: 'unknown' };
    const what = onOneLine(command ?? description ?? type).slice(0, MAX_TASK);
    return { kind: type === 'shell' ? 'shell' : 'subagent', what };
  });
  return { backgroundTasks: tasks.length, ...(tasks.length === 0 ? {} : { background }) };
}

/**
 * Returns the facts that a notification reports. The client sends a notification some seconds after its cause.
 * `idle_prompt` is needed if the Stop hook was lost or never ran.
 */
function notified(payload: Payload, promptId: string | null): readonly UnboundFact[] {
  if (payload.notification_type === 'idle_prompt') return [{ type: 'agent_said_idle', promptId }];
  if (payload.notification_type === 'quota_auto_resume_fired') return [{ type: 'usage_limit_over', by: 'client' }];
  if (payload.notification_type !== 'permission_prompt') return [];
  const question = (payload.message ?? 'asks for permission').slice(0, MAX_EXCERPT);
  return [{ type: 'input_requested', promptId, question }];
}

/**
 * Returns the fact with the client's summary of the compacted conversation. The operator can compare this summary with
 * a handoff document, to see what the document lacks.
 */
function compactionEnded({ compact_summary: summary }: Payload): UnboundFact {
  return summary === undefined
    ? { type: 'compaction_ended' }
    : { type: 'compaction_ended', summary: withoutControls(summary).slice(0, MAX_SUMMARY) };
}

const MAX_SUMMARY = 4_000;

function sessionStarted(payload: Payload): UnboundFact {
  const { session_id: runtimeSessionId, transcript_path: transcriptPath } = payload;
  return {
    type: 'session_started',
    runtimeSessionId,
    source: sourceOf(payload),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
}

const SOURCES: readonly SessionSource[] = ['startup', 'resume', 'clear', 'compact'];

const sourceOf = (payload: Payload): SessionSource => SOURCES.find((source) => source === payload.source) ?? 'startup';

function contextMeasured({ context_window: use }: Payload): readonly UnboundFact[] {
  if (use === undefined) return [];
  if (typeof use.used_percentage !== 'number') return contextOfLastAnswer(use);
  return [
    {
      type: 'context_measured',
      usedPercent: Math.max(0, Math.min(100, use.used_percentage)),
      usedTokens: use.total_input_tokens ?? null,
      windowTokens: use.context_window_size ?? null,
    },
  ];
}

/**
 * Returns the running total of the cost that the client itself reports. This total covers requests that the transcript
 * does not contain, such as those for a compaction. The client also reports a total duration. After /clear and /branch,
 * Claude Code 2.1 sets both totals to zero, and 2.0 continues both. So a smaller duration, or a duration that began later,
 * shows that the cost began at zero again.
 */
function costReported({ session_id: session, cost }: Payload): readonly UnboundFact[] {
  const costMicros = microsFrom(cost?.total_cost_usd);
  const ageMs = cost?.total_duration_ms;
  const age = typeof ageMs === 'number' && ageMs >= 0 ? { ageMs } : {};
  return costMicros === null
    ? []
    : [{ type: 'usage_reported', source: 'client', session, tokens: null, costMicros, ...age }];
}

/**
 * Computes the context use from the last answer, because Claude Code 2.0 reports no percentage, and its
 * `total_input_tokens` counts the whole session.
 */
function contextOfLastAnswer({ context_window_size: size, current_usage: usage }: Window): readonly UnboundFact[] {
  if (typeof size !== 'number' || size <= 0 || !usage) return [];
  const usedTokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const usedPercent = Math.min(100, Math.round((100 * usedTokens) / size));
  return [{ type: 'context_measured', usedPercent, usedTokens, windowTokens: size }];
}

/** The report of an external session contains the session's id and folder, never the conversation. */
const ExternalSessionReport = z.looseObject({
  session_id: z.string().regex(/^[\w.:-]{1,200}$/),
  cwd: z.string().max(4096).optional(),
  transcript_path: z.string().max(4096).optional(),
});

const MOMENTS = { SessionStart: 'began', SessionEnd: 'ended' } as const;
const isMoment = (event: string): event is keyof typeof MOMENTS => Object.hasOwn(MOMENTS, event);

export function readSessionReport({ event, payload }: RawHook): SessionTold | undefined {
  const parsed = ExternalSessionReport.safeParse(payload);
  if (!parsed.success || !isMoment(event)) return undefined;
  const { session_id: sessionId, cwd, transcript_path: transcriptPath } = parsed.data;
  return {
    sessionId,
    moment: MOMENTS[event],
    folder: cwd === undefined ? null : onOneLine(cwd),
    transcriptPath: transcriptPath === undefined ? null : onOneLine(transcriptPath),
  };
}
