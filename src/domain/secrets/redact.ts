import { assignedSecrets } from './assigned-secrets.ts';
import { type KnownValues, placesOf } from './known-values.ts';
import { ANY_SOURCE, SECRET_SHAPES } from './secret-shapes.ts';

interface Place {
  readonly start: number;
  readonly end: number;
  readonly marker: string;
}

const marker = (kind: string): string => `[redacted ${kind}]`;

/**
 * Replaces each secret with a marker that names its kind. Known secrets are found by their value, others by their
 * shape. A second call changes nothing. The time is linear in the length of the text.
 */
export function redact(text: string, known: KnownValues): string {
  if (text.length < SHORTEST_SECRET) return text;
  let clean = without(text, privateKeys(text));
  clean = without(clean, knownPlaces(clean, known));
  if (ANY_SHAPE.test(clean))
    for (const { kind, shape, cut } of GLOBAL) {
      clean = without(clean, shapedPlaces(clean, kind, shape));
      if (cut !== undefined) clean = without(clean, shapedPlaces(clean, kind, cut));
    }
  return without(clean, assignedPlaces(clean));
}

const SHORTEST_SECRET = 8;

/** The patterns of secrets with the flag `d`, which provides the position of the secret itself within a match. */
const GLOBAL = SECRET_SHAPES.map(({ kind, shape, cut }) => ({
  kind,
  shape: new RegExp(shape, 'dg'),
  cut: cut === undefined ? undefined : new RegExp(cut, 'dg'),
}));

/**
 * Matches if a text contains any secret with a known pattern. Most texts contain none, and for such a text, this one
 * search replaces fifty searches.
 */
const ANY_SHAPE = new RegExp(ANY_SOURCE);

function without(text: string, places: Iterable<Place>): string {
  let clean = '';
  let from = 0;
  for (const { start, end, marker: word } of places) {
    clean += text.slice(from, start) + word;
    from = end;
  }
  return from === 0 ? text : clean + text.slice(from);
}

function* shapedPlaces(text: string, kind: string, shape: RegExp): Generator<Place> {
  for (const { indices } of text.matchAll(shape)) {
    const [start, end] = indices?.[1] ?? indices?.[0] ?? [0, 0];
    yield { start, end, marker: marker(kind) };
  }
}

function* knownPlaces(text: string, known: KnownValues): Generator<Place> {
  for (const { start, end, name } of placesOf(text, known)) yield { start, end, marker: marker(name) };
}

function* assignedPlaces(text: string): Generator<Place> {
  for (const { start, end } of assignedSecrets(text)) yield { start, end, marker: marker('value') };
}

const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/** A private key without its end line may be truncated, so the rest of the text is redacted. */
function* privateKeys(text: string): Generator<Place> {
  KEY_BEGINS.lastIndex = 0;
  for (let begins = KEY_BEGINS.exec(text); begins !== null; begins = KEY_BEGINS.exec(text)) {
    KEY_ENDS.lastIndex = KEY_BEGINS.lastIndex;
    const ends = KEY_ENDS.exec(text);
    const end = ends === null ? text.length : KEY_ENDS.lastIndex;
    yield { start: begins.index, end, marker: marker('private-key') };
    KEY_BEGINS.lastIndex = end;
  }
}

/**
 * Applies `clean` to every string inside a value, but not to object keys and not to the fields named in `exact`. The
 * fields in `exact` hold hashes and references that are used for lookups, and paths that Baton created.
 */
export function redactWithin<T>(value: T, clean: (text: string) => string, exact: ReadonlySet<string> = NOTHING): T {
  if (typeof value === 'string') return clean(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactWithin(item, clean, exact)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, exact.has(key) ? item : redactWithin(item, clean, exact)]),
  ) as T;
}

const NOTHING: ReadonlySet<string> = new Set();
