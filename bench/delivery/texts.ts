/**
 * One prompt: the text that the bench gives to Baton, and the text that the agent's composer must contain when the
 * prompt is sent.
 */
export interface Sample {
  readonly size: string;
  readonly text: string;
  readonly expected: string;
}

type Maker = (token: string, serial: number) => Omit<Sample, 'size'>;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const same = (text: string) => ({ text, expected: text });
const line = (token: string, bytes: number) =>
  `${token} ${'the quick brown fox jumps; '.repeat(bytes / 20)}`.slice(0, bytes - 1);
const lines = (token: string, bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 80) }, (_, index) => line(`${token} line ${index}`, 80)).join('\n');

/**
 * The text that Baton gets and the text that the composer must show are both written by hand. If Baton's own code
 * computed the second text, a mistake in that code would stay hidden.
 */
const SPICY: readonly Maker[] = [
  (token) =>
    same(
      `${token} 'single' "double" \`back\` $HOME $(touch x) \${x} \\n \\033[0m ; && | > < * ? ~ % ^ & {} [] #{pid} #(id);`,
    ),
  (token) => same(`${token} ünïcödé 日本語 한국어 🙂🚀 Ωμέγα café naïve — “quotes” … ✓`),
  (token) => ({ text: `/exit ${token}\ttab\r\nnext`, expected: `Note: /exit ${token}    tab\nnext` }),
  (token) => ({
    text: `${token} safe\u001b[201~\r/exit\r\u001b[200~ \u0003\u0004\u007f\u009b31m \u202eevil\u202c \u0000end`,
    expected: `${token} safe[201~\n/exit\n[200~ 31m evil end`,
  }),
  (token) => same(`${token} -R --flag ;\n\n; trailing;\n  indented 日本\n;`),
  (token) => same(`${token}\n${'#{E:@x} "quoted" \\ back\\slash 🙂 é ;\n'.repeat(40)}end;`),
];

const MAKERS: readonly (readonly [size: string, make: Maker])[] = [
  ['80 B', (token) => same(line(token, 80))],
  ['3 KB', (token) => same(lines(token, 3 * 1024))],
  ['1 B', (_, serial) => same(LETTERS[Math.floor(serial / 6) % LETTERS.length] as string)],
  ['spicy', (token, serial) => (SPICY[Math.floor(serial / 6) % SPICY.length] as Maker)(token, serial)],
  ['12 KB', (token) => same(line(token, 12 * 1024))],
  ['64 KB', (token) => same(lines(token, 64 * 1024))],
];

/**
 * Returns a function that makes texts of all sizes in turn. `first` is the number of the first text. There are only 62
 * texts of one byte, so these texts repeat.
 */
export function createTexts(name: string, first = 0): () => Sample {
  let serial = first;
  return () => {
    const [size, make] = MAKERS[serial % MAKERS.length] as (typeof MAKERS)[number];
    const sample = make(`${name}-${serial}.`, serial);
    serial += 1;
    return { size, ...sample };
  };
}
