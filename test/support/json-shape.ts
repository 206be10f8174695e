/**
 * The shape of a JSON value lists its key paths in order, each with the types of the values at this path. A path that
 * ends with `?` is not always present.
 */
export type Shape = Readonly<Record<string, string>>;

interface Seen {
  readonly types: ReadonlySet<string>;
  readonly optional: boolean;
}

type Paths = Map<string, Seen>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * All elements of an array share one shape. Events are an exception: they have one shape per event type, because the
 * keys of `data` depend on the type.
 */
function variantOf(element: unknown): string {
  const isEvent = isObject(element) && 'seq' in element && 'data' in element && typeof element.type === 'string';
  return isEvent ? `(${element.type})` : '';
}

/**
 * Returns the shape of a value. `isOpen` returns true for a path whose keys are data, for example names of variables.
 * For such a path, the shape contains only the types of the values.
 */
export function shapeOf(value: unknown, isOpen: (path: string) => boolean = () => false): Shape {
  const paths: Paths = new Map();
  const collect = (path: string, values: readonly unknown[], optional: boolean): void => {
    paths.set(path, { types: new Set(values.map(typeOf)), optional });
    const objects = values.filter(isObject);
    const keys = new Set(objects.flatMap((each) => Object.keys(each)));
    if (isOpen(path) && keys.size > 0) {
      const types = new Set(objects.flatMap((each) => Object.values(each).map(typeOf)));
      paths.set(`${path}{}`, { types, optional: false });
    }
    for (const key of isOpen(path) ? [] : keys) {
      const having = objects.filter((each) => key in each);
      collect(
        path === '' ? key : `${path}.${key}`,
        having.map((each) => each[key]),
        having.length < objects.length,
      );
    }
    collectAll(`${path}[]`, values.filter(Array.isArray).flat());
  };
  const collectAll = (path: string, elements: readonly unknown[]): void => {
    for (const variant of new Set(elements.map(variantOf)))
      collect(
        `${path}${variant}`,
        elements.filter((each) => variantOf(each) === variant),
        false,
      );
  };
  collect('', [value], false);
  return written(paths);
}

/**
 * Returns the shape that covers two shapes. If only one shape has a key, and the other shape has the parent of this
 * key, the key is optional.
 */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const [a, b] = [read(one), read(other)];
  const merged: Paths = new Map();
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(path), b.get(path)];
    merged.set(path, {
      types: new Set([...(left?.types ?? []), ...(right?.types ?? [])]),
      optional: [
        [left, a],
        [right, b],
      ].some(([seen, paths]) => (seen === undefined ? hasParent(paths as Paths, path) : (seen as Seen).optional)),
    });
  }
  return written(merged);
}

/**
 * Returns the differences that a reader of the JSON would notice. A null, an empty array or a missing event is no
 * difference, because all three depend on the moment when the JSON was made. The paths below them are not compared. In
 * the data of an event, a new key or a key that is sometimes missing is no difference.
 */
export function differences(before: Shape, now: Shape): readonly string[] {
  const [a, b] = [read(before), read(now)];
  const added = [...b.keys()]
    .filter((path) => !a.has(path) && hasParent(a, path) && !isInEventData(path) && !isEvent(path))
    .map((path) => `${path}: new`);
  const changed = [...a].flatMap(([path, { types, optional }]) => {
    const seen = b.get(path);
    if (seen === undefined) return optional || isEvent(path) || !hasParent(b, path) ? [] : [`${path}: gone`];
    const strange = [...seen.types].filter((type) => type !== 'null' && !types.has(type));
    const isKnown = [...types].some((type) => type !== 'null');
    return [
      ...(isKnown && strange.length > 0 ? [`${path}: ${list(types)} became ${list(seen.types)}`] : []),
      ...(seen.optional && !optional && !isInEventData(path) ? [`${path}: not always present`] : []),
    ];
  });
  return [...added, ...changed].sort();
}

const isInEventData = (path: string): boolean => /\[\]\([^)]*\)\.data\./.test(path);
const isEvent = (path: string): boolean => path.endsWith(')');

/** Removes the last part of a path: `.key`, `[]`, `[](type)` or `{}`. */
const parentOf = (path: string): string => path.replace(/(^|\.)[^.[\]{}()]+$|(\[\]|\{\})(\([^)]*\))?$/, '');

function hasParent(paths: Paths, path: string): boolean {
  if (path === '') return false;
  const parent = parentOf(path);
  const element = /(?:\[\]|\{\})(?=(?:\([^)]*\))?$)/.exec(path)?.[0];
  if (element === undefined) return paths.get(parent)?.types.has('object') ?? false;
  // Require that the shape lists an element of the array or object. The shape of an empty array lists none, so it does
  // not say which elements the array could contain.
  return [...paths.keys()].some((each) => each.startsWith(`${parent}${element}`));
}

const list = (types: ReadonlySet<string>): string => [...types].sort().join(' | ');

function written(paths: Paths): Shape {
  const rows = [...paths].map(([path, { types, optional }]) => [optional ? `${path}?` : path, list(types)] as const);
  return Object.fromEntries(rows.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function read(shape: Shape): Paths {
  return new Map(
    Object.entries(shape).map(([path, types]) => [
      path.replace(/\?$/, ''),
      { types: new Set(types.split(' | ')), optional: path.endsWith('?') },
    ]),
  );
}
