import { type Command, InvalidArgumentError } from 'commander';
import { define, idNumber, type Kit, personaInPath } from '../command-kit.ts';

/** Adds the commands for open points and lessons to `baton persona`. */
export function addKnowledgeCommands(personas: Command, { run }: Kit): void {
  const actions = () => import('./knowledge.ts');
  define(personas, 'points', {
    summary: 'list the next steps and questions that handoffs left open; successors get them until they are closed',
    example: 'baton persona points con',
  })
    .argument('<persona>', 'the slug or name of the persona', personaInPath)
    .option('--all', 'also list the closed points')
    .action((slug: string, { all = false }: { all?: boolean }) =>
      run(async (cli) => (await actions()).listPoints(cli, slug, all)),
    );
  define(personas, 'close-point', { summary: 'close open points', example: 'baton persona close-point OP-3' })
    .argument('<points...>', 'their names, such as OP-3', pointNumbers)
    .action((ids: readonly number[]) => run(async (cli) => (await actions()).closePoints(cli, ids)));
  define(personas, 'reopen-point', { summary: 'open closed points again', example: 'baton persona reopen-point OP-3' })
    .argument('<points...>', 'their names, such as OP-3', pointNumbers)
    .action((ids: readonly number[]) => run(async (cli) => (await actions()).reopenPoints(cli, ids)));
  define(personas, 'lessons', {
    summary: 'list the lessons of handoffs that wait for your decision',
    example: 'baton persona lessons con',
  })
    .argument('<persona>', 'the slug or name of the persona', personaInPath)
    .option('--all', 'also list the accepted and discarded lessons')
    .action((slug: string, { all = false }: { all?: boolean }) =>
      run(async (cli) => (await actions()).listLessons(cli, slug, all)),
    );
  define(personas, 'accept-lesson', {
    summary: 'add a lesson to experience.md of its persona',
    example: 'baton persona accept-lesson 3 --text "Run the linter before a commit."',
  })
    .argument('<lesson>', 'its number', idNumber)
    .option('--text <text>', 'your own wording of the lesson')
    .action((id: number, { text }: { text?: string }) =>
      run(async (cli) => (await actions()).acceptLesson(cli, id, text)),
    );
  define(personas, 'discard-lesson', {
    summary: 'discard a lesson; later documents do not offer it again',
    example: 'baton persona discard-lesson 3',
  })
    .argument('<lesson>', 'its number', idNumber)
    .action((id: number) => run(async (cli) => (await actions()).discardLesson(cli, id)));
}

/**
 * Parses one of several points, given as OP-3 or 3. `before` has the numbers of the earlier points. Returns these
 * numbers and the new one.
 */
function pointNumbers(text: string, before: readonly number[] | undefined): readonly number[] {
  const number = /^(?:OP-)?([1-9]\d{0,8})$/i.exec(text)?.[1];
  if (number === undefined) throw new InvalidArgumentError('Use the name of a point, such as OP-3.');
  return [...(Array.isArray(before) ? before : []), Number(number)];
}
