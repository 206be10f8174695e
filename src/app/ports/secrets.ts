import type { NamedSecret } from '../../domain/secrets/known-values.ts';

/** Redacts everything that is stored, logged, streamed or sent out. */
export interface KnownSecrets {
  /** Removes secrets: those known by value, and everything that looks like one. */
  redact(text: string): string;
  /** Does it contain a secret known by value? */
  knows(text: string): boolean;
  /** Adds known secrets. Old values stay known, because an agent may still have them. */
  learn(secrets: Iterable<NamedSecret>): void;
}
