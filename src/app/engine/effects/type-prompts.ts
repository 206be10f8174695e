import { lineageOf } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact, PromptPurpose, TypingOutcome } from '../../../domain/facts.ts';
import { handoffInstruction, nudgeText, primingMessage, withRef } from '../../../domain/handoffs/prompts/prompts.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import { typeable } from '../../../domain/plain-text.ts';
import { awaitNews } from '../../await-news.ts';
import { errorMessage } from '../../error-message.ts';
import { isSubmitted } from '../../messages/is-submitted.ts';
import { reservePromptText } from '../../messages/sent-prompts.ts';
import type { Ports } from '../../ports/index.ts';
import type { Delivery } from '../../ports/terminal.ts';
import { apiDelivery } from '../client/api-delivery.ts';
import { restDoubts } from '../client/client-status.ts';
import { recordFact } from '../record-facts.ts';
import { loadRunParticipants } from './load-run-participants.ts';
import { stillWanted } from './still-wanted.ts';

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

/**
 * How long Baton waits for a ready composer. If the composer is not ready by then, the prompt counts as refused, and
 * the domain decides whether to try again.
 */
const WAIT_READY_MS = 3_000;

export function typeInstruction(ports: Ports, effect: Of<'type_instruction'>): Promise<readonly Fact[]> {
  const { agentId, runId, ref } = effect;
  const { run, agent, persona, project } = loadRunParticipants(ports, runId);
  const text = handoffInstruction(run, { persona, projectName: project.name }, ref, {
    templates: ports.wording.current(),
    background: agent.background ?? [],
    points: ports.store.read((tx) => tx.openPoints(lineageOf(agent))),
  });
  return type(ports, agentId, {
    purpose: 'instruction',
    ref,
    runId,
    kind: 'prompt',
    text,
    stillWanted: () => stillWanted(ports, effect),
  });
}

export async function typeInjection(ports: Ports, effect: Of<'type_injection'>): Promise<readonly Fact[]> {
  const { agentId, runId, ref } = effect;
  const { run } = loadRunParticipants(ports, runId);
  const record = run.handoffId === null ? undefined : ports.store.read((tx) => tx.handoffById(run.handoffId ?? 0));
  if (!record?.injectionPrompt) throw new Error(`run ${runId} has no record`);
  await ensureDocument(ports, run);
  return type(ports, agentId, {
    purpose: 'injection',
    ref,
    runId,
    kind: 'prompt',
    text: withRef(record.injectionPrompt, ref),
    stillWanted: () => stillWanted(ports, effect),
  });
}

export async function typeNudge(ports: Ports, effect: Of<'type_nudge'>): Promise<readonly Fact[]> {
  const { agentId, runId, ref } = effect;
  const { run } = loadRunParticipants(ports, runId);
  return type(ports, agentId, {
    purpose: 'nudge',
    ref,
    runId,
    kind: 'prompt',
    text: withRef(nudgeText(run), ref),
    stillWanted: () => stillWanted(ports, effect),
  });
}

/**
 * Restores the document if it is missing, because the successor is about to read it. Replaces a changed document only
 * if the operator approved the verified version: the approval covers no other text. Baton records a restored or changed
 * document before it types the prompt, because a quick successor may acknowledge the handoff at once.
 */
async function ensureDocument(ports: Ports, { id, document, review }: Run): Promise<void> {
  if (!document?.sha256) return;
  const found = await ports.files.restoreDocument(document.path, document.sha256, review === 'approved');
  if (found !== 'there')
    await ports.store.write((tx) => recordFact(tx, ports, { type: 'document_found_otherwise', runId: id, found }));
}

