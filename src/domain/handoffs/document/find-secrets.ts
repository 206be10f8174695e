import { assignedSecrets } from '../../secrets/assigned-secrets.ts';
import { SECRET_SHAPES } from '../../secrets/secret-shapes.ts';
import { pieces } from './chunk-line.ts';
import type { Finding } from './finding.ts';

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY|PuTTY-User-Key-File-\d/;

const SHORTEST_SECRET = 12;
const MAX_FINDINGS = 20;

/** Reports the kind and line of likely secrets, never any part of the secret itself. */
export function findSecrets(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let more = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length < SHORTEST_SECRET) continue;
    for (const kind of kindsIn(line).keys()) {
      if (findings.length < MAX_FINDINGS) findings.push(finding(kind, index + 1));
      else more++;
    }
  }
  if (more > 0)
    findings.push({ rule: 'likely_secret', sentence: `${more} more places look like they contain a secret.` });
  return findings;
}

/**
 * Returns a map of the kinds of likely secrets in a text. The value is `true` for a kind that Baton only suspects, and
 * `false` for a kind that Baton is sure of.
 */
export function secretKinds(text: string): ReadonlyMap<string, boolean> {
  const kinds = new Map<string, boolean>();
  for (const line of text.split('\n'))
    if (line.length >= SHORTEST_SECRET)
      for (const [kind, isGuess] of kindsIn(line)) kinds.set(kind, isGuess && kinds.get(kind) !== false);
  return kinds;
}

function kindsIn(line: string): ReadonlyMap<string, boolean> {
  const kinds = new Map<string, boolean>();
  for (const piece of pieces(line)) {
    if (PRIVATE_KEY.test(piece)) kinds.set('a private key', false);
    for (const { words, shape } of SECRET_SHAPES) if (shape.test(piece)) kinds.set(words, false);
    const kind = 'a password or key';
    for (const { isReadable } of assignedSecrets(piece)) kinds.set(kind, isReadable && kinds.get(kind) !== false);
  }
  return kinds;
}

const finding = (kind: string, line: number): Finding => ({
  rule: 'likely_secret',
  line,
  sentence: `Line ${line} looks like it contains ${kind}. If the secret is real, revoke it, because Baton keeps the document as it was written.`,
});
