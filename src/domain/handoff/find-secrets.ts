import type { Finding } from './finding.ts';
import { pieces } from './pieces.ts';

/**
 * Every pattern begins where a run of its characters begins and repeats within bounds, so it looks at each character a
 * bounded number of times.
 */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY|PuTTY-User-Key-File-\d/],
  ['an AWS access key', /(?<![A-Za-z0-9])(?:AKIA|ASIA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])/],
  ['a GitHub token', /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{22})/],
  ['a GitLab token', /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}/],
  ['a Slack token', /(?<![A-Za-z0-9])(?:xox[abeoprs]-[A-Za-z0-9-]{10}|xapp-[A-Za-z0-9-]{10})/],
  ['a Slack webhook', /hooks\.slack\.com\/services\/[A-Z0-9]{6,20}\//],
  ['an Anthropic key', /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{20}/],
  ['an OpenAI key', /(?<![A-Za-z0-9_-])sk-(?!ant-)(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20}/],
  ['a Google key', /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/],
  ['a Stripe key', /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{16}/],
  ['an npm token', /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/],
  ['a JSON web token', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,300}\.eyJ[A-Za-z0-9_-]{8}/],
  ['a password in an address', /:\/\/[^\s/:@]{1,64}:(?![<$*{[])[^\s/@]{3,128}@/],
];

const ASSIGNMENT =
  /(?:password|passwd|passphrase|secret|secret[_-]?(?:access[_-]?)?key|api[_-]?key|private[_-]?key|(?:access|auth|bearer|refresh)[_-]?token)["'`]?\s{0,3}(:=|=>|[:=])\s{0,3}(["'`]?)([^\s"'`,;]{6,128})/gi;

/** Names of secrets, not secrets: `$TOKEN`, `<your key>`, `process.env.KEY`, `****`, `getKey()`. */
const STANDS_FOR_ONE =
  /^[$<{[(*%@]|^\.\.\.|^x+$|[()<>]|^(?:process|os|env|config|settings|secrets|self|this)\.|example|changeme|redacted|your/i;

const SHORTEST_SECRET = 12;
const MOST_FINDINGS = 20;

/** What looks like a secret: its kind and line, never itself, nor anything of it. */
export function findSecrets(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let more = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length < SHORTEST_SECRET) continue;
    for (const kind of kindsIn(line)) {
      if (findings.length < MOST_FINDINGS) findings.push(finding(kind, index + 1));
      else more++;
    }
  }
  if (more > 0) findings.push({ rule: 'likely_secret', sentence: `${more} more places look like they hold a secret.` });
  return findings;
}

/** The kinds of secret that a text looks like it holds. */
export function secretKinds(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').flatMap((line) => (line.length < SHORTEST_SECRET ? [] : [...kindsIn(line)])));
}

function kindsIn(line: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const piece of pieces(line)) {
    for (const [kind, shape] of SHAPES) if (shape.test(piece)) kinds.add(kind);
    if (assignsPassword(piece)) kinds.add('a password or key');
  }
  return kinds;
}

/** After a colon prose may follow ("the password: ask Ann"), so only a value with a digit counts there. */
function assignsPassword(piece: string): boolean {
  for (const [, sign = '', quote = '', value = ''] of piece.matchAll(ASSIGNMENT)) {
    if (STANDS_FOR_ONE.test(value)) continue;
    if (quote !== '' || sign !== ':' || /\d/.test(value)) return true;
  }
  return false;
}

const finding = (kind: string, line: number): Finding => ({
  rule: 'likely_secret',
  line,
  sentence: `Line ${line} looks like it holds ${kind}. If it is real, replace it where it is used: Baton keeps the document as it was written.`,
});
