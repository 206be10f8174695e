/** Limits for a package that arrives as a value in a call. The same limits apply to a package file. */
const MAX_VALUES = 4_000;
const DEEPEST = 24;
const LONGEST = 128 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The reason why content cannot be read as plain data. `fix` tells the author how to correct the content; it is absent
 * if the general fix of rule HP001 fits.
 */
export interface UnreadableContent {
  readonly sentence: string;
  readonly fix?: string;
}

export const TOO_LARGE = 'Make the package smaller: name files as artifacts instead of copying their content.';
export const WITHOUT_CONTROLS = 'Remove the control characters, such as terminal colors.';

/**
 * Checks rule HP001 (size, nesting, control characters) for a package that did not arrive as YAML. This check runs
 * first and uses no recursion, so that deep nesting cannot overflow the stack. NUL is rejected, because SQLite would
 * truncate the text at the NUL.
 */
export function plainDataProblem(value: unknown): UnreadableContent | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  let length = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++values > MAX_VALUES) return tooMuch(`has more than ${MAX_VALUES} values`);
    if (next.depth > DEEPEST) return tooMuch(`is nested more than ${DEEPEST} levels deep`);
    const texts = typeof next.value === 'string' ? [next.value] : [];
    if (typeof next.value === 'object' && next.value !== null) {
      if (!Array.isArray(next.value)) texts.push(...Object.keys(next.value));
      for (const inner of Object.values(next.value)) waiting.push({ value: inner, depth: next.depth + 1 });
      // Check the number of values before visiting them, so that a list of a million empty values is rejected at once.
      if (waiting.length > MAX_VALUES) return tooMuch(`has more than ${MAX_VALUES} values`);
    }
    for (const text of texts) {
      length += text.length;
      if (CONTROL_CHARACTERS.test(text))
        return { sentence: 'The content contains control characters.', fix: WITHOUT_CONTROLS };
    }
    if (length > LONGEST) return tooMuch(`is larger than ${LONGEST / 1024} KiB`);
  }
  return undefined;
}

const tooMuch = (what: string): UnreadableContent => ({ sentence: `The content ${what}.`, fix: TOO_LARGE });
