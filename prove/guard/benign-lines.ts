import { createHash } from 'node:crypto';
import { Dice } from '../sim/dice.ts';

const WORDS =
  'the agent writes its document before it leaves and a successor reads what stands there about tokens secrets keys passwords tests branches queues screens hooks prices baskets users sessions'.split(
    ' ',
  );

/**
 * Everyday lines of terminals and hooks. They contain no secret, although many look like a secret or mention secrets.
 */
const CODE = [
  'const token = await getToken(request);',
  'if (password === stored.password) return true;',
  'password: string;',
  'readonly apiKey: string | undefined;',
  'export PATH="$HOME/bin:$PATH"',
  'max_tokens=4096 temperature=0.2',
  'tokens: 12345, window: 200000',
  'const secret = process.env.SHOP_SECRET;',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer <your token>',
  'curl -u user:$PASSWORD https://example.test/',
  'git clone https://github.com/acme/shop.git',
  'git clone git@github.com:acme/shop.git',
  'http://localhost:3000',
  'http://127.0.0.1:7421/#code=',
  'The password: ask Ann for it.',
  'token expired, log in again',
  'The secret of a good handoff is what is left out.',
  'API_KEY=$SHOP_API_KEY',
  'PASSWORD=$(pass show shop)',
  'npm_config_registry=https://registry.example.test/',
  'npm_lifecycle_event=test',
  'sk-icon-button sk-loading-container-component',
  'task-management-and-reporting-for-shops',
  'class SecretName extends TokenReader<KeyOf<T>> {}',
  'function passwordOf(user) { return user.password }',
  'primary_key: order_id, foreign_key: customer_id',
  'cache_key=orders:page:3',
  'accessToken = response.data.token',
  '"password": "Passwort",',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJq3zB2Zy9p2m6T7d3Yw5oXxkzqvH0YwYb8jJm1dQe7f con@shop',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"',
  '"integrity": "sha512-2J1d2y8kQ0lF4n7oA1mS9pZ3b5c6d7e8f9g0h1i2j3k4l5m6n7o8p9q0r1s2t3u4v5w6x7y8z9A0B1C2D3E4F5==",',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  'handoff-end:K7Q2ZP4M',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJust a word',
  'postgres://shop@db.internal:5432/shop',
  'See https://example.test/a?page=2&sort=key and https://example.test/b?key=name',
];

type Maker = (dice: Dice, index: number) => string;

const hash = (kind: string, index: number, as: 'hex' | 'base64'): string =>
  createHash(kind).update(`line ${index}`).digest(as);
const prose = (dice: Dice): string => Array.from({ length: dice.between(6, 14) }, () => dice.pick(WORDS)).join(' ');

const MAKERS: readonly Maker[] = [
  (_, index) => `commit ${hash('sha1', index, 'hex')}`,
  (_, index) => `sha256:${hash('sha256', index, 'hex')}`,
  (_, index) => hash('sha512', index, 'base64'),
  (_, index) => {
    const hex = hash('sha256', index, 'hex');
    return `session ${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  },
  (dice) => `${prose(dice)}.`,
  (dice) => Buffer.from(prose(dice)).toString('base64'),
  (dice) =>
    `  at ${dice.pick(WORDS)} (/home/con/shop/src/${dice.pick(WORDS)}.ts:${dice.between(1, 900)}:${dice.between(1, 80)})`,
  (dice) => `${dice.pick(WORDS)}=${dice.between(1, 1e9)} ${dice.pick(WORDS)}: ${dice.pick(WORDS)}`,
  (dice) => `https://example.test/${dice.pick(WORDS)}/${dice.between(1, 1e6)}?${dice.pick(WORDS)}=${dice.pick(WORDS)}`,
  (_, index) => CODE[index % CODE.length] as string,
  (_, index) => CODE[(index * 7 + 3) % CODE.length] as string,
];

/** Returns ordinary lines without a secret. The same seed gives the same lines. */
export function benignLines(seed: number, count: number): readonly string[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => (MAKERS[index % MAKERS.length] as Maker)(dice, index));
}
