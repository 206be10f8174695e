import {
  CannotEdit,
  type EditedSettings,
  type HookChange,
  type HookCommand,
  type HooksSeen,
  type OperatorHooks,
} from '../../app/ports/operator-hooks.ts';
import {
  appendPart,
  isArray,
  isObject,
  memberOf,
  partsOf,
  removePart,
  replaceValue,
  rootOf,
  type Span,
  withoutComments,
} from './json-text.ts';
import { readSessionReport } from './session-hooks.ts';

const VERSION = 2;

/**
 * The comment at the end of a hook command shows that the hook belongs to Baton. The comment also names the parts of
 * the settings that Baton created: the file, its object `hooks`, or the list for one event. Uninstalling removes the
 * hooks, the parts that Baton created, and the groups that become empty.
 */
const MARK = / # baton hooks v(\d{1,6})(?: \(new: ([a-z ]+)\))?$/;
type Made = 'list' | 'hooks' | 'file';
const mark = (made: readonly Made[]): string =>
  ` # baton hooks v${VERSION}${made.length === 0 ? '' : ` (new: ${made.join(' ')})`}`;

interface Ours {
  readonly event: string;
  readonly command: string;
  readonly version: number;
  readonly made: readonly Made[];
  readonly span: Span;
  /**
   * The position of the hook: the list of the event's groups, the index of the group in that list, the group itself,
   * and the index of the hook in the group.
   */
  readonly list: Span;
  readonly groupIndex: number;
  readonly group: Span;
  readonly index: number;
}

/** The settings file of one agent program, and the hooks that Baton writes to it. */
export interface HookPlaces {
  readonly file: string;
  /**
   * The events to install hooks for. All versions of the client know these events. If a client finds an unknown hook
   * name, the client may skip the WHOLE file.
   */
  readonly events: readonly string[];
  /** Events for which a group of hooks must say to which tools it applies. */
  readonly matched: ReadonlySet<string>;
  /**
   * A sentence that tells the operator whether the client loads a settings file with comments. Absent if Baton does not
   * know.
   */
  readonly comments?: string;
}

export function createOperatorHooks(places: HookPlaces): OperatorHooks {
  const { file } = places;
  return {
    file,
    version: VERSION,
    look: (text, command) => look(checked(text, file), places, command),
    install: (text, command) => install(checked(text, file), places, command),
    uninstall: (text) => uninstall(checked(text, file)),
    readSession: readSessionReport,
  };
}

