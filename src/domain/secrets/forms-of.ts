/**
 * Returns the forms in which a value may occur in a text: plain, in JSON, in a URL, and in base64. The base64 form
 * depends on the byte offset at which the value begins, so each of the three possible offsets has its own form.
 */
export function formsOf(value: string): readonly string[] {
  const bytes = utf8(value);
  const encoded = ([0, 1, 2] as const).map((behind) => base64Within(bytes, behind));
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      percentEncoded(value),
      ...encoded,
      ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ];
}

/** Encodes the value for a URL. Returns it unchanged if it has a lone surrogate, which cannot be encoded. */
function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

function utf8(value: string): readonly number[] {
  const encoded = percentEncoded(value.replace(/[\ud800-\udfff]/gu, '?'));
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length; at++) {
    if (encoded[at] !== '%') bytes.push(encoded.charCodeAt(at));
    else {
      bytes.push(Number.parseInt(encoded.slice(at + 1, at + 3), 16));
      at += 2;
    }
  }
  return bytes;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Returns only the base64 letters that do not depend on the neighboring bytes, because the bytes before and after the
 * value are unknown.
 */
function base64Within(bytes: readonly number[], behind: 0 | 1 | 2): string {
  const whole = bytes.slice(behind === 0 ? 0 : 3 - behind);
  let text = '';
  for (let at = 0; at + 3 <= whole.length; at += 3) {
    const three = ((whole[at] ?? 0) << 16) | ((whole[at + 1] ?? 0) << 8) | (whole[at + 2] ?? 0);
    text += [18, 12, 6, 0].map((shift) => LETTERS.charAt((three >> shift) & 63)).join('');
  }
  return text;
}
