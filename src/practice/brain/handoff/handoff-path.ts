// Patterns that find the path of the handoff document in a prompt: in quotes, alone on its line, or between spaces.
// Only in the first two cases can the path contain spaces.
const PATTERNS = [
  /[`'"]((?:\/[^`'"\n]*)?\/handoffs\/[^`'"\n]*\.md)[`'"]/,
  /^\s*((?:\/.*)?\/handoffs\/.*\.md)\s*$/m,
  /(?<![^\s(:=<])((?:\/[^\s`'"<>]*)?\/handoffs\/[^\s`'"<>]*\.md)/,
];

/** Returns the absolute path of the handoff document that a prompt names. */
export function findHandoffPath(prompt: string): string | undefined {
  for (const pattern of PATTERNS) {
    const path = pattern.exec(prompt)?.[1];
    if (path !== undefined) return path;
  }
  return undefined;
}
