import type { NamedSecret } from '../../domain/secrets/known-values.ts';

/** Finds and removes secrets in everything that is stored, logged, streamed or sent. */
export interface KnownSecrets {
  /** Removes the secrets that are known by value, and everything that looks like a secret. */
  redact(text: string): string;
  /** Does the text contain a secret that is known by value? */
  knows(text: string): boolean;
  /** Adds known secrets. Old values stay known, because an agent may still have them. */
  learn(secrets: Iterable<NamedSecret>): void;
}
