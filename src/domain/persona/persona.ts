import type { Instant } from '../instant.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';

/** An identity that outlives agents: it owns skills, experience and handoff documents. */
export interface Persona {
  readonly id: number;
  readonly slug: string;
  readonly role: string;
  readonly name: string;
  readonly status: 'active' | 'archived';
  readonly createdAt: Instant;
}

const LONGEST_PART = 20;

/** Lower case letters, digits and single hyphens: what may stand in a path, a tmux target and a URL without quoting. */
const normalisePart = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_PART)
    .replace(/-+$/, '');

export const personaSlug = (role: string, name: string, id: number): string =>
  `${normalisePart(role)}-${normalisePart(name)}-${id}`;

/** Checks what the operator typed before anything is stored. */
export function refusePersona(role: string, name: string): Refusal | undefined {
  if (normalisePart(role) === '') {
    return {
      code: 'bad_persona_role',
      sentence: 'The role needs at least one letter or digit (a–z, 0–9), such as "developer".',
    };
  }
  if (normalisePart(name) === '') {
    return {
      code: 'bad_persona_name',
      sentence: 'The name needs at least one letter or digit (a–z, 0–9), such as "Con".',
    };
  }
  return undefined;
}

/** The name as people see it. */
export const displayName = (name: string): string => withoutControls(name).replace(/\s+/g, ' ').trim().slice(0, 80);

/** What a persona's role is stored as: one word, lower case, so that "Developer" and "developer" are the same role. */
export const roleName = (role: string): string => normalisePart(role);
