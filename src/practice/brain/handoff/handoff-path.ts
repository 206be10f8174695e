// The path is in quotes, alone on its line, or between spaces. Only in the first two cases can it contain spaces.
const PATTERNS = [
  /[`'"]((?:\/[^`'"\n]*)?\/handoffs\/[^`'"\n]*\.md)[`'"]/,
  /^\s*((?:\/.*)?\/handoffs\/.*\.md)\s*$/m,
  /(?<![^\s(:=<])((?:\/[^\s`'"<>]*)?\/handoffs\/[^\s`'"<>]*\.md)/,
];

/** The absolute path of a handoff document named in a prompt. */
export function findHandoffPath(prompt: string): string | undefined {
  for (const pattern of PATTERNS) {
    const path = pattern.exec(prompt)?.[1];
    if (path !== undefined) return path;
  }
  return undefined;
}
