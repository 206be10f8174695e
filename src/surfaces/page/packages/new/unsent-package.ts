import { NO_FIELDS, type PackageFields } from '../../../../contract/packages/new-package.ts';

/**
 * The sessionStorage key of the unsent package. The stored package survives reloads and visits to other pages, until
 * the tab is closed.
 */
const KEY = 'baton-new-package';

export interface UnsentPackage {
  readonly text: string;
  /** The id of the project; empty if none is chosen yet. */
  readonly project: string;
  /**
   * The idempotency key of the request. Changes with each edit. The server makes only one package for each key, even if
   * the request is sent several times.
   */
  readonly key: string;
  /** The fields of the form; null if the operator writes the package's text. */
  readonly fields: PackageFields | null;
}

const isUnsent = (value: unknown): value is UnsentPackage =>
  typeof value === 'object' &&
  value !== null &&
  'fields' in value &&
  ['text', 'project', 'key'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

export function readUnsent(): UnsentPackage {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (isUnsent(kept)) return kept;
  } catch {
    // Ignore a stored value that is not valid JSON. The form then starts empty.
  }
  return { text: '', project: '', key: crypto.randomUUID(), fields: NO_FIELDS };
}

export function keepUnsent(unsent: UnsentPackage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(unsent));
  } catch {
    // Ignore that the browser's storage is full. The form still has the text; it is lost only when the operator leaves
    // the page.
  }
}

export const forgetUnsent = (): void => sessionStorage.removeItem(KEY);
