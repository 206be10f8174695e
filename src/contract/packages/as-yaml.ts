/** Matches texts that need no quotes in YAML. Words such as `true` or `no` also match, but NOT_A_TEXT excludes them. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./(),;-]+)*$/;
const NOT_A_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const scalar = (value: unknown): string => {
  if (typeof value === 'string' && PLAIN.test(value) && !NOT_A_TEXT.test(value)) return value;
  return JSON.stringify(value) ?? 'null';
};

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Returns plain data as YAML, formatted like the archive: block style, with quotes around texts that YAML could
 * misread.
 */
export function asYaml(value: unknown): string {
  return `${lines(value).join('\n')}\n`;
}

function lines(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [scalar(value)];
  if (isEmpty(value)) return [Array.isArray(value) ? '[]' : '{}'];
  if (Array.isArray(value)) return value.flatMap((item) => under('- ', '  ', item));
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .flatMap(([key, item]) => {
      const isBlock = typeof item === 'object' && item !== null && !isEmpty(item);
      return isBlock
        ? [`${scalar(key)}:`, ...lines(item).map((line) => `  ${line}`)]
        : under(`${scalar(key)}: `, '', item);
    });
}

const under = (first: string, rest: string, value: unknown): readonly string[] =>
  lines(value).map((line, index) => (index === 0 ? first : rest) + line);
