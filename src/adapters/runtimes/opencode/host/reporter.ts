import { compactionPoint, type ModelLimit, tokensIn } from '../context-limit.ts';
import {
  Asked,
  type Config,
  type Failure,
  isOwnTool,
  MessageInfo,
  Part,
  questionIn,
  type ServerEvent,
  Session,
  SessionStatus,
  type Tokens,
  textOfFailure,
} from '../wire.ts';

/** A hook event to report to Baton, in the format of session-hooks.ts. */
export interface Report {
  readonly hook: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A line of the transcript, in the format of transcript.ts. */
export type Line = Readonly<Record<string, unknown>>;

export interface Taken {
  readonly reports: readonly Report[];
  readonly lines: readonly Line[];
  /** The session in which the operator continued, for example after `/new`; undefined if the session is unchanged. */
  readonly movedTo?: string;
}

export interface ReporterOptions {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** Messages that the host itself added, such as the skill. These messages are not prompts. */
  readonly isOwnMessage: (messageId: string) => boolean;
  readonly limitOf: (providerId: string, modelId: string) => ModelLimit | undefined;
  readonly config: () => Config;
}

const ABORTED = 'MessageAbortedError';
const MAX_KNOWN = 5_000;

/**
 * Turns the events of opencode's server into hook events and transcript lines for one agent. Reports only the session
 * in the agent's terminal. Sessions of subagents have a parent and are ignored, except for their questions, which the
 * operator must answer.
 */
export class Reporter {
  private readonly options: ReporterOptions;
  private sessionId: string;
  private promptId: string | undefined;
  private isBusy = false;
  private failure: Failure | undefined;
  /**
   * True if opencode has stored neither a finish nor an error for the last answer of this turn, for example after an
   * interruption.
   */
  private isUnfinished = false;
  /** The ids of answers with a part `step-start`. The answer to the operator's own shell command has no such part. */
  private readonly stepped = new Map<string, true>();
  /**
   * The answer in which opencode stores the operator's last shell command. opencode never marks this answer as
   * finished.
   */
  private ownCommandId = '';
  private summaryId = '';
  private summary = '';
  /** The questions that the agent has asked and nobody has answered yet, by question id. */
  private readonly open = new Map<string, Asked>();
  private readonly parents = new Map<string, string>();
  private readonly roles = new Map<string, MessageInfo['role']>();
  private readonly said = new Set<string>();
  /**
   * For each answer, identified by its times, tokens and cost, the id of the first message that contained the answer. A
   * fork of a session copies the answer into a message with a new id.
   */
  private readonly counted = new Map<string, string>();

  constructor(options: ReporterOptions) {
    this.options = options;
    this.sessionId = options.sessionId;
  }

  get current(): { readonly sessionId: string; readonly isBusy: boolean } {
    return { sessionId: this.sessionId, isBusy: this.isBusy };
  }

  take({ type, properties }: ServerEvent): Taken {
    switch (type) {
      case 'session.created':
      case 'session.updated':
        this.learnParent(properties.info);
        return NONE;
      case 'message.updated':
        return this.message(properties.info);
      case 'message.part.updated':
        return this.part(properties.part);
      case 'session.status':
        return this.status(properties.sessionID, properties.status);
      case 'session.idle':
        return this.status(properties.sessionID, { type: 'idle' });
      case 'session.error':
        if (properties.sessionID === this.sessionId) this.failure = properties.error as Failure | undefined;
        return NONE;
      case 'session.compacted':
        return properties.sessionID === this.sessionId ? this.compacted() : NONE;
      case 'permission.asked':
      case 'question.asked':
        return this.asked(properties);
      case 'permission.replied':
      case 'question.replied':
      case 'question.rejected':
        return this.answered(properties);
      default:
        return NONE;
    }
  }

  /** Called when the server has ended. Reports that the turn which the server was running has failed. */
  serverEnded(): Taken {
    if (!this.isBusy) return NONE;
    this.failure = { name: 'ServerEnded', data: { message: "the agent's opencode server ended during the turn" } };
    return this.status(this.sessionId, { type: 'idle' });
  }

  private compacted(): Taken {
    const summary = this.summary;
    this.summary = '';
    return this.report('PostCompact', summary === '' ? {} : { compact_summary: summary });
  }

  private learnParent(info: unknown): void {
    const { data } = Session.safeParse(info);
    if (data?.parentID !== undefined) remember(this.parents, data.id, data.parentID);
  }

  private message(given: unknown): Taken {
    const { data: info } = MessageInfo.safeParse(given);
    if (info === undefined || this.options.isOwnMessage(info.id)) return NONE;
    remember(this.roles, info.id, info.role);
    const { reports } = this.ownMessage(info);
    return { reports, lines: this.usageLines(info) };
  }

