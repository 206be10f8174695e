/**
 * Matches assignments such as `password: …`, `API_KEY=…`, `"client_secret": "…"` and `--token …`. Every match begins at
 * the keyword, so no assignment is matched twice.
 */
const ASSIGNMENT =
  /(?:password|passwd|passphrase|(?<![A-Za-z])pwd|secret|secret[_-]?(?:access[_-]?)?key|api[_-]?key|(?:private|access|account|signing|encryption|master)[_-]?key|(?:access|auth|bearer|refresh|session|id)[_-]?token|(?<![A-Za-z])token)\\?["'`]?(\s{0,3}(?::=|=>|[:=])\s{0,3}|\s{1,3})(\\?["'`]?)([^\s"'`,;\\]{6,256})/gi;

/**
 * Matches a value that is only a stand-in for a secret: `$TOKEN`, `<your key>`, `process.env.KEY`, `****`, `getKey()`,
 * `user.password`.
 */
const STANDS_FOR_ONE =
  /^[$<{[(*%@=]|^\.\.\.|^x+$|[()<>]|^(?:process|os|env|config|settings|secrets|self|this)\.|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|example|changeme|redacted|your/i;

export interface AssignedSecret {
  /** The position at which the secret value begins in the text. */
  readonly start: number;
  readonly end: number;
  /**
   * True if the value consists of words and numbers, as in `password=hunter-two`. Such a value may be ordinary text and
   * not a secret.
   */
  readonly isReadable: boolean;
}

/** Matches words and numbers with units: `hunter-two`, `30days`, `expires-after-900-seconds`; not `correct9horse`. */
const READABLE =
  /^(?:[A-Za-z]{1,30}|\d{1,6}[a-z]{0,8})(?:[-_./]{1,2}(?:[A-Za-z]{1,30}|\d{1,6}[a-z]{0,8})){0,12}[.:!?)]{0,2}$/;

/** Yields the positions of secret values that a text assigns to a password or key. */
export function* assignedSecrets(text: string): Generator<AssignedSecret> {
  for (const match of text.matchAll(ASSIGNMENT)) {
    const [whole, sign = '', quote = '', value = ''] = match;
    if (!isSecret({ whole, sign, quote, value, isFlag: text.startsWith('--', lineWordStart(text, match.index)) }))
      continue;
    const end = match.index + whole.length;
    yield { start: end - value.length, end, isReadable: READABLE.test(value) };
  }
}

/**
 * Returns the start of the word that ends at `at`. Looks back at most 24 characters, which is enough for the longest
 * option name.
 */
function lineWordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 24 && /[A-Za-z-]/.test(text.charAt(start - 1))) start--;
  return start;
}

interface Found {
  readonly whole: string;
  readonly sign: string;
  readonly quote: string;
  readonly value: string;
  readonly isFlag: boolean;
}

/**
 * Returns whether the value after the keyword is a secret. Ordinary text may follow the keyword, as in "the password:
 * ask Ann". So a value without quotes and outside of `NAME=value` counts only if it has a digit.
 */
function isSecret({ whole, sign, quote, value, isFlag }: Found): boolean {
  if (STANDS_FOR_ONE.test(value) || /^[0-9.]{1,12}$/.test(value)) return false;
  const isMixed = /\d/.test(value) && (/^p(?:ass|wd)/i.test(whole) || !READABLE.test(value));
  if (!/[:=]/.test(sign)) return isFlag && (isMixed || quote !== '');
  if (quote !== '') return isMixed || sign.includes('=') || value.length >= 8;
  return isMixed || sign === '=';
}
