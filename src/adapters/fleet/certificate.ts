import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** How many years the certificate of a hub is valid. A joining machine gets the certificate with its invitation. */
const YEARS = 20;

/**
 * Makes a self-signed certificate for the hub. Node can read certificates but not make them, and not every machine has
 * openssl. So Baton itself writes the few structures of a certificate (RFC 5280, in DER).
 */
export function makeCertificate(host: string): { readonly certificate: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8('Baton hub'))));
  const now = new Date();
  const end = new Date(now);
  end.setFullYear(now.getFullYear() + YEARS);
  // Let the certificate begin two days ago, so that a machine whose clock is behind accepts the certificate, too.
  const begin = new Date(now.getTime() - 48 * 3_600_000);
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(begin), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeName(host), basicConstraints())),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The host that clients connect to. Clients refuse a certificate that does not name this host. */
function alternativeName(host: string): Buffer {
  const isAddress = isIP(host) === 4;
  const bytes = isAddress ? Buffer.from(host.split('.').map(Number)) : Buffer.from(host, 'ascii');
  return sequence(oid('2.5.29.17'), der(0x04, sequence(tagged(isAddress ? 0x87 : 0x82, bytes))));
}

/**
 * Marks the certificate as a certificate authority, because the clients of the hub trust no authority except this
 * certificate itself.
 */
const basicConstraints = (): Buffer =>
  sequence(oid('2.5.29.19'), der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts));
const tagged = (tag: number, content: Buffer): Buffer => der(tag, content);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

/** Encodes a time as GeneralizedTime, the form of time that has four digits for the year (UTCTime has two). */
const time = (at: Date): Buffer => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}
