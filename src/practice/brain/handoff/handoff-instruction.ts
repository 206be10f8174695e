import { dirname, join } from 'node:path';
import type { TurnPlan, WriteAction } from '../action.ts';
import type { Situation } from '../situation.ts';
import { endMarker, findEndToken } from './end-marker.ts';
import { composeHandoff, type ListedPoint } from './handoff-document.ts';
import { findHandoffPath } from './handoff-path.ts';

interface HandoffInstruction {
  readonly path: string;
  readonly token: string;
  /** The open points of earlier handoffs that the instruction lists. */
  readonly points: readonly ListedPoint[];
}

const LISTED = /^\s*(OP-\d+) \([^)]*\): (.+)$/gm;

const HUGE_BYTES = 1024 * 1024 + 1;

export function findHandoffInstruction(prompt: string): HandoffInstruction | undefined {
  const path = findHandoffPath(prompt);
  const token = findEndToken(prompt);
  const points = [...prompt.matchAll(LISTED)].map(([, name = '', text = '']) => ({ name, text }));
  return path === undefined || token === undefined ? undefined : { path, token, points };
}

export function* writeHandoff(instruction: HandoffInstruction, situation: Situation): TurnPlan {
  const { handoff } = situation.behaviour;
  const document = composeHandoff(situation, instruction.points);
  const before = situation.memory.instructions++;
  if (handoff === 'ignore' || (handoff === 'ignore_once' && before === 0)) {
    yield { kind: 'say', text: `Here is where I stand.\n\n${document}` };
    return;
  }
  yield { kind: 'say', text: 'I will write down what my successor needs to know.' };
  yield { kind: 'think' };
  if (handoff === 'crash') yield { kind: 'crash' };
  if (handoff === 'compact') yield { kind: 'compact' };
  const write = writeActionFor(instruction, document, handoff);
  const written = yield write;
  const text = written.ok ? `I wrote my handoff to ${write.path}.` : 'I could not write my handoff.';
  yield { kind: 'say', text };
}

function writeActionFor(instruction: HandoffInstruction, document: string, handoff: string): WriteAction {
  const { path, token } = instruction;
  const content = `${document}\n\n${endMarker(token)}\n`;
  const write = { kind: 'write', path, content } as const;
  switch (handoff) {
    case 'empty':
      return { ...write, content: '' };
    case 'wrong_path':
      return { ...write, path: join(dirname(path), 'my-handoff-notes.md') };
    case 'no_marker':
      return { ...write, content: `${document}\n` };
    case 'symlink':
      return { ...write, manner: 'symlink' };
    case 'huge':
      return { ...write, content: enlarge(document, `\n${endMarker(token)}\n`) };
    case 'dialog':
      return { ...write, needsPermission: true };
    case 'slow':
      return { ...write, manner: 'slow' };
    default:
      return write;
  }
}

/**
 * Makes a valid document too large. Baton must then refuse the document because of its size and for no other reason.
 */
function enlarge(document: string, ending: string): string {
  const missing = HUGE_BYTES - Buffer.byteLength(document) - Buffer.byteLength(ending);
  return `${document}${'detail '.repeat(Math.ceil(missing / 7)).slice(0, missing)}${ending}`;
}
