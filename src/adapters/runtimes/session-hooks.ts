import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ParsedHook, RawHook, UnboundFact } from '../../app/ports/agent-runtime.ts';
import type { SessionTold } from '../../app/ports/operator-hooks.ts';
import type { BackgroundTask } from '../../domain/agents/agent.ts';
import type { SessionSource } from '../../domain/facts.ts';
import { findRef } from '../../domain/handoffs/prompts/prompts.ts';
import { comparable, onOneLine, withoutControls } from '../../domain/plain-text.ts';

/** Number of input tokens of the last answer. */
const Usage = z.looseObject({
  input_tokens: z.number(),
  cache_creation_input_tokens: z.number().default(0),
  cache_read_input_tokens: z.number().default(0),
});

/**
 * The hook dialect that several agent CLIs share: one JSON object per event with `session_id`, `hook_event_name` and
 * often `prompt_id`. Unknown fields are ignored and missing ones accepted, so that a new version of a client does not
 * break Baton.
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
  message: z.string().optional(),
  notification_type: z.string().optional(),
  error: z.string().optional(),
  last_assistant_message: z.string().optional(),
  background_tasks: z.array(z.unknown()).optional(),
  trigger: z.string().optional(),
  compact_summary: z.string().optional(),
  reason: z.string().optional(),
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

/** The output of a SessionStart hook that adds this text to the session's context. */
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

/** Reports the permission mode twice a turn, which is enough, because only a key press of the operator changes it. */
const modeOf = (event: string, { permission_mode: mode }: Payload): readonly UnboundFact[] =>
  mode !== undefined && (event === 'UserPromptSubmit' || event === 'Stop')
    ? [{ type: 'permission_mode_seen', mode }]
    : [];

function factsOf(event: string, payload: Payload): readonly UnboundFact[] {
  const promptId = payload.prompt_id ?? null;
  switch (event) {
    case 'SessionStart':
      return [sessionStarted(payload)];
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
        },
      ];
    case 'PermissionRequest':
      return [
        { type: 'input_requested', promptId, question: `asks permission to use ${payload.tool_name ?? 'a tool'}` },
      ];
    case 'Notification':
      return notified(payload, promptId);
    case 'Stop':
      return [{ type: 'turn_ended', promptId, ...leftRunning(payload.background_tasks ?? []) }];
    case 'StopFailure':
      return [
        {
          type: 'turn_failed',
          promptId,
          error: (payload.last_assistant_message ?? payload.error ?? 'unknown').slice(0, MAX_EXCERPT),
        },
      ];
    case 'PreCompact':
      return [{ type: 'compaction_started', trigger: payload.trigger ?? 'unknown' }];
    case 'PostCompact':
      return [compactionEnded(payload)];
    case 'SessionEnd':
      return [{ type: 'session_ended', reason: payload.reason ?? 'unknown' }];
    case 'StatusLine':
      return contextMeasured(payload);
    default:
      return [];
  }
}

const Task = z.looseObject({
  type: z.string(),
  command: z.string().optional(),
  description: z.string().optional(),
});
const MAX_TASK = 160;
const MAX_TASKS = 20;

/** Treats every task that is not a shell as a subagent, whose work ends by itself and is worth waiting for. */
function leftRunning(tasks: readonly unknown[]) {
  const background = tasks.slice(0, MAX_TASKS).map((task): BackgroundTask => {
    const { type, command, description } = Task.safeParse(task).data ?? { type: 'unknown' };
    const what = onOneLine(command ?? description ?? type).slice(0, MAX_TASK);
    return { kind: type === 'shell' ? 'shell' : 'subagent', what };
  });
  return { backgroundTasks: tasks.length, ...(tasks.length === 0 ? {} : { background }) };
}

/**
 * The client sends a notification seconds after its cause. `idle_prompt` matters if the Stop hook was lost or never
 * fired.
 */
function notified(payload: Payload, promptId: string | null): readonly UnboundFact[] {
  if (payload.notification_type === 'idle_prompt') return [{ type: 'agent_said_idle', promptId }];
  if (payload.notification_type !== 'permission_prompt') return [];
  const question = (payload.message ?? 'asks for permission').slice(0, MAX_EXCERPT);
  return [{ type: 'input_requested', promptId, question }];
}

/**
 * The client's summary of the compacted conversation. Comparing it with a handoff document shows what the document may
 * lack.
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

/** Claude Code 2.0 reports no percentage, and its `total_input_tokens` counts the whole session. */
function contextOfLastAnswer({ context_window_size: size, current_usage: usage }: Window): readonly UnboundFact[] {
  if (typeof size !== 'number' || size <= 0 || !usage) return [];
  const usedTokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const usedPercent = Math.min(100, Math.round((100 * usedTokens) / size));
  return [{ type: 'context_measured', usedPercent, usedTokens, windowTokens: size }];
}

/** The report of an external session contains its id and its folder, never the conversation. */
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
