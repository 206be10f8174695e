import type { TurnPlan } from '../action.ts';
import type { Memory } from '../memory.ts';
import { quoteForShell } from '../quote-for-shell.ts';
import type { Situation } from '../situation.ts';
import { work } from '../work.ts';
import { findEndToken } from './end-marker.ts';
import { findHandoffPath } from './handoff-path.ts';
import { type HandoffKnowledge, readHandoff } from './read-handoff.ts';

interface Injection {
  readonly path: string;
  readonly handoffNumber: string;
}

export function findInjection(prompt: string): Injection | undefined {
  const path = findHandoffPath(prompt);
  const handoffNumber = /\bbaton ack (\d+)/.exec(prompt)?.[1];
  return path === undefined || handoffNumber === undefined ? undefined : { path, handoffNumber };
}

/**
 * Plans the successor's first turn. The agent reads the document, acknowledges the handoff with the token in the
 * document, and then continues the work.
 */
export function* takeOver({ path, handoffNumber }: Injection, situation: Situation): TurnPlan {
  const { injection } = situation.behaviour;
  if (injection === 'ignore') {
    yield { kind: 'say', text: 'Hello! What would you like me to do?' };
    return;
  }
  yield { kind: 'say', text: 'I will read what my predecessor left me.' };
  const document = yield { kind: 'read', path };
  const token = findEndToken(document.text);
  if (!document.ok || token === undefined) {
    yield {
      kind: 'say',
      text: `I cannot use the handoff at ${path}: ${document.ok ? 'it has no end marker' : 'it cannot be read'}.`,
    };
    return;
  }
  const knowledge = readHandoff(document.text);
  yield { kind: 'think' };
  const proof = injection === 'wrong_proof' ? `not-${token}` : token;
  const acknowledged = yield {
    kind: 'bash',
    command: `baton ack ${handoffNumber} --proof ${proof} --task ${quoteForShell(knowledge.task)}`,
  };
  adopt(knowledge, situation.memory);
  if (!acknowledged.ok) {
    yield { kind: 'say', text: 'Baton did not accept my acknowledgement, so I have not started.' };
    return;
  }
  yield* goOn(knowledge, situation);
}

/**
 * Finds the command that acknowledges an emergency handoff. There is no document with an end token, so the prompt
 * contains the complete command with its token.
 */
export function findEmergency(prompt: string): string | undefined {
  return /\bbaton ack \d+ --proof (?!TOKEN\b)\S+/.exec(prompt)?.[0];
}

export function* takeOverUnprepared(acknowledge: string, situation: Situation): TurnPlan {
  if (situation.behaviour.injection === 'ignore') return;
  const task = 'I look at the project first, then I go on with its plan.';
  yield { kind: 'say', text: 'My predecessor left me nothing, so I look for myself.' };
  yield { kind: 'think' };
  const acknowledged = yield { kind: 'bash', command: `${acknowledge} --task ${quoteForShell(task)}` };
  if (acknowledged.ok) yield* work(task, situation);
}

function* goOn(knowledge: HandoffKnowledge, situation: Situation): TurnPlan {
  const next = knowledge.nextSteps[0];
  yield { kind: 'say', text: `I have taken over. ${knowledge.task}` };
  if (next === undefined) yield { kind: 'say', text: 'Nothing is left on the list I was given.' };
  else yield* work(next, situation);
}

function adopt(knowledge: HandoffKnowledge, memory: Memory): void {
  memory.done.push(...knowledge.done);
  memory.decisions.push(...knowledge.decisions);
  memory.blockers.push(...knowledge.blockers);
  for (const file of knowledge.files) memory.rememberFile(file.path, file.purpose);
  memory.nextSteps = [...knowledge.nextSteps];
}
