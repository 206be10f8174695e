import { describe, expect, it } from 'vitest';
import { benignLines } from '../../../prove/guard/benign-lines.ts';
import { SECRET_KINDS, seededSecrets, tracesOf } from '../../../prove/guard/secrets.ts';
import { knownValues, type NamedSecret } from '../../../src/domain/secrets/known-values.ts';
import { redact, redactWithin } from '../../../src/domain/secrets/redact.ts';
import { isSecretName, isSecretValue } from '../../../src/domain/secrets/secret-names.ts';
import { fastestOf } from '../../support/fastest-of.ts';

const secrets = seededSecrets(20, 400);
const known = knownValues(
  secrets.flatMap(({ variable, value }): NamedSecret[] => (variable === undefined ? [] : [{ name: variable, value }])),
);
const clean = (text: string): string => redact(text, known);

describe('redaction', () => {
  it('[T20] redaction removes secrets of at least twenty kinds from lines of text', () => {
    expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(20);
    const left = secrets.filter((secret) => tracesOf(secret).some((trace) => clean(secret.line).includes(trace)));
    expect(left.map(({ kind, line }) => `${kind}: ${line}`)).toEqual([]);
  });

  it('[T20] redaction changes at most 1 of 100 harmless lines', () => {
    const lines = benignLines(1, 1_000);
    const changed = lines.filter((line) => clean(line) !== line);
    // Only one text is redacted by mistake: a quoted translation of the word "password". This is accepted, because
    // redacting too much is better than leaking a password.
    expect([...new Set(changed)]).toEqual(['"password": "Passwort",']);
    expect(changed.length).toBeLessThan(10);
  });

  it('redaction is idempotent', () => {
    for (const { line } of secrets) expect(clean(clean(line))).toBe(clean(line));
  });

  it('redaction names the kind of secret that was removed', () => {
    const token = `${'ghp_'}${'a1B2c3'.repeat(6)}`;
    expect(clean(`use ${token} now`)).toBe('use [redacted github-token] now');
    expect(clean('postgres://con:correct-horse@db/shop')).toBe('postgres://con:[redacted password]@db/shop');
    const [first] = secrets.filter(({ kind }) => kind === 'known_value');
    expect(clean(`got ${first?.value}.`)).toBe(`got [redacted ${first?.variable}].`);
  });

  it('redaction also removes a secret that is cut off at the end of the text', () => {
    for (const secret of secrets.filter(({ kind }) => kind.startsWith('github') || kind === 'known_value')) {
      const cut = `said ${secret.value.slice(0, 18)}`;
      expect(clean(cut)).not.toContain(secret.value.slice(0, 18));
    }
    expect(clean('open http://localhost:3000')).toBe('open http://localhost:3000');
  });

  it('redaction covers every string inside a nested value', () => {
    const token = `${'ghp_'}${'a1B2c3'.repeat(6)}`;
    const value = { a: [token, 1, null], ref: token, b: { c: `x ${token}` } };
    expect(redactWithin(value, clean, new Set(['ref']))).toEqual({
      a: ['[redacted github-token]', 1, null],
      ref: token,
      b: { c: 'x [redacted github-token]' },
    });
  });

  it.each([
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'OPENAI_API_KEY',
    'npm_config__auth',
    'STRIPE_KEY',
    'PGPASSWORD',
  ])('a variable named %s counts as a secret', (name) => expect(isSecretName(name)).toBe(true));
  it.each([
    'PATH',
    'SSH_AUTH_SOCK',
    'GIT_ASKPASS',
    'PWD',
    'OLDPWD',
    'KEYBOARD',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'PASSWORD_STORE_DIR',
    'AWS_ACCESS_KEY_FILE',
    'AUTHOR',
  ])('a variable named %s does not count as a secret', (name) => expect(isSecretName(name)).toBe(false));
  it('redaction does not treat common short words as secret values', () => {
    expect(['short', 'disabled', '/home/con/key', '        '].filter(isSecretValue)).toEqual([]);
    expect(isSecretValue('hunter2hunter')).toBe(true);
  });
});

/**
 * Beginnings of texts that the patterns for secrets match. When repeated, such a beginning may cause excessive
 * backtracking.
 */
const HOSTILE = [
  'a',
  'A7',
  '_',
  '-',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A',
  'eyJ',
  'eyJaaaaaaaa.',
  'eyJaaaaaaaa.eyJ',
  '://',
  '://a:',
  '://a:b',
  'a:b',
  'password=',
  'password="',
  'token ',
  '--token ',
  'secret: ',
  'api_key',
  'Bearer ',
  'Authorization: ',
  'authorization',
  'sk-',
  'sk-a',
  'xoxb-',
  'ghp_',
  'gh',
  'AKIA',
  'hooks.slack.com/services/AAAAAA/',
  '?key=',
  '&sig=',
  'SG.',
  'ya29.',
  '12345678:AA',
  'hf_',
  'hvs.',
  '\\"',
  '[redacted value]',
];

describe('[T20] redaction of hostile text', () => {
  it('redaction takes linear time, whatever pattern the text repeats', () => {
    const few = knownValues(secrets.slice(0, 40).map(({ value, kind }) => ({ name: kind, value })));
    const repeated = (unit: string, length: number): string =>
      unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    // A text that is eight times as long is allowed to take at most 24 times as long. An expression with quadratic time
    // would take 64 times as long. Times below 20 ms are too noisy and count as 20 ms.
    const slow = HOSTILE.filter((unit) => {
      const short = fastestOf(() => void redact(repeated(unit, 32_000), few), 20);
      const allowed = 24 * Math.max(short, 20);
      return fastestOf(() => void redact(repeated(unit, 256_000), few), allowed) > allowed;
    });
    expect(slow).toEqual([]);
  });
});
