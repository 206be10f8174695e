import { type KnownValues, knownValues, type NamedSecret, placesOf } from '../../domain/secrets/known-values.ts';
import { redact } from '../../domain/secrets/redact.ts';
import { isSecretName, isSecretValue } from '../../domain/secrets/secret-names.ts';
import type { KnownSecrets } from '../ports/secrets.ts';

/**
 * How many texts Baton remembers as free of secrets. Every hook repeats the same session ids, paths and tool names, so
 * Baton need not search these texts each time. Long texts are rarely repeated, so Baton does not remember them.
 */
const CLEAN_TEXTS = 500;
const CLEAN_TEXT_LENGTH = 300;

/** Maximum number of known secrets. It is far more than needed, but without any limit the list could grow forever. */
const MOST = 5_000;

export function createKnownSecrets(): KnownSecrets {
  const named = new Map<string, NamedSecret>();
  let known: KnownValues | undefined = new Map();
  const values = (): KnownValues => {
    known ??= knownValues(named.values());
    return known;
  };
  const clean = new Set<string>();
  const redactOnce = (text: string): string => {
    if (clean.has(text)) return text;
    const redacted = redact(text, values());
    if (redacted !== text || text.length > CLEAN_TEXT_LENGTH) return redacted;
    if (clean.size >= CLEAN_TEXTS) clean.clear();
    clean.add(text);
    return text;
  };
  return {
    redact: redactOnce,
    knows: (text) => placesOf(text, values()).next().done === false,
    learn: (secrets) => {
      for (const secret of secrets) {
        if (named.has(secret.value) || named.size >= MOST || !isSecretValue(secret.value)) continue;
        named.set(secret.value, secret);
        known = undefined;
        clean.clear();
      }
    },
  };
}

/** Returns the environment variables that contain a secret, judged by their names. */
export const secretsIn = (env: Readonly<Record<string, string | null | undefined>>): readonly NamedSecret[] =>
  Object.entries(env).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretName(name) ? [{ name, value }] : [],
  );
