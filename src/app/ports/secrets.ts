import type { NamedSecret } from '../../domain/secrets/known-values.ts';

/** What is kept, logged, streamed or sent out goes through here first. */
export interface KnownSecrets {
  /** Without its secrets: those that are known, by value, and whatever looks like one. */
  redact(text: string): string;
  /** Does it hold one that is known by value? */
  knows(text: string): boolean;
  /** From now on these are known; what was learned stays known, for an agent may still have an old one. */
  learn(secrets: Iterable<NamedSecret>): void;
}