function checked(text: string | undefined, file: string): string | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(withoutComments(text).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CannotEdit(
      `${file} is not valid JSON (${(error as Error).message}), so Baton left it as it is. Fix it and try again.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CannotEdit(`${file} does not contain a JSON object, so Baton left it as it is. Fix it and try again.`);
  return text;
}

function look(text: string | undefined, { events, comments }: HookPlaces, command: HookCommand): HooksSeen {
  const ours = text === undefined ? [] : findOurs(text);
  const there = events.filter((event) => ours.some((each) => each.event === event));
  const isCurrent =
    ours.length === events.length && ours.every((each) => each.command === command(each.event) + mark(each.made));
  const state =
    ours.length === 0
      ? 'not_installed'
      : there.length < events.length
        ? 'partly'
        : isCurrent
          ? 'installed'
          : 'outdated';
  return {
    state,
    version: ours.length === 0 ? null : Math.min(...ours.map(({ version }) => version)),
    entries: ours.map(({ event, command }) => ({ event, command })),
    hasPlugin: text !== undefined && hasPlugin(text),
    switchedOff: text === undefined ? null : whyOff(text, comments),
  };
}

/** Returns whether the settings enable the plugin `baton`, from any marketplace. */
function hasPlugin(text: string): boolean {
  const enabled = memberOf(text, rootOf(text), 'enabledPlugins')?.value;
  if (enabled === undefined || !isObject(text, enabled)) return false;
  return partsOf(text, enabled).some(
    ({ key, value }) => key?.startsWith('baton@') === true && text.slice(value.start, value.end) === 'true',
  );
}

/** Returns why the client does not run the hooks in its settings; null if no reason is known. */
function whyOff(text: string, comments = 'Baton does not know whether the client loads such a file'): string | null {
  const found = memberOf(text, rootOf(text), 'disableAllHooks');
  if (found !== undefined && text.slice(found.value.start, found.value.end) === 'true')
    return '"disableAllHooks" is set there';
  return withoutComments(text) === text ? null : `the file contains comments, and ${comments}`;
}

function install(before: string | undefined, places: HookPlaces, command: HookCommand): EditedSettings {
  const { events } = places;
  const changes: HookChange[] = [];
  let text = before ?? '{}\n';
  for (const event of events) {
    const [mine] = findOurs(text).filter((each) => each.event === event);
    const wanted = command(event);
    if (mine === undefined) text = add(text, { places, event, command: wanted, isNewFile: before === undefined });
    else if (mine.command === wanted + mark(mine.made)) continue;
    else text = replaceValue(text, mine.span, { value: hook(wanted + mark(mine.made)), depth: 4 });
    changes.push({ what: mine === undefined ? 'added' : 'replaced', event, command: wanted });
  }
  for (;;) {
    const all = findOurs(text);
    const surplus = all.find(
      (each, at) => !events.includes(each.event) || all.findIndex(({ event }) => event === each.event) < at,
    );
    if (surplus === undefined) return { text, changes };
    text = remove(text, surplus);
    changes.push({ what: 'removed', event: surplus.event, command: surplus.command });
  }
}

const hook = (command: string) => ({ type: 'command', command });

interface Addition {
  readonly places: HookPlaces;
  readonly event: string;
  readonly command: string;
  readonly isNewFile: boolean;
}

function add(before: string, { places: { file, matched }, event, command, isNewFile }: Addition): string {
  let text = before;
  // If Baton created the file or the object `hooks`, the comment in each of Baton's hooks says so.
  const earlier = findOurs(text).flatMap(({ made }) => made);
  const made: Made[] = [];
  if (memberOf(text, rootOf(text), 'hooks') === undefined)
    text = appendPart(text, rootOf(text), { key: 'hooks', value: {}, depth: 0 });
  const hooks = memberOf(text, rootOf(text), 'hooks')?.value as Span;
  if (!isObject(text, hooks)) throw strange(file, '"hooks"', 'an object');
  if (memberOf(text, hooks, event) === undefined) {
    text = appendPart(text, hooks, { key: event, value: [], depth: 1 });
    made.push('list');
  }
  if (memberOf(before, rootOf(before), 'hooks') === undefined || earlier.includes('hooks')) made.push('hooks');
  if (isNewFile || earlier.includes('file')) made.push('file');
  const list = memberOf(text, memberOf(text, rootOf(text), 'hooks')?.value as Span, event)?.value as Span;
  if (!isArray(text, list)) throw strange(file, `"hooks.${event}"`, 'a list');
  const group = { ...(matched.has(event) ? { matcher: '*' } : {}), hooks: [hook(command + mark(made))] };
  return appendPart(text, list, { value: group, depth: 2 });
}

const strange = (file: string, what: string, expected: string): CannotEdit =>
  new CannotEdit(`${what} in ${file} is not ${expected}, so Baton left it as it is. Fix it and try again.`);

function uninstall(before: string | undefined): EditedSettings {
  if (before === undefined) return { text: undefined, changes: [] };
  let text = before;
  const changes: HookChange[] = [];
  let isOurFile = false;
  for (let mine = findOurs(text).at(-1); mine !== undefined; mine = findOurs(text).at(-1)) {
    text = remove(text, mine);
    isOurFile ||= mine.made.includes('file');
    changes.unshift({ what: 'removed', event: mine.event, command: mine.command });
  }
  return { text: isOurFile && text.trim() === '{}' ? undefined : text, changes };
}

/**
 * Removes the hook, and its group if the group becomes empty. Then removes the list of the event and the object
 * `hooks`, each only if it is empty and Baton created it.
 */
function remove(before: string, { event, made, list, group, groupIndex, index }: Ours): string {
  const inner = memberOf(before, group, 'hooks')?.value as Span;
  if (partsOf(before, inner).length > 1) return removePart(before, inner, index);
  let text = removePart(before, list, groupIndex);
  for (const [key, container, isOurs] of [
    [event, () => memberOf(text, rootOf(text), 'hooks')?.value as Span, made.includes('list')],
    ['hooks', () => rootOf(text), made.includes('hooks')],
  ] as const) {
    const emptied = memberOf(text, container(), key);
    if (!isOurs || emptied === undefined || partsOf(text, emptied.value).length > 0) return text;
    text = removePart(
      text,
      container(),
      partsOf(text, container()).findLastIndex((part) => part.key === key),
    );
  }
  return text;
}

/** Returns Baton's hooks in the order of the file. Ignores other hooks, and entries that are not valid hooks. */
function findOurs(text: string): readonly Ours[] {
  const hooks = memberOf(text, rootOf(text), 'hooks')?.value;
  if (hooks === undefined || !isObject(text, hooks)) return [];
  return partsOf(text, hooks)
    .filter((part, at, all) => isArray(text, part.value) && all.findLastIndex(({ key }) => key === part.key) === at)
    .flatMap((part) => inList(text, part.key as string, part.value));
}

const inList = (text: string, event: string, list: Span): readonly Ours[] =>
  partsOf(text, list).flatMap((group, groupIndex) => {
    const inner = isObject(text, group) ? memberOf(text, group, 'hooks')?.value : undefined;
    if (inner === undefined || !isArray(text, inner)) return [];
    return partsOf(text, inner).flatMap((span, index) => {
      const command = commandIn(text, span);
      const found = MARK.exec(command ?? '');
      if (command === undefined || found === null) return [];
      const made = (found[2]?.split(' ') ?? []) as Made[];
      return [{ event, command, version: Number(found[1]), made, span, list, group, groupIndex, index }];
    });
  });

function commandIn(text: string, span: Span): string | undefined {
  const found = isObject(text, span) ? memberOf(text, span, 'command')?.value : undefined;
  if (found === undefined || text[found.start] !== '"') return undefined;
  return JSON.parse(text.slice(found.start, found.end)) as string;
}
