import type {
  ClientControl,
  ControlledSession,
  ControlStatus,
  GivenChoice,
  TurnEnd,
} from '../../../app/ports/client-control.ts';
import type { DeliveryOutcome } from '../../../app/ports/terminal.ts';
import { isMessageNamed, newMessageId } from './message-id.ts';
import { type Address, type Api, ApiRefusal, addressIn, createApi } from './opencode-api.ts';
import { limitInFailure, limitInRetry } from './usage-limit.ts';
import {
  AllAsked,
  type Asked,
  beginsSoon,
  isOwnCommand,
  type MessageInfo,
  Messages,
  questionIn,
  Statuses,
  textOfFailure,
} from './wire.ts';

/**
 * How long Baton waits for the status. The server usually answers within some milliseconds, and within some hundred
 * milliseconds on a loaded machine.
 */
const STATUS_MS = 1_500;
const SUBMIT_MS = 15_000;
/** How many of the newest messages Baton reads, to find the end of a turn, or a prompt that Baton has already sent. */
const LATEST = 20;

/** The answers to a permission request, in the order in which the screen shows the options. */
const REPLIES = ['once', 'always', 'reject'] as const;

const unconfirmed = (detail: string): DeliveryOutcome => ({ verdict: 'unconfirmed', detail });

/**
 * Creates the control API for opencode agents. The agent's host has started opencode's server on loopback with a
 * password.
 */
export function createOpencodeControl(): ClientControl {
  return {
    readStatus: async (session) => {
      const found = apiOf(session);
      return found && (await statusOf(found.api, found.sessionId).catch(() => undefined));
    },
    submit: async (session, prompt) => {
      const found = apiOf(session);
      if (found === undefined) return refused("the agent's opencode server has no address");
      return submit(found.api, found.sessionId, prompt);
    },
    interrupt: async (session) => {
      const found = apiOf(session);
      if (found === undefined) return "the agent's opencode server has no address";
      await found.api.send('POST', `/session/${found.sessionId}/abort`, {}, SUBMIT_MS);
      return undefined;
    },
    answer: async (session, given) => {
      const found = apiOf(session);
      return found === undefined ? refused("the agent's opencode server has no address") : answer(found.api, given);
    },
  };
}

function apiOf({ agentFolder, sessionId }: ControlledSession): { api: Api; sessionId: string } | undefined {
  const address: Address | undefined = sessionId === null ? undefined : addressIn(agentFolder);
  return address === undefined || sessionId === null ? undefined : { api: createApi(address), sessionId };
}

/**
 * Reads the status of the agent's session. A session without a status is idle. While the agent asks something, the
 * session is still busy, so Baton also reads the open questions. Questions of subagents count, because the operator
 * must answer them too.
 */
async function statusOf(api: Api, sessionId: string): Promise<ControlStatus> {
  const [statuses, permissions, questions, messages] = await Promise.all([
    api.get('/session/status', STATUS_MS).then((body) => Statuses.parse(body)),
    api.get('/permission', STATUS_MS).then((body) => AllAsked.parse(body)),
    // Older versions of opencode have no question tool, so their servers do not know the path `/question`.
    api.get('/question', STATUS_MS).then((body) => AllAsked.parse(body), isMissing),
    api.get(`/session/${sessionId}/message?limit=${LATEST}`, STATUS_MS).then((body) => Messages.parse(body)),
  ]);
  const status = statuses[sessionId];
  const [asked] = [...permissions, ...questions].filter((each) => each !== null);
  if (asked !== undefined) return { status: 'waiting', waitingFor: questionIn(asked) };
  if (status?.type === 'retry') {
    const limit = limitInRetry(status);
    return { status: 'retrying', ...doing(status.message), ...(limit === undefined ? {} : { limit }) };
  }
  if (status !== undefined && status.type !== 'idle') return { status: 'busy' };
  if (beginsSoon(messages)) return { status: 'busy' };
  const infos = messages.flatMap((message) => (message === null || isOwnCommand(message) ? [] : [message.info]));
  const lastTurn = turnEnd(infos);
  return { status: 'idle', ...(lastTurn === undefined ? {} : { lastTurn }) };
}

/**
 * Answers the question that is on the screen. Finds the open request whose command, file, pattern or wording is on the
 * screen. Line breaks of the screen are ignored.
 */
