import type { Fact } from '../../domain/facts.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import type { ParsedHook } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/** By these things are found again; none of them is a text of somebody else's. */
const EXACT: ReadonlySet<string> = new Set([
  'type',
  'ref',
  'textHash',
  'sha256',
  'pane',
  'transcript',
  'questionId',
  'id',
  'sentBy',
  'givenBy',
]);

/** What a hook, a screen, a program's error or a person said, without the secrets in it: what follows is kept for ever. */
export function redactFact<T extends Fact>(ports: Ports, fact: T): T {
  // A place that Baton itself has made.
  return fact.type === 'document_place_prepared' ? fact : redactWithin(fact, ports.secrets.redact, EXACT);
}

/** Before its ids become keys: those are in the store as well. */
export const redactHook = (ports: Ports, hook: ParsedHook): ParsedHook =>
  redactWithin(hook, ports.secrets.redact, EXACT);
