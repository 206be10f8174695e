import { Dice } from '../sim/dice.ts';

/** A made-up secret, and a line that contains it. */
export interface SeededSecret {
  readonly kind: string;
  /** The secret itself, which must not be found anywhere. */
  readonly value: string;
  readonly line: string;
  /** The name of an environment variable with this secret. Undefined if Baton recognizes the secret by its shape. */
  readonly variable?: string;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const WORD = UPPER + LOWER + DIGITS;
const URL_SAFE = `${WORD}_-`;

const text = (dice: Dice, from: string, length: number): string =>
  Array.from({ length }, () => from.charAt(dice.between(0, from.length - 1))).join('');

type Maker = (dice: Dice) => Omit<SeededSecret, 'kind'>;

const alone =
  (make: (dice: Dice) => string, before = 'it said ', behind = ' and went on'): Maker =>
  (dice) => {
    const value = make(dice);
    return { value, line: `${before}${value}${behind}` };
  };
const known =
  (make: (dice: Dice) => string, name: string, line = (value: string) => `got ${value} back`): Maker =>
  (dice) => {
    const value = make(dice);
    return { value, line: line(value), variable: `${name}_${text(dice, UPPER, 6)}_TOKEN` };
  };
/** Random characters that include a digit, as almost every real secret does. */
const mixed = (dice: Dice, length: number): string => `${text(dice, WORD, length - 2)}7${text(dice, LOWER, 1)}`;

/** The secrets are joined from parts, so that secret scanners do not report this file. */
const KINDS: Readonly<Record<string, Maker>> = {
  aws_access_key: alone((dice) => `AK${'IA'}${text(dice, UPPER + DIGITS, 15)}7`),
  aws_session_key: alone((dice) => `AS${'IA'}${text(dice, UPPER + DIGITS, 15)}Q`, 'key='),
  github_token: alone((dice) => `gh${'p_'}${text(dice, WORD, 36)}`),
  github_oauth: alone(
    (dice) => `gh${'o_'}${text(dice, WORD, 36)}`,
    'fatal: could not read from https://x:',
    '@github.com/a/b',
  ),
  github_fine_grained: alone((dice) => `github${'_pat_'}${text(dice, WORD, 22)}_${text(dice, WORD, 59)}`),
  gitlab_token: alone((dice) => `gl${'pat-'}${text(dice, URL_SAFE, 20)}`, 'remote: HTTP Basic: ', ''),
  anthropic_key: alone((dice) => `sk${'-ant-'}api03-${text(dice, URL_SAFE, 80)}AA`),
  openai_key: alone((dice) => `sk${'-proj-'}${mixed(dice, 12)}${text(dice, URL_SAFE, 40)}x`),
  slack_token: alone((dice) => `xox${'b-'}${text(dice, DIGITS, 11)}-${text(dice, WORD, 24)}`),
  slack_webhook: (dice) => {
    const value = `T${text(dice, UPPER + DIGITS, 8)}/B${text(dice, UPPER + DIGITS, 8)}/${text(dice, WORD, 24)}`;
    return { value, line: `curl https://hooks.slack${'.com'}/services/${value} failed` };
  },
  google_key: alone((dice) => `AI${'za'}${text(dice, URL_SAFE, 35)}`, 'key is "', '"'),
  stripe_key: alone((dice) => `sk${'_live_'}${text(dice, WORD, 24)}`),
  npm_token: alone((dice) => `npm${'_'}${text(dice, WORD, 36)}`, '//registry.example/:_authToken='),
  pypi_token: alone((dice) => `pypi${'-AgEI'}${text(dice, URL_SAFE, 70)}`),
  sendgrid_key: alone((dice) => `SG${'.'}${text(dice, URL_SAFE, 22)}.${text(dice, URL_SAFE, 43)}`),
  json_web_token: alone(
    (dice) => `ey${'J'}${text(dice, WORD, 30)}.ey${'J'}${text(dice, WORD, 60)}.${text(dice, URL_SAFE, 43)}`,
  ),
  bearer_token: (dice) => {
    const value = mixed(dice, 40);
    return { value, line: `> Authorization: Bearer ${value}` };
  },
  basic_header: (dice) => {
    const value = `${text(dice, WORD, 22)}==`;
    return { value, line: `{"headers":{"authorization":"Basic ${value}"}}` };
  },
  address_password: (dice) => {
    const value = mixed(dice, 18);
    return { value, line: `cannot connect to postgres://shop:${value}@db.internal:5432/shop` };
  },
  assigned_password: (dice) => {
    const value = mixed(dice, 14);
    return { value, line: `DB_PASSWORD=${value} npm start` };
  },
  assigned_in_json: (dice) => {
    const value = mixed(dice, 20);
    return { value, line: `{"client_secret": "${value}", "n": 1}` };
  },
  flag_password: (dice) => {
    const value = mixed(dice, 12);
    return { value, line: `mysql --password ${value} -h db` };
  },
  private_key: (dice) => {
    const value = text(dice, `${WORD}+/`, 64);
    const name = `${'RSA '}PRIVATE KEY`;
    return { value, line: `-----BEGIN ${name}-----\n${text(dice, WORD, 64)}\n${value}\n-----END ${name}-----` };
  },
  known_value: known((dice) => text(dice, LOWER, 20), 'SHOP'),
  known_in_base64: known(
    (dice) => text(dice, LOWER, 21),
    'CODED',
    (value) => `sent ${Buffer.from(value).toString('base64')} along`,
  ),
  known_in_address: known(
    (dice) => `${text(dice, LOWER, 9)}&${text(dice, LOWER, 9)}`,
    'QUERY',
    (value) => `GET /x?q=${encodeURIComponent(value)}`,
  ),
  known_in_json: known(
    (dice) => `${text(dice, LOWER, 9)}"${text(dice, LOWER, 9)}`,
    'QUOTED',
    (value) => `body ${JSON.stringify({ said: value })}`,
  ),
};

export const SECRET_KINDS = Object.keys(KINDS);

/** Makes secrets of all kinds in turn. The same seed gives the same secrets. */
export function seededSecrets(seed: number, count: number): readonly SeededSecret[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const kind = SECRET_KINDS[index % SECRET_KINDS.length] as string;
    return { kind, ...(KINDS[kind] as Maker)(dice) };
  });
}

/**
 * The forms in which a secret could leak: the value itself, and the value in each encoding in which this test sent it.
 */
export const tracesOf = ({ value, kind }: SeededSecret): readonly string[] => [
  value,
  ...(kind === 'known_in_base64' ? [Buffer.from(value).toString('base64').slice(0, 24)] : []),
  ...(kind === 'known_in_address' ? [encodeURIComponent(value)] : []),
  ...(kind === 'known_in_json' ? [JSON.stringify(value).slice(1, -1)] : []),
];

/** Returns the secrets that these bytes contain. */
export function findTraces(bytes: Buffer, secrets: readonly SeededSecret[]): readonly SeededSecret[] {
  return secrets.filter((secret) => tracesOf(secret).some((trace) => bytes.includes(trace)));
}
