import type { Agent } from '../../domain/agents/agent.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import { withoutEndMarker } from '../../domain/handoffs/document/document.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import type { Instant } from '../../domain/instant.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Lesson } from '../../domain/personas/lesson.ts';
import { decisionSections } from '../../domain/search/decision-sections.ts';
import { packageAnswers, packageDecisions, packageText } from '../../domain/search/package-texts.ts';
import type { NewSearchEntry } from '../../domain/search/search-entry.ts';
import { distinctWords, MAX_SEARCHED } from '../../domain/search/search-words.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

type Redact = Pick<Ports, 'secrets'>;

interface Told {
  readonly event: LoggedEvent;
  readonly agent: Agent;
  /** The text of the handoff document that the event is about; undefined if it could not be read. */
  readonly document: string | undefined;
}

type IndexRule = (tx: Tx, ports: Redact, told: Told) => void;

/** Makes the texts of an event findable, in the transaction that logs the event. */
export function indexEvent(tx: Tx, ports: Redact, event: LoggedEvent, document?: string): void {
  const agent = event.agentId === null ? undefined : tx.agentById(event.agentId);
  if (agent !== undefined) RULES[event.type]?.(tx, ports, { event, agent, document });
}

const RULES: Readonly<Record<string, IndexRule>> = {
  message_begun: (tx, ports, { agent, event: { at, data } }) => {
    const ref = String(data.ref);
    indexPrompt(tx, ports, agent, { ref, text: tx.promptText(ref)?.text, at });
  },
  prompt_submitted: (tx, ports, { agent, event }) => {
    const { seq, at, data } = event;
    if (data.ref === null && !isMessage(tx, event))
      indexPrompt(tx, ports, agent, { ref: `event-${seq}`, text: textIn(data.excerpt), at });
  },
  answer_begun: (tx, ports, { agent, event }) => indexAnswer(tx, ports, agent, event),
  operator_chose: (tx, ports, { agent, event: { seq, at, runId, data } }) => {
    if (typeof data.comment !== 'string') return;
    const about = { ...ofAgent(agent, at), key: `choice/${seq}`, runId };
    if (data.action === 'send_back')
      indexText(tx, ports, { ...about, kind: 'decision', text: `The document was sent back: ${data.comment}` });
    else indexText(tx, ports, { ...about, kind: 'prompt', text: data.comment });
  },
  document_checked: (tx, ports, { agent, event: { seq, at, runId, data }, document }) => {
    const run = runId === null ? undefined : tx.runById(runId);
    // Do not index a document that is no longer the current document of its run.
    const sha256 = (data.result as { sha256?: unknown } | undefined)?.sha256;
    if (run === undefined || sha256 === undefined || run.document?.sha256 !== sha256) return;
    if (document === undefined) tx.saveSearchBacklog({ next: seq, last: seq });
    else indexDocument(tx, ports, { agent, run, at }, document);
  },
};

/**
 * The types of events from which Baton can fill the search index later. For an event `package_created`, Baton indexes
 * all texts that the package has at that later time.
 */
export const INDEXED_EVENTS: readonly string[] = [...Object.keys(RULES), 'package_created'];

/**
 * Returns whether a prompt is a message that Baton typed. Baton has already indexed the whole text of such a message,
 * so it does not index the hook that reports the prompt.
 */
const isMessage = (tx: Tx, { agentId, data }: LoggedEvent): boolean =>
  tx
    .latestEventsOf(agentId ?? 0, ['message_begun'], MANY)
    .some(({ data: message }) => message.textHash === data.textHash);

const MANY = 50;

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function indexPrompt(
  tx: Tx,
  ports: Redact,
  agent: Agent,
  { ref, text, at }: { readonly ref: string; readonly text: string | undefined; readonly at: Instant },
): void {
  if (text !== undefined) indexText(tx, ports, { ...ofAgent(agent, at), kind: 'prompt', key: `prompt/${ref}`, text });
}

function indexAnswer(tx: Tx, ports: Redact, agent: Agent, { at, data }: LoggedEvent): void {
  const question = agent.question?.id === data.questionId ? agent.question : null;
  const chosen = question?.options.find(({ number }) => number === data.said)?.label;
  const said = textIn(data.said) ?? chosen;
  if (said === undefined) return;
  const text = question === null ? said : `${question.text}\n${said}`;
  indexText(tx, ports, { ...ofAgent(agent, at), kind: 'answer', key: `answer/${data.ref}`, text });
}

function indexDocument(
  tx: Tx,
  ports: Redact,
  { agent, run, at }: { readonly agent: Agent; readonly run: Run; readonly at: Instant },
  whole: string,
): void {
  const text = withoutEndMarker(whole);
  const sha256 = run.document?.sha256 ?? null;
  const about = { ...ofAgent(agent, at), runId: run.id };
  indexText(tx, ports, { ...about, kind: 'document', key: `document/${run.id}`, sha256, line: 1, text: null }, text);
  decisionSections(text.slice(0, MAX_SEARCHED)).forEach((section, index) => {
    const key = `decision/run-${run.id}/${index}`;
    indexText(tx, ports, { ...about, kind: 'decision', key, line: section.line, text: section.text });
  });
}

/** Makes a package, its decisions and its answers findable, in the transaction that saves the package. */
export function indexPackage(tx: Tx, ports: Redact, stored: StoredPackage): void {
  const { record, projectId, createdAt, senderAgentId, receiverAgentId } = stored;
  const personaIds = [senderAgentId, receiverAgentId].flatMap((id) => {
    const agent = id === null ? undefined : tx.agentById(id);
    return agent?.personaId == null ? [] : [agent.personaId];
  });
  const about = { ...NO_PLACE, personaIds, projectId, packageId: record.id };
  indexText(
    tx,
    ports,
    { ...about, kind: 'package', key: `package/${record.id}`, at: createdAt, text: null },
    packageText(stored),
  );
  for (const { id, text, at } of packageDecisions(stored))
    indexText(tx, ports, { ...about, kind: 'decision', key: `decision/${record.id}/${id}`, at, text });
  for (const { id, text, at } of packageAnswers(stored))
    indexText(tx, ports, { ...about, kind: 'answer', key: `answer/${record.id}/${id}`, at, text });
}

/**
 * Makes a lesson findable. A discarded lesson is removed from the search. A lesson of a purged agent is not indexed,
 * because no later purge would remove it.
 */
export function indexLesson(tx: Tx, ports: Redact, { id, state, personaId, runId, text, createdAt }: Lesson): void {
  const key = `lesson/${id}`;
  const run = tx.runById(runId);
  const agent = run && tx.agentById(run.agentId);
  if (state === 'discarded' || agent === undefined) tx.forgetText(key);
  else
    indexText(tx, ports, {
      ...ofAgent(agent, createdAt),
      personaIds: [personaId],
      kind: 'lesson',
      key,
      runId,
      text,
    });
}

const NO_PLACE = { agentId: null, runId: null, packageId: null, line: null, sha256: null } as const;

const ofAgent = ({ id, personaId, projectId }: Agent, at: Instant) => ({
  ...NO_PLACE,
  at,
  agentId: id,
  personaIds: personaId === null ? [] : [personaId],
  projectId,
});

/**
 * Makes one text findable, without its secrets. If the entry does not store its text itself, `whole` is the text to
 * index.
 */
export function indexText(tx: Tx, { secrets }: Redact, entry: NewSearchEntry, whole = entry.text ?? ''): void {
  const clean = secrets.redact(whole.slice(0, MAX_SEARCHED));
  tx.indexText(entry.text === null ? entry : { ...entry, text: clean }, distinctWords(clean));
}
