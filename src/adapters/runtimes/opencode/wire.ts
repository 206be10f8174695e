import { z } from 'zod';

/**
 * The parts of opencode's API that Baton reads (measured with 1.18.33). Unknown fields are ignored and missing fields
 * are accepted, so that a new version of opencode does not break Baton.
 */
const Tokens = z.looseObject({
  total: z.number().optional(),
  input: z.number().default(0),
  output: z.number().default(0),
  reasoning: z.number().default(0),
  cache: z.looseObject({ read: z.number().default(0), write: z.number().default(0) }).default({ read: 0, write: 0 }),
});
export type Tokens = z.infer<typeof Tokens>;

const Failure = z.looseObject({
  name: z.string(),
  data: z.looseObject({ message: z.string().optional(), statusCode: z.number().optional() }).optional(),
});
export type Failure = z.infer<typeof Failure>;

export const MessageInfo = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  role: z.enum(['user', 'assistant']),
  parentID: z.string().optional(),
  providerID: z.string().optional(),
  modelID: z.string().optional(),
  /** Set on the answer that summarizes the conversation in a compaction. */
  summary: z.unknown().optional(),
  finish: z.string().optional(),
  tokens: Tokens.optional().catch(undefined),
  cost: z.number().optional().catch(undefined),
  error: Failure.optional().catch(undefined),
  time: z.looseObject({ created: z.number().optional(), completed: z.number().optional() }).optional(),
});
export type MessageInfo = z.infer<typeof MessageInfo>;

export const Part = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  messageID: z.string(),
  type: z.string(),
  text: z.string().optional(),
  synthetic: z.boolean().optional(),
  tool: z.string().optional(),
  callID: z.string().optional(),
  auto: z.boolean().optional(),
  state: z.looseObject({ status: z.string(), input: z.unknown().optional() }).optional(),
});
export type Part = z.infer<typeof Part>;

const Message = z.looseObject({ info: MessageInfo, parts: z.array(Part.nullable().catch(null)) });
export type Message = z.infer<typeof Message>;

/**
 * Tells a shell command of the operator (true) from a subagent that the operator starts (false). opencode stores both
 * as tool uses: the subagent as a use of the tool `task`, and the shell command as a use of another tool.
 */
export const isOwnTool = (tool: string | undefined): boolean => tool !== 'task';

/**
 * True for the answer in which opencode stores a shell command of the operator, such as `!ls`. opencode never marks
 * this answer as finished. Unlike an interrupted answer of the model, it contains a tool use but no part `step-start`.
 */
export const isOwnCommand = ({ info, parts }: Message): boolean =>
  info.finish === undefined &&
  info.error === undefined &&
  parts.some((part) => part?.type === 'tool' && isOwnTool(part.tool)) &&
  !parts.some((part) => part?.type === 'step-start');

export const Messages = z.array(Message.nullable().catch(null));

/**
 * For this long after a prompt, a session without a status still counts as busy. The server stores a prompt some
 * hundred milliseconds before it sets the status (measured).
 */
const BEGINS_MS = 10_000;

/** True if the last message is a recent prompt that the server has not begun to work on. */
export function beginsSoon(messages: readonly (Message | null)[], nowMs: number = Date.now()): boolean {
  const last = messages.findLast((message) => message !== null);
  if (last?.info.role !== 'user' || last.parts.every((part) => part?.synthetic === true)) return false;
  return nowMs - (last.info.time?.created ?? 0) < BEGINS_MS;
}

/** The status of a session. If the server lists no status for a session, the session is idle. */
export const SessionStatus = z.looseObject({
  type: z.string(),
  message: z.string().optional(),
  /** The time of opencode's next attempt after a failed request, in milliseconds since the epoch. */
  next: z.number().optional(),
  attempt: z.number().optional(),
  action: z.looseObject({ reason: z.string().optional() }).optional().catch(undefined),
});
export type SessionStatus = z.infer<typeof SessionStatus>;
export const Statuses = z.record(z.string(), SessionStatus);

/** A permission request or a question of the `question` tool. */
export const Asked = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  permission: z.string().optional(),
  patterns: z.array(z.string()).optional(),
  questions: z
    .array(
      z.looseObject({
        question: z.string(),
        multiple: z.boolean().optional(),
        options: z.array(z.looseObject({ label: z.string() })).optional(),
      }),
    )
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  tool: z.looseObject({ callID: z.string() }).optional(),
});
export type Asked = z.infer<typeof Asked>;
export const AllAsked = z.array(Asked.nullable().catch(null));

export const Session = z.looseObject({ id: z.string().regex(/^ses_\w+$/), parentID: z.string().optional() });

export const ServerEvent = z.looseObject({
  type: z.string(),
  properties: z.looseObject({ sessionID: z.string().optional() }).default({}),
});
export type ServerEvent = z.infer<typeof ServerEvent>;

/** Models with their limits, from `GET /config/providers`. */
export const Providers = z.looseObject({
  providers: z.array(
    z.looseObject({
      id: z.string(),
      models: z.record(
        z.string(),
        z.looseObject({
          limit: z
            .looseObject({ context: z.number(), input: z.number().optional(), output: z.number().optional() })
            .optional()
            .catch(undefined),
        }),
      ),
    }),
  ),
});

/** The operator's settings for compaction, from `GET /config`. */
export const Config = z.looseObject({
  compaction: z
    .looseObject({ auto: z.boolean().optional(), reserved: z.number().optional() })
    .optional()
    .catch(undefined),
});
export type Config = z.infer<typeof Config>;

/** Returns the agent's question or request in one sentence. */
export function questionIn({ permission, patterns, questions }: Asked): string {
  if (questions?.[0] !== undefined) return `asks: ${questions[0].question}`;
  const about = patterns?.length ? `: ${patterns.join(', ')}` : '';
  return `asks permission to use ${permission ?? 'a tool'}${about}`.slice(0, 500);
}

export const textOfFailure = ({ name, data }: Failure): string => data?.message ?? name;
