import { formsOf } from './forms-of.ts';
import { SHORTEST_KNOWN } from './secret-names.ts';

export interface NamedSecret {
  /** Name of the variable with the secret, or a description of the secret. */
  readonly name: string;
  readonly value: string;
}

interface Form {
  readonly name: string;
  readonly text: string;
}

/**
 * Known secrets, indexed by their first characters, so that the search time does not depend on the number of secrets.
 */
export type KnownValues = ReadonlyMap<string, readonly Form[]>;

export function knownValues(secrets: Iterable<NamedSecret>): KnownValues {
  const known = new Map<string, Form[]>();
  for (const { name, value } of secrets) {
    for (const text of formsOf(value)) {
      if (text.length < SHORTEST_KNOWN) continue;
      const key = text.slice(0, SHORTEST_KNOWN);
      const forms = known.get(key) ?? [];
      // Sort longer secrets first, because a shorter secret may be the beginning of a longer one. Without this order,
      // the search would then find only the shorter secret.
      if (!forms.some((form) => form.text === text))
        known.set(
          key,
          [...forms, { name, text }].sort((one, other) => other.text.length - one.text.length),
        );
    }
  }
  return known;
}

/**
 * Yields the places of all known secrets in a text, from first to last. If the text ends with the beginning of a
 * secret, this beginning also counts as a secret, because the text may have been truncated.
 */
export function* placesOf(
  text: string,
  known: KnownValues,
): Generator<{ readonly start: number; readonly end: number; readonly name: string }> {
  if (known.size === 0) return;
  const beginnings = beginningsOf(known);
  for (let at = 0; at + SHORTEST_KNOWN <= text.length; at++) {
    if (!beginnings.has(beginningAt(text, at))) continue;
    const forms = known.get(text.slice(at, at + SHORTEST_KNOWN));
    const found =
      forms?.find((form) => text.startsWith(form.text, at)) ??
      forms?.find((form) => form.text.length > text.length - at && form.text.startsWith(text.slice(at)));
    if (found === undefined) continue;
    const end = Math.min(text.length, at + found.text.length);
    yield { start: at, end, name: found.name };
    at = end - 1;
  }
}

const BEGINNINGS = new WeakMap<KnownValues, ReadonlySet<number>>();

/**
 * Returns a set with one number for the first two characters of each known secret (see `beginningAt`). With this set,
 * the search quickly skips the many places of a text where no secret begins.
 */
function beginningsOf(known: KnownValues): ReadonlySet<number> {
  const found = BEGINNINGS.get(known) ?? new Set([...known.keys()].map((key) => beginningAt(key, 0)));
  BEGINNINGS.set(known, found);
  return found;
}

/**
 * Returns the two characters at this position as one number. Different pairs of characters may have the same number.
 */
const beginningAt = (text: string, at: number): number => (text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1);
