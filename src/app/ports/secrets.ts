import type { NamedSecret } from '../../domain/secrets/known-values.ts';

/** Finds and removes secrets in everything that is stored, logged, streamed or sent. */
export interface KnownSecrets {
  /** Removes secrets whose values are known, and everything that looks like a secret. */
  redact(text: string): string;
  /** Returns whether the text contains a secret whose value Baton knows. */
  knows(text: string): boolean;
  /** Adds values of known secrets. Old values stay in the list, because an agent may still have them. */
  learn(secrets: Iterable<NamedSecret>): void;
}