async function answer(api: Api, { question, choice }: GivenChoice): Promise<DeliveryOutcome> {
  const shown = bare(question);
  const isShown = (asked: Asked | null): asked is Asked =>
    asked !== null && describing(asked).some((text) => shown.includes(bare(text)));
  const permissions = AllAsked.parse(await api.get('/permission', STATUS_MS)).filter(isShown);
  const questions = AllAsked.parse(await api.get('/question', STATUS_MS).catch(isMissing)).filter(isShown);
  const [request] = [...permissions, ...questions];
  const reply = request && replyTo(request, choice);
  if (reply === undefined || permissions.length + questions.length > 1)
    return {
      verdict: 'refused',
      reason: 'other_question',
      detail: "the agent's opencode server does not have exactly this question open",
    };
  try {
    await api.send('POST', reply.path, reply.body, SUBMIT_MS);
    return { verdict: 'typed', enters: 0, by: 'api' };
  } catch (error) {
    if (error instanceof ApiRefusal) return { verdict: 'refused', reason: 'not_asked', detail: error.message };
    return unconfirmed(`the agent's opencode server did not answer: ${(error as Error).message}`);
  }
}

/**
 * If there are several questions at once, or a question takes several answers, the operator must answer in the
 * terminal.
 */
function replyTo({ id, questions }: Asked, choice: number): { path: string; body: object } | undefined {
  if (questions === undefined) {
    const reply = REPLIES[choice - 1];
    return reply && { path: `/permission/${id}/reply`, body: { reply } };
  }
  const [only, more] = questions;
  const label = only?.options?.[choice - 1]?.label;
  if (label === undefined || more !== undefined || only?.multiple === true) return undefined;
  return { path: `/question/${id}/reply`, body: { answers: [[label]] } };
}

const bare = (text: string): string => text.replace(/\s+/g, '');

const describing = ({ permission, patterns = [], metadata = {}, questions = [] }: Asked): readonly string[] =>
  [
    metadata.command,
    metadata.filepath,
    ...patterns,
    permission && `Tool: ${permission}`,
    ...questions.map((each) => each.question),
  ].filter((text): text is string => typeof text === 'string' && text.trim() !== '');

const doing = (message: string | undefined) => (message ? { doing: message.slice(0, 300) } : {});

function isMissing(error: unknown): [] {
  if (error instanceof ApiRefusal && error.status === 404) return [];
  throw error;
}

const ABORTED = 'MessageAbortedError';

/** Returns how the last turn ended. The id of a turn is the id of its prompt, as in the hooks. */
function turnEnd(infos: readonly MessageInfo[]): TurnEnd | undefined {
  const last = infos.findLast(({ role, summary }) => role === 'assistant' && summary !== true);
  if (last?.parentID === undefined) return undefined;
  if (last.error === undefined && last.finish !== undefined) return { id: last.parentID, outcome: 'completed' };
  // Treat an answer without an end and without an error as interrupted. After a failed request, opencode waits before
  // its next attempt. If the turn is interrupted during this wait, the answer gets neither an end nor an error.
  if (last.error === undefined || last.error.name === ABORTED) return { id: last.parentID, outcome: 'interrupted' };
  const error = textOfFailure(last.error).slice(0, 500);
  const limit = limitInFailure(error);
  return { id: last.parentID, outcome: 'failed', error, ...(limit === undefined ? {} : { limit }) };
}

const refused = (detail: string): DeliveryOutcome => ({ verdict: 'refused', reason: 'busy', detail });

/**
 * Submits a prompt. The message id depends on the id of the delivery, so Baton can find the prompt in the conversation.
 * The prompt counts as submitted once the server has it in the conversation.
 */
async function submit(
  api: Api,
  sessionId: string,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<DeliveryOutcome> {
  const isThere = async (): Promise<boolean> => {
    const found = Messages.parse(await api.get(`/session/${sessionId}/message?limit=${LATEST}`, SUBMIT_MS));
    return found.some((message) => message !== null && isMessageNamed(message.info.id, id));
  };
  try {
    if (await isThere()) return { verdict: 'typed', enters: 0 };
    // Make the terminal show the session that gets the prompt. The terminal may show another session, or no session
    // after `/new`. A draft in the composer stays unchanged.
    await api.send('POST', '/tui/select-session', { sessionID: sessionId }, STATUS_MS).catch(() => undefined);
  } catch (error) {
    return refused(`the agent's opencode server did not answer: ${(error as Error).message}`);
  }
  const body = { messageID: newMessageId(id), parts: [{ type: 'text', text }] };
  try {
    await api.send('POST', `/session/${sessionId}/prompt_async`, body, SUBMIT_MS);
    return { verdict: 'typed', enters: 0 };
  } catch (error) {
    if (error instanceof ApiRefusal) return refused(error.message);
    const arrived = await isThere().catch(() => false);
    return arrived
      ? { verdict: 'typed', enters: 0 }
      : unconfirmed(`the agent's opencode server did not answer: ${(error as Error).message}`);
  }
}
