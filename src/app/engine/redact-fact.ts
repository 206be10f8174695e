import type { Fact } from '../../domain/facts.ts';
import { redactWithin } from '../../domain/secrets/redact.ts';
import type { ParsedHook } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Names of fields that are not redacted, because Baton searches for their exact values. None of these fields contains
 * text from outside Baton.
 */
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

/** Removes secrets from the text of hooks, screens, program errors or people, because facts are stored forever. */
export function redactFact<T extends Fact>(ports: Pick<Ports, 'secrets'>, fact: T): T {
  // Do not redact the path of a prepared document, because Baton itself chose this path.
  return fact.type === 'document_place_prepared' ? fact : redactWithin(fact, ports.secrets.redact, EXACT);
}

/**
 * Removes secrets from a hook. This must happen before the ids in the hook become part of dedupe keys, because dedupe
 * keys are stored in the log.
 */
export const redactHook = (ports: Ports, hook: ParsedHook): ParsedHook =>
  redactWithin(hook, ports.secrets.redact, EXACT);
