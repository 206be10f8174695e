import type { AutoHandoffsOnDay, HandoffPolicy } from '../handoffs/policy/policy.ts';
import type { Instant } from '../instant.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';
import type { RunsOn } from './runs-on.ts';

/** An identity that remains after its agents have ended, with skills, experience and handoff documents. */
export interface Persona {
  readonly id: number;
  readonly slug: string;
  readonly role: string;
  readonly name: string;
  readonly status: 'active' | 'archived';
  /** The agent types on which agents of this persona run, in order of preference. Absent if there is no such list. */
  readonly runsOn?: readonly RunsOn[];
  /** The handoff policy of the agents of this persona. Absent if the operator set none. */
  readonly policy?: HandoffPolicy;
  /**
   * The number of automatic handoffs on the last day with such a handoff. Absent if there was no automatic handoff yet.
   */
  readonly autoHandoffs?: AutoHandoffsOnDay;
  readonly createdAt: Instant;
}

/**
 * The names of the two texts that the operator writes for a persona. The texts are in `skill.md` and `experience.md` in
 * the persona's folder.
 */
export type PersonaTextName = 'skill' | 'experience';

const MAX_PART = 20;

/** The pattern of a slug in a URL. Every slug matches this pattern, but not every text that matches is a slug. */
export const SLUG_SHAPE = '[a-z0-9][a-z0-9-]{0,80}';

/** Reduces a text to lower-case letters, digits and single hyphens, so that it needs no quoting in a path or a URL. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const normalizePart = (text: string): string => plainWord(text).slice(0, MAX_PART).replace(/-$/, '');

const isTooLong = (role: string): boolean => normalizePart(role).length < plainWord(role).length;

/**
 * The middle part of the slug of a persona whose name has no Latin letters or digits. Every slug ends with the
 * persona's id, so the slug is still unique.
 */
const NAMELESS = 'agent';

export const personaSlug = (role: string, name: string, id: number): string =>
  `${normalizePart(role)}-${normalizePart(name) || NAMELESS}-${id}`;

/** Validates the role and name that the operator entered, before anything is stored. */
export function refusePersona(role: string, name: string): Refusal | undefined {
  if (normalizePart(role) === '') {
    return {
      code: 'bad_persona_role',
      sentence: 'The role needs at least one letter or digit (a–z, 0–9), such as "developer".',
    };
  }
  if (isTooLong(role)) {
    return {
      code: 'bad_persona_role',
      sentence: `The role has ${plainWord(role).length} characters; at most ${MAX_PART} are allowed.`,
    };
  }
  if (!/[\p{L}\p{N}]/u.test(name)) {
    return {
      code: 'bad_persona_name',
      sentence: 'The name needs at least one letter or digit, such as "Con".',
    };
  }
  return undefined;
}

export const personaNotFound = (slug: string): Refusal => ({
  code: 'persona_not_found',
  sentence: `Persona "${slug.slice(0, 80)}" not found`,
  hint: 'List the personas: baton persona list',
});

/**
 * Refuses to start an agent with an archived persona. Agents that already have the persona continue and can hand over.
 */
export const refuseArchived = ({ slug, status }: Pick<Persona, 'slug' | 'status'>): Refusal | undefined =>
  status === 'archived'
    ? {
        code: 'persona_archived',
        sentence: `Persona "${slug}" is archived, so no agent can be started with it`,
        hint: `Restore the persona first: baton persona restore ${slug}`,
      }
    : undefined;

/** Returns a name as people see it: on one line, without control characters, and with at most 80 characters. */
export const displayName = (name: string): string => withoutControls(name).replace(/\s+/g, ' ').trim().slice(0, 80);

/** Returns the role as it is stored: in lower case, so that "Developer" and "developer" are the same role. */
export const roleName = (role: string): string => normalizePart(role);
