import type { Question } from '../../domain/agents/question.ts';
import type { Ports } from '../ports/index.ts';
import type { Screen, ScreenQuestion } from '../ports/terminal.ts';

const ID_LENGTH = 32;

/** What the screen asks; undefined if it asks nothing, or nobody can read it. */
export function readQuestion(ports: Ports, runtime: string, screen: Screen): Question | undefined {
  const read = ports.runtimes.get(runtime)?.readQuestion(screen);
  if (read === undefined) return undefined;
  const { text, options, textOption } = read;
  // The option that opens a field for words is not one to choose: chosen alone it leaves the field open.
  const choices = options.filter(({ number }) => number !== textOption);
  return {
    id: questionId(ports, read),
    text,
    options: choices,
    takesText: textOption !== null,
    ...(read.isCut ? { isCut: true } : {}),
    ...(read.leaving === undefined ? {} : { leaving: read.leaving }),
  };
}

export const questionId = ({ chance }: Ports, { fingerprint }: ScreenQuestion): string =>
  chance.sha256(fingerprint).slice(0, ID_LENGTH);
