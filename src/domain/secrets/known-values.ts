import { formsOf } from './forms-of.ts';
import { SHORTEST_KNOWN } from './secret-names.ts';

export interface NamedSecret {
  /** Of the variable, or what it is in words. */
  readonly name: string;
  readonly value: string;
}

interface Form {
  readonly name: string;
  readonly text: string;
}

/** Secrets that are known by what they are, found by their first characters: the number of them costs nothing. */
export type KnownValues = ReadonlyMap<string, readonly Form[]>;

export function knownValues(secrets: Iterable<NamedSecret>): KnownValues {
  const known = new Map<string, Form[]>();
  for (const { name, value } of secrets) {
    for (const text of formsOf(value)) {
      if (text.length < SHORTEST_KNOWN) continue;
      const key = text.slice(0, SHORTEST_KNOWN);
      const forms = known.get(key) ?? [];
      // The longest first: it is the one that is meant where one secret begins like another.
      if (!forms.some((form) => form.text === text))
        known.set(
          key,
          [...forms, { name, text }].sort((one, other) => other.text.length - one.text.length),
        );
    }
  }
  return known;
}

/** Each place where one of them stands, in order. At the end of the text its beginning is enough: there it was cut off. */
export function* placesOf(
  text: string,
  known: KnownValues,
): Generator<{ readonly start: number; readonly end: number; readonly name: string }> {
  if (known.size === 0) return;
  for (let at = 0; at + SHORTEST_KNOWN <= text.length; at++) {
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
