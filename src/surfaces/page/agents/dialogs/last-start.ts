import type { Persona, RuntimeInfo } from '../../../../contract/resources.ts';

const KEY = 'baton-last-start';

export interface LastStart {
  readonly runtime?: string;
  readonly persona?: string;
}

/** Returns the operator's choices at the last start of an agent from this browser. */
export function readLastStart(): LastStart {
  try {
    const { runtime, persona } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return { ...(typeof runtime === 'string' && { runtime }), ...(typeof persona === 'string' && { persona }) };
  } catch {
    return {};
  }
}

/**
 * Stores the agent type and the persona of a start as the defaults of the next start dialog. Does not store "No
 * persona", because the operator made that choice for one agent only.
 */
export const saveLastStart = ({ runtime, persona }: { readonly runtime: string; readonly persona: string }): void =>
  localStorage.setItem(KEY, JSON.stringify({ ...readLastStart(), runtime, ...(persona !== '' && { persona }) }));

/**
 * Returns the persona that is chosen at first: the project's default, the last used persona, or any active persona.
 * "None" is chosen only if there is no active persona, because an agent without a persona cannot hand off.
 */
export function choosePersona(
  projectDefault: string | null | undefined,
  last: LastStart,
  personas: readonly Pick<Persona, 'slug' | 'status'>[],
): string {
  const active = personas.filter(({ status }) => status === 'active').map(({ slug }) => slug);
  if (projectDefault != null) return projectDefault;
  return last.persona !== undefined && active.includes(last.persona) ? last.persona : (active[0] ?? '');
}

/** Returns the runtime that is chosen at first: the last used runtime, or the first runtime that this machine has. */
export function chooseRuntime(
  last: LastStart,
  runtimes: readonly Pick<RuntimeInfo, 'id' | 'why_unavailable'>[],
): string | null {
  const available = runtimes.filter(({ why_unavailable }) => why_unavailable === null).map(({ id }) => id);
  return available.find((id) => id === last.runtime) ?? available[0] ?? null;
}
