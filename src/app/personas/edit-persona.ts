import type { Notice } from '../../domain/facts.ts';
import { displayName, type Persona, personaNotFound, refusePersona, roleName } from '../../domain/personas/persona.ts';
import { runsOnInWords } from '../../domain/personas/runs-on.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import { completeList, type WantedRunsOn, withRunsOn } from './change-runs-on.ts';

export interface PersonaEdit {
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  /**
   * The persona's new list of runtimes, the first choice first. An empty list removes the list that the persona has.
   */
  readonly runsOn?: readonly WantedRunsOn[] | undefined;
}

/**
 * Changes the name or role of a persona, with the same checks as at registration. The slug never changes, because
 * folders, records and prompts contain it.
 */
export const editPersona = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'runtimes'>,
  slug: string,
  { role, name, runsOn }: PersonaEdit,
): Promise<Persona | Refusal> =>
  change(ports, slug, (before) => {
    const wanted = { role: role ?? before.role, name: name ?? before.name };
    const refusal = refusePersona(wanted.role, wanted.name);
    if (refusal !== undefined) return refusal;
    const list = runsOn && completeList(ports, runsOn, before.runsOn);
    if (isRefusal(list)) return list;
    return { ...withRunsOn(before, list), role: roleName(wanted.role), name: displayName(wanted.name) };
  });

/** Archives a persona. No new agent gets an archived persona, but agents that have it continue. */
export const archivePersona = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  slug: string,
): Promise<Persona | Refusal> => change(ports, slug, (before) => ({ ...before, status: 'archived' }));

export const restorePersona = (
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  slug: string,
): Promise<Persona | Refusal> => change(ports, slug, (before) => ({ ...before, status: 'active' }));

/** Saves a changed persona. If nothing changed, logs nothing. */
function change(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock'>,
  slug: string,
  decide: (before: Persona) => Persona | Refusal,
): Promise<Persona | Refusal> {
  return ports.store.write((tx) => {
    const before = tx.personaBySlug(slug);
    if (before === undefined) return personaNotFound(slug);
    const after = decide(before);
    if (isRefusal(after)) return after;
    const notice = whatChanged(before, after);
    if (notice === undefined) return before;
    tx.savePersona(after);
    appendNotice(tx, ports, notice, { agentId: null, runId: null });
    return after;
  });
}

function whatChanged(before: Persona, { slug, status, role, name, runsOn }: Persona): Notice | undefined {
  if (before.status !== status)
    return status === 'archived' ? { type: 'persona_archived', slug } : { type: 'persona_restored', slug };
  if (before.role !== role || before.name !== name) return { type: 'persona_edited', slug, role, name };
  const isSame = JSON.stringify(before.runsOn ?? []) === JSON.stringify(runsOn ?? []);
  return isSame ? undefined : { type: 'runs_on_changed', of: slug, list: (runsOn ?? []).map(runsOnInWords) };
}
