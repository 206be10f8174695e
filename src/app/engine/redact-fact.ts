import type { Fact } from '../../domain/facts.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import type { ParsedHook } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/** Identifiers, kept exact because lookups depend on them; none of them carries text from outside. */
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

/**
 * Removes secrets from text that came from hooks, screens, program errors or people, because facts are stored
 * permanently.
 */
export function redactFact<T extends Fact>(ports: Pick<Ports, 'secrets'>, fact: T): T {
  // Its paths were chosen by Baton itself.
  return fact.type === 'document_place_prepared' ? fact : redactWithin(fact, ports.secrets.redact, EXACT);
}

/** Redacts a hook before its ids become dedupe keys, which are stored as well. */
export const redactHook = (ports: Ports, hook: ParsedHook): ParsedHook =>
  redactWithin(hook, ports.secrets.redact, EXACT);
