/** Bounds of a package that comes as a value and not as a file; the same as of a file. */
const MAX_VALUES = 4_000;
const DEEPEST = 24;
const LONGEST = 128 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * HP001 for what did not come as YAML. Asked first: what is deeper than the stack must be found without calls, and a NUL
 * would end SQLite's text.
 */
export function plainDataProblem(value: unknown): string | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  let length = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++values > MAX_VALUES) return `It has more than ${MAX_VALUES} values.`;
    if (next.depth > DEEPEST) return `It is nested more than ${DEEPEST} deep.`;
    const texts = typeof next.value === 'string' ? [next.value] : [];
    if (typeof next.value === 'object' && next.value !== null) {
      if (!Array.isArray(next.value)) texts.push(...Object.keys(next.value));
      for (const inner of Object.values(next.value)) waiting.push({ value: inner, depth: next.depth + 1 });
      // A list of a million nothings is a million values as well, and is not walked to its end.
      if (waiting.length > MAX_VALUES) return `It has more than ${MAX_VALUES} values.`;
    }
    for (const text of texts) {
      length += text.length;
      if (CONTROLS.test(text)) return 'It has control characters in it.';
    }
    if (length > LONGEST) return `It is larger than ${LONGEST / 1024} KiB.`;
  }
  return undefined;
}