  /**
   * Returns the transcript line with the tokens of a finished answer. The answer may come from a subagent. A copy of an
   * answer in a fork of the session cost no tokens, so it gets no line.
   */
  private usageLines({ id, role, tokens, cost, time, finish, error }: MessageInfo): readonly Line[] {
    if (role !== 'assistant' || tokens === undefined || tokensIn(tokens) === 0) return [];
    const isOver = finish !== undefined || error !== undefined;
    if (!isOver || time?.created === undefined) return [];
    const used = `${tokensIn(tokens)}/${cost}`;
    if (time.completed !== undefined && this.isCopy(id, `${time.created}/${time.completed}/${used}`)) return [];
    if (!this.isNew(`usage/${id}/${used}`)) return [];
    const timestamp = new Date(time.created).toISOString();
    return [{ type: 'usage', uuid: `${id}/usage`, timestamp, message: { id, usage: usageOf(tokens), cost_usd: cost } }];
  }

  private isCopy(id: string, answer: string): boolean {
    if (!this.counted.has(answer)) remember(this.counted, answer, id);
    return this.counted.get(answer) !== id;
  }

  private ownMessage(info: MessageInfo): Taken {
    if (info.sessionID !== this.sessionId || info.role !== 'assistant') return NONE;
    if (info.error !== undefined) this.failure = info.error;
    this.isUnfinished = info.error === undefined && info.finish === undefined && info.id !== this.ownCommandId;
    if (info.summary === true) this.summaryId = info.id;
    return info.finish === undefined || info.summary === true ? NONE : this.use(info);
  }

  /** Reports the context use after an answer, measured against the point at which the client compacts. */
  private use({ id, tokens, providerID = '', modelID = '' }: MessageInfo): Taken {
    const limit = this.options.limitOf(providerID, modelID);
    const point = compactionPoint(limit, this.options.config());
    const used = tokens === undefined ? 0 : tokensIn(tokens);
    if (used === 0 || limit === undefined || point === undefined || !this.isNew(`use/${id}/${used}`)) return NONE;
    const percent = Math.min(100, Math.round((100 * used) / point));
    const context = {
      used_percentage: percent,
      total_input_tokens: used,
      context_window_size: limit.context,
    };
    return this.report('StatusLine', { context_window: context });
  }

  private part(given: unknown): Taken {
    const { data: part } = Part.safeParse(given);
    if (part === undefined || this.options.isOwnMessage(part.messageID)) return NONE;
    if (part.type === 'text') return this.text(part);
    if (part.sessionID !== this.sessionId) return NONE;
    if (part.type === 'step-start') remember(this.stepped, part.messageID, true);
    if (part.type === 'tool') return this.tool(part);
    if (part.type === 'compaction' && this.isNew(`compaction/${part.id}`))
      return this.report('PreCompact', { trigger: part.auto === false ? 'manual' : 'auto' });
    return NONE;
  }

  private text(part: Part): Taken {
    const { messageID, sessionID, text = '', synthetic } = part;
    if (this.roles.get(messageID) === 'user') {
      if (synthetic === true || text.trim() === '' || this.parents.has(sessionID)) return NONE;
      return this.isNew(`prompt/${messageID}`) ? this.prompt(part, text) : NONE;
    }
    const isWhole = (part.time as { end?: unknown } | undefined)?.end !== undefined;
    if (sessionID !== this.sessionId || !isWhole || text.trim() === '' || !this.isNew(`said/${part.id}`)) return NONE;
    if (messageID === this.summaryId) this.summary = text;
    return { reports: [], lines: [line('assistant', { content: [{ type: 'text', text }] }, part.id)] };
  }

  private prompt({ sessionID, messageID }: Part, prompt: string): Taken {
    const moved = sessionID === this.sessionId ? {} : { movedTo: sessionID };
    const started = sessionID === this.sessionId ? [] : this.moveTo(sessionID);
    this.promptId = messageID;
    this.failure = undefined;
    this.isUnfinished = false;
    this.isBusy = true;
    const lines = [line('user', { role: 'user', content: prompt }, messageID)];
    return { ...moved, reports: [...started, ...this.report('UserPromptSubmit', { prompt }).reports], lines };
  }

  private moveTo(sessionId: string): readonly Report[] {
    this.sessionId = sessionId;
    this.promptId = undefined;
    return this.report('SessionStart', { source: 'clear' }).reports;
  }

  private tool({ messageID, callID, tool, state }: Part): Taken {
    if (isOwnTool(tool) && !this.stepped.has(messageID)) {
      this.ownCommandId = messageID;
      this.isUnfinished = false;
    }
    const payload = { tool_name: tool, tool_use_id: callID };
    if (state?.status === 'running' && this.isNew(`tool/${callID}`)) {
      this.isBusy = true;
      // If the tool still waits for the operator's permission, report its start only after the operator's answer.
      const isAsked = [...this.open.values()].some((asked) => asked.tool?.callID === callID);
      return isAsked ? NONE : this.report('PreToolUse', payload);
    }
    const isOver = state?.status === 'completed' || state?.status === 'error';
    if (!isOver || !this.isNew(`tool/${callID}/over`)) return NONE;
    const uses = state.status === 'completed' ? recordedUses(tool, state.input) : [];
    const lines = uses.length === 0 ? [] : [line('assistant', { content: uses }, `${callID}/use`)];
    return { ...this.report('PostToolUse', payload), lines };
  }

