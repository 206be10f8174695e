import { pieces } from '../../handoffs/document/chunk-line.ts';
import { secretKinds } from '../../handoffs/document/find-secrets.ts';
import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import { type Path, type Placed, textsIn } from './view.ts';

/**
 * Searches values and keys for secrets (SPEC P11, lint rule HP701). Reports the kind of a secret, never the secret
 * itself.
 */
export function secretFindings(value: unknown, root: Path): readonly LintFinding[] {
  const texts = textsIn(value, root);
  const named = texts.map(({ text, path }) => ({ text: assigned(text, path), path }));
  return [...named, ...keysIn(value, root)].flatMap(({ text, path }) =>
    [...secretKinds(text)].map(([kind, isGuess]) =>
      isGuess
        ? found('HP701', path, `This value may contain ${kind}.`, 'warning')
        : found(
            'HP701',
            path,
            `This text looks like it contains ${kind}, and Baton does not store a package with a secret.`,
          ),
    ),
  );
}

/** True if the value contains a secret of a known form. A package with such a secret is not stored. */
export const holdsSecret = (value: unknown): boolean =>
  secretFindings(value, []).some(({ severity }) => severity === 'error');

/**
 * Joins a key and its value to one text, as before the parser split a text such as `password: hunter2secret`. Only in
 * this form can the search for secrets find such a text.
 */
const assigned = (text: string, path: Path): string => `${String(path.at(-1) ?? '')}: ${text}`;

function keysIn(value: unknown, root: Path): readonly Placed[] {
  const keys: Placed[] = [];
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    // A key may itself be a secret. So the finding names the root as its location, because the location of the key
    // would contain the key.
    if (!Array.isArray(next)) keys.push(...Object.keys(next).map((text) => ({ text, path: root })));
    waiting.push(...Object.values(next).filter((item) => item !== undefined && item !== null));
  }
  return keys;
}

const TOKEN = /[A-Za-z0-9+/_=-]{32,200}/g;
const KNOWN = /^(?:[0-9a-f]+|[0-9A-F]+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9A-HJKMNP-TV-Z]{26})$/;

/** Checks HP701: warns of text that looks random or looks like a password. */
export function randomTextFindings(value: unknown, root: Path): readonly LintFinding[] {
  return textsIn(value, root).flatMap(({ text, path }) => {
    if (path.at(-1) === 'path') return [];
    const what = [...tokensIn(text)].some(looksRandom)
      ? 'a long random text that may be a secret'
      : holdsPassword(text)
        ? 'a possible password'
        : undefined;
    return what === undefined ? [] : [found('HP701', path, `This value contains ${what}.`, 'warning')];
  });
}

/** Matches a word that looks like a password: `Jabuticaba#7719!x`, but not `issue#42`, an address or a price. */
const SIGNED = /(?<!\S)[\p{L}\d]{2,30}[#!$^&*?@~][\p{L}\d#!$^&*?@~]{3,60}(?=[.,;:)"']{0,3}(?:\s|$))/gu;

const NAMED =
  /passwor[dt]|wachtwoord|senha|contraseña|mot de passe|hasło|heslo|parola|şifre|пароль|密码|密碼|パスワード|비밀번호/giu;
const NEAR = 40;

function holdsPassword(text: string): boolean {
  const isSigned = [...text.matchAll(SIGNED)].some(
    ([word]) => /\p{L}/u.test(word) && /\d/.test(word) && !/^\p{L}+[#@]\d+$|^\d+\D\d+$/u.test(word),
  );
  const after = [...text.matchAll(NAMED)].map(({ index, 0: word }) =>
    text.slice(index + word.length, index + word.length + NEAR),
  );
  return isSigned || after.some((words) => words.split(/[\s"'`«»“”„「」]/).some(isMixedWord));
}

/** True for a word such as `Sommer2024`, but not for `SHA256`, `argon2id` or `12-stellig`. */
const isMixedWord = (word: string): boolean =>
  word.length >= 8 && /\p{Ll}/u.test(word) && /\p{Lu}/u.test(word) && /\d\d/.test(word) && !word.includes('/');

function* tokensIn(text: string): Generator<string> {
  for (const piece of pieces(text)) for (const [token] of piece.matchAll(TOKEN)) yield token;
}

function looksRandom(token: string): boolean {
  if (KNOWN.test(token) || token.split('/').length > 2) return false;
  const isMixed = /[a-z]/.test(token) && /[A-Z]/.test(token) && /\d/.test(token);
  return isMixed && entropy(token) > 4;
}

/** The entropy of a text in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

const COMMANDS =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|other) (?:instructions?|prompts?|rules|constraints)|\byou are now\b|\bsystem prompt\b|\bdo not (?:tell|inform|mention (?:this|it) to) (?:the )?(?:user|operator|human)/i;
const INLINED = /^(?:diff --git |@@ -\d+|index [0-9a-f]{7,}\.\.)/m;
const TURNS = /^[ \t]{0,20}(?:user|human|assistant|ai|system)[ \t]{0,4}:/gim;

/** Checks HP703 (quoted orders to the receiver), and HP104 for a pasted diff or transcript. */
export function foreignTextFindings(prose: readonly Placed[]): readonly LintFinding[] {
  return prose.flatMap(({ text, path }) => [
    ...(COMMANDS.test(text)
      ? [found('HP703', path, 'This text looks like quoted output that gives orders to the receiver.')]
      : []),
    ...(INLINED.test(text) || (text.match(TURNS)?.length ?? 0) >= 3
      ? [found('HP104', path, 'This text contains a pasted diff or transcript.', 'warning')]
      : []),
  ]);
}
