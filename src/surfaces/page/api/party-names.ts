import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Persona } from '../../../contract/resources.ts';
import { personasQuery } from './queries.ts';

/** Returns the name that the page shows for a sender or receiver, such as `Con` for the slug `developer-con-1`. */
export type Called = (name: string) => string;

const AGENT = /^agent-(\d+)$/;
const NO_PERSONAS: readonly Persona[] = [];

/**
 * Returns a function that turns the slug of a sender or receiver into the name of the persona. If two personas have the
 * same name, the function adds the slug to the name.
 */
export const calledBy =
  (personas: readonly Pick<Persona, 'slug' | 'name'>[]): Called =>
  (name) => {
    if (name === 'human' || name === 'orchestrator') return 'you';
    const number = AGENT.exec(name)?.[1];
    if (number !== undefined) return `agent ${number}`;
    const persona = personas.find(({ slug }) => slug === name);
    if (persona === undefined) return name;
    const isOnly = personas.filter((each) => each.name === persona.name).length === 1;
    return isOnly ? persona.name : `${persona.name} (${name})`;
  };

export function usePartyNames(): Called {
  const { data: personas = NO_PERSONAS } = useQuery(personasQuery);
  return useMemo(() => calledBy(personas), [personas]);
}