  private status(sessionId: string | undefined, given: unknown): Taken {
    const { data: status } = SessionStatus.safeParse(given);
    if (status === undefined || sessionId !== this.sessionId) return NONE;
    if (status.type !== 'idle') {
      this.isBusy = true;
      return NONE;
    }
    // Ignore a repeated report: after an interruption the server reports twice that the session is idle.
    if (!this.isBusy) return NONE;
    this.isBusy = false;
    // Treat an unfinished answer without an error as interrupted. After a failed request, opencode waits before its
    // next attempt. If the turn is interrupted during this wait, opencode never finishes the answer.
    const failure = this.failure ?? (this.isUnfinished ? { name: ABORTED } : undefined);
    this.failure = undefined;
    this.isUnfinished = false;
    this.open.clear();
    if (failure === undefined) return this.report('Stop', {});
    const text = textOfFailure(failure);
    if (failure.name !== ABORTED)
      return this.report('StopFailure', { error: failure.name, last_assistant_message: text });
    const content = '[Request interrupted by user]';
    return { reports: [], lines: [line('user', { role: 'user', content }, `${this.promptId}/interrupted`)] };
  }

  private asked(given: unknown): Taken {
    const { data: asked } = Asked.safeParse(given);
    if (asked === undefined || this.rootOf(asked.sessionID) !== this.sessionId || !this.isNew(`asked/${asked.id}`))
      return NONE;
    this.isBusy = true;
    this.open.set(asked.id, asked);
    const message = questionIn(asked);
    return this.report('Notification', { notification_type: 'permission_prompt', message });
  }

  /**
   * Reports that the agent continues after the operator's answer. The server sends no other event about this while the
   * tool runs.
   */
  private answered({ sessionID = '', requestID }: { sessionID?: string | undefined; requestID?: unknown }): Taken {
    const asked = this.open.get(String(requestID));
    this.open.delete(String(requestID));
    if (this.rootOf(sessionID) !== this.sessionId || !this.isNew(`answered/${String(requestID)}`)) return NONE;
    return this.report('PreToolUse', { tool_name: asked?.permission ?? 'a tool', tool_use_id: String(requestID) });
  }

  private rootOf(sessionId: string): string {
    let root = sessionId;
    for (let depth = 0; depth < 10; depth++) {
      const parent = this.parents.get(root);
      if (parent === undefined) return root;
      root = parent;
    }
    return root;
  }

  private isNew(key: string): boolean {
    if (this.said.has(key)) return false;
    if (this.said.size >= MAX_KNOWN) this.said.clear();
    this.said.add(key);
    return true;
  }

  private report(hook: string, payload: Record<string, unknown>): Taken {
    const common = {
      session_id: this.sessionId,
      transcript_path: this.options.transcriptPath,
      ...(this.promptId === undefined ? {} : { prompt_id: this.promptId }),
    };
    return { reports: [{ hook, payload: { ...common, hook_event_name: hook, ...payload } }], lines: [] };
  }
}

const NONE: Taken = { reports: [], lines: [] };

/** Returns the counts in the format of the transcript. Reasoning tokens count as output, and `total` includes them. */
function usageOf({ total, input, output, reasoning, cache }: Tokens): object {
  const besides = input + cache.read + cache.write;
  return {
    input_tokens: input,
    output_tokens: total === undefined ? output + reasoning : Math.max(output, total - besides),
    cache_read_input_tokens: cache.read,
    cache_creation_input_tokens: cache.write,
  };
}

/**
 * Returns the tool uses to record in the transcript, in the format of recall.ts: the files that a tool wrote, and the
 * agent's plan. Other tools are not recorded.
 */
function recordedUses(tool: string | undefined, given: unknown): readonly object[] {
  const { filePath, patchText, todos } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const use = (name: string, input: object): object => ({ type: 'tool_use', name, input });
  if (tool === 'todowrite') return [use('TodoWrite', { todos })];
  if (tool === 'write' || tool === 'edit') return [use('Write', { file_path: filePath })];
  if (tool !== 'apply_patch' && tool !== 'patch') return [];
  const files = String(patchText).matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$/gm);
  return [...files].map(([, path]) => use('Edit', { file_path: path }));
}

const line = (type: 'user' | 'assistant', message: object, uuid: string): Line => ({ type, uuid, message });

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_KNOWN) map.clear();
  map.set(key, value);
}
