/**
 * The names of browsers, each with a pattern for the user agent. The first pattern that matches decides. The order
 * matters, because most browsers also name other browsers in their user agent.
 */
const BROWSERS = [
  ['Firefox', /Firefox|FxiOS/],
  ['Edge', /Edg/],
  ['Opera', /OPR/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
] as const;
const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** Returns a name such as "Safari on iPhone", by which the operator recognizes this device in the list of devices. */
export function deviceName(userAgent: string): string {
  const find = (known: readonly (readonly [string, RegExp])[]) => known.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = find(SYSTEMS);
  return `${find(BROWSERS) ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`;
}