export async function primeAgent(ports: Ports, effect: Of<'prime_agent'>): Promise<readonly Fact[]> {
  const { agentId, ref } = effect;
  const persona = ports.store.read((tx) => {
    const personaId = tx.agentById(agentId)?.personaId;
    return personaId == null ? undefined : tx.personaById(personaId);
  });
  if (persona === undefined) throw new Error(`agent ${agentId} has no persona`);
  const { skill, experience } = await ports.files.readSkill(persona.slug);
  if (skill === undefined) {
    const detail = `Persona ${persona.slug} has no skill.md, so agent ${agentId} works without a skill. Save one: baton persona skill ${persona.slug} --file FILE`;
    return [{ type: 'skill_absent', agentId, detail }];
  }
  return type(ports, agentId, {
    purpose: 'skill',
    ref,
    runId: null,
    kind: 'prompt',
    text: primingMessage(persona, { skill, experience }, ref),
    stillWanted: () => stillWanted(ports, effect),
  });
}

/** Asks an agent to continue after its usage limit. Types nothing if the agent has started other work meanwhile. */
export function typeContinue(ports: Ports, { agentId, ref }: Of<'type_continue'>): Promise<readonly Fact[]> {
  return type(ports, agentId, {
    purpose: 'continue',
    ref,
    runId: null,
    kind: 'prompt',
    text: withRef('Your usage limit is over. Check which part of your last step was done, then continue.', ref),
    stillWanted: () => ports.store.read((tx) => tx.agentById(agentId))?.state === 'idle',
  });
}

export async function typeExit(ports: Ports, effect: Of<'type_exit'>): Promise<readonly Fact[]> {
  const { agentId, runId, ref } = effect;
  const command = runtimeOf(ports, agentId).exitCommand;
  return type(ports, agentId, {
    purpose: 'exit',
    ref,
    runId,
    kind: 'command',
    text: command,
    stillWanted: () => stillWanted(ports, effect),
  });
}

interface Typing extends Pick<Delivery, 'kind' | 'text' | 'stillWanted'> {
  readonly purpose: Exclude<PromptPurpose, 'message'>;
  readonly ref: string;
  readonly runId: number | null;
}

/** The outcome of a delivery if tmux has not reported the agent's pane yet. */
const PANE_UNKNOWN: TypingOutcome = {
  verdict: 'refused',
  reason: 'terminal_unavailable',
  detail: "the agent's pane is not known yet",
};

export async function type(ports: Ports, agentId: number, typing: Typing): Promise<readonly Fact[]> {
  const { purpose, ref, runId, ...what } = typing;
  const pane = ports.store.read((tx) => tx.agentById(agentId)?.pane);
  const reader = runtimeOf(ports, agentId);
  const typed = { type: 'prompt_typed', agentId, purpose, ref, ...(runId === null ? {} : { ofRun: runId }) } as const;
  if (!pane) return [{ ...typed, outcome: PANE_UNKNOWN }];
  const outcome = await reservePromptText(ports, { ref, agentId, runId, purpose, text: typeable(what.text) })
    .then((text) =>
      ports.terminal.deliver(pane, {
        id: ref,
        ...what,
        text,
        reader,
        waitReadyMs: WAIT_READY_MS,
        whyNotAtRest: restDoubts(ports, agentId),
        isSubmitted: () => isSubmitted(ports, agentId, ref),
        ...apiDelivery(ports, agentId, ref),
        awaitNews: (ms) => awaitNews(ports, ms),
      }),
    )
    // If the store or the terminal throws an error, nothing was typed. So the attempt counts as refused, and a later
    // attempt cannot type the text a second time.
    .catch(
      (error: unknown): TypingOutcome => ({
        verdict: 'refused',
        reason: 'terminal_unavailable',
        detail: errorMessage(error),
      }),
    );
  ports.log.info('typed into an agent', {
    agent: agentId,
    purpose,
    verdict: outcome.verdict,
    length: what.text.length,
  });
  return [{ ...typed, outcome }];
}

function runtimeOf(ports: Ports, agentId: number) {
  const id = ports.store.read((tx) => tx.agentById(agentId)?.runtime);
  const runtime = id === undefined ? undefined : ports.runtimes.get(id);
  if (runtime === undefined) throw new Error(`unknown runtime of agent ${agentId}`);
  return runtime;
}
