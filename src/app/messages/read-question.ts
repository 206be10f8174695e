import type { Question } from '../../domain/agents/question.ts';
import type { Ports } from '../ports/index.ts';
import type { Screen, ScreenQuestion } from '../ports/terminal.ts';

const ID_LENGTH = 32;

/** Returns the question on the screen; undefined if the screen shows no question or Baton cannot parse it. */
export function readQuestion(
  ports: Pick<Ports, 'runtimes' | 'chance'>,
  runtime: string,
  screen: Screen,
): Question | undefined {
  const read = ports.runtimes.get(runtime)?.readQuestion(screen);
  if (read === undefined) return undefined;
  const { text, options, textOption } = read;
  // Leave out the option that opens a text field: if somebody chose this option without a text, the field would stay
  // open.
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

export const questionId = ({ chance }: Pick<Ports, 'chance'>, { fingerprint }: ScreenQuestion): string =>
  chance.sha256(fingerprint).slice(0, ID_LENGTH);
