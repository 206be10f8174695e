import type { PackageType } from '../content/package.ts';
import { isPlaceholder } from './placeholder.ts';

/**
 * A package in the form that the lint rules read. Values of the wrong type are left out, because the schema already
 * reports them. So the rules need not handle such values.
 */
export interface PackageView {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly type: PackageType | undefined;
  readonly fromAgent: string | undefined;
  readonly toAgent: string | undefined;
  readonly summary: Placed | undefined;
  readonly decisions: readonly Item[];
  readonly artifacts: readonly Item[];
  readonly questions: readonly Item[];
  readonly constraints: readonly Stated[];
  readonly criteria: readonly Stated[];
  /**
   * All free texts in the package, as opposed to ids, names and other fixed values. A person or an agent wrote these
   * texts.
   */
  readonly prose: readonly Placed[];
}

export type Path = readonly (string | number)[];

export interface Placed {
  readonly text: string;
  readonly path: Path;
}

export interface Item {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** A constraint or criterion. The author may write it as a text or as an object with a text. */
export interface Stated extends Placed {
  readonly fields: Readonly<Record<string, unknown>>;
}

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** True for a decision that a person still has to make. */
export const isPending = ({ fields }: Pick<Item, 'fields'>): boolean =>
  fields.id === 'pending' || fields.status === 'pending';

/** Returns the agent's name in `party`; undefined if there is no name or only a placeholder. */
export function agentOf(party: unknown): string | undefined {
  const agent = textOf(recordOf(party).agent);
  return agent === undefined || isPlaceholder(agent) ? undefined : agent;
}

/** Returns the view of a package. `root` is the path of the package in its file. */
export function viewOf(value: unknown, type: PackageType | undefined, root: Path): PackageView {
  const raw = recordOf(value);
  const context = recordOf(raw.context);
  const expectations = recordOf(raw.expectations);
  const items = (key: string): Item[] =>
    listOf(context[key]).map((item, index) => ({ fields: recordOf(item), path: [...root, 'context', key, index] }));
  const stated = (key: string): Stated[] =>
    listOf(expectations[key]).flatMap((item, index) => {
      const text = textOf(item) ?? textOf(recordOf(item).text);
      return text === undefined ? [] : [{ text, fields: recordOf(item), path: [...root, 'expectations', key, index] }];
    });
  const summary = textOf(context.summary);
  return {
    raw,
    type,
    fromAgent: agentOf(raw.from),
    toAgent: agentOf(raw.to),
    summary: summary === undefined ? undefined : { text: summary, path: [...root, 'context', 'summary'] },
    decisions: items('decisions'),
    artifacts: items('artifacts'),
    questions: items('open_questions'),
    constraints: stated('constraints'),
    criteria: stated('success_criteria'),
    prose: proseOf(raw, root),
  };
}

const NO_PROSE: ReadonlySet<string> = new Set([
  'protocol',
  'id',
  'timestamp',
  'type',
  'agent',
  'session',
  'path',
  'sha256',
  'command',
  'lineage',
  'extensions',
  'capabilities_required',
  'completed_steps',
  'remaining_steps',
]);

function proseOf(raw: Readonly<Record<string, unknown>>, root: Path): Placed[] {
  return textsIn(raw, root).filter(({ path }) => !path.some((part) => NO_PROSE.has(String(part))));
}

/** Returns every text in the value. Uses no recursion, because the depth of the value is not limited here. */
export function textsIn(value: unknown, root: Path): Placed[] {
  const found: Placed[] = [];
  const waiting: { value: unknown; path: Path }[] = [{ value, path: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path } = next;
    if (typeof next.value === 'string') found.push({ text: next.value, path });
    else if (typeof next.value === 'object' && next.value !== null) {
      const entries = Array.isArray(next.value) ? [...next.value.entries()] : Object.entries(next.value);
      for (const [key, item] of entries.reverse()) waiting.push({ value: item, path: [...path, key] });
    }
  }
  return found;
}
