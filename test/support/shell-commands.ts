/**
 * Splits a block of shell code into simple commands, each as a list of words. Supports the syntax that the
 * documentation uses: quotes, comments, lists, pipes, `\` at the end of a line, variables before a command, `<(…)`, and
 * a quoted command as the last argument of ssh.
 */
export function shellCommands(block: string): readonly (readonly string[])[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .flatMap(commandsInLine)
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
    .flatMap((words) => (words[0] === 'ssh' ? [words, ...commandsInLine(words.at(-1) ?? '')] : [words]));
}

const TOKEN = /\s+|#.*|&&|\|\|?|;|<\(|\)|(?:"(?:\\.|[^"])*"|'[^']*'|[^\s"'|;&)])+/g;
const BREAKS = ['&&', '|', '||', ';', '<(', ')'];

function commandsInLine(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(TOKEN)) {
    if (token.trim() === '' || token.startsWith('#')) continue;
    if (BREAKS.includes(token)) commands.push([]);
    else commands.at(-1)?.push(unquoted(token));
  }
  return commands.filter((words) => words.length > 0);
}

const unquoted = (token: string): string =>
  token.replace(/"((?:\\.|[^"])*)"|'([^']*)'/g, (_, double, single) => double ?? single);
