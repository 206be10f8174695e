import { Lesson, OpenPoint, PersonaKnowledge } from '../../../contract/knowledge.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { doEach } from '../messages/do-each.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago } from '../output/when.ts';

const read = (cli: Cli, slug: string) => operatorClient(cli.deps).get(PATHS.knowledge(slug), PersonaKnowledge);

export async function listPoints(cli: Cli, slug: string, all: boolean): Promise<number> {
  const { data } = await read(cli, slug);
  const points = data.points.filter(({ closed }) => all || closed === null);
  if (cli.json) {
    cli.out.json({ persona: data.persona, points });
    return EXIT.done;
  }
  if (points.length === 0) cli.out.print(`${data.persona} has no open points.`);
  else
    for (const line of table(
      ['point', 'kind', 'from', 'state', 'text'],
      points.map((point) => [
        point.name,
        point.kind === 'question' ? 'question' : 'next step',
        `handoff ${point.run_id}, ${ago(point.created_at)}`,
        stateOf(point),
        point.text,
      ]),
    ))
      cli.out.print(...line);
  return EXIT.done;
}

const stateOf = ({ closed }: OpenPoint): Part => {
  if (closed === null) return ink('yellow', 'open');
  return closed.by === 'person' ? 'closed by you' : `closed by handoff ${closed.run_id}`;
};

export const closePoints = (cli: Cli, ids: readonly number[]): Promise<number> =>
  change(cli, ids, { path: PATHS.closePoint, notDone: 'was not closed' });

export const reopenPoints = (cli: Cli, ids: readonly number[]): Promise<number> =>
  change(cli, ids, { path: PATHS.reopenPoint, notDone: 'was not opened again' });

/** Closes or reopens open points one after the other, and reports each. */
function change(
  cli: Cli,
  ids: readonly number[],
  { path, notDone }: { readonly path: (id: number) => string; readonly notDone: string },
): Promise<number> {
  const api = operatorClient(cli.deps);
  return doEach(cli, ids, {
    send: (id) => api.post(path(id), {}, OpenPoint),
    done: ({ name, closed, text }) => `${name} is ${closed ? 'closed' : 'open'}: ${text}`,
    notDone: (id) => `OP-${id} ${notDone}`,
    list: 'points',
    named: (id) => ({ name: `OP-${id}` }),
  });
}

export async function listLessons(cli: Cli, slug: string, all: boolean): Promise<number> {
  const { data } = await read(cli, slug);
  const lessons = data.lessons.filter(({ state }) => all || state === 'offered' || state === 'accepting');
  if (cli.json) {
    cli.out.json({ persona: data.persona, lessons });
    return EXIT.done;
  }
  if (lessons.length === 0) cli.out.print(`${data.persona} has no lessons that wait for your decision.`);
  else
    for (const line of table(
      ['lesson', 'state', 'from', 'text'],
      lessons.map(({ id, state, run_id, created_at, text }) => [
        String(id),
        state === 'offered' ? ink('yellow', state) : state,
        `handoff ${run_id}, ${ago(created_at)}`,
        text,
      ]),
    ))
      cli.out.print(...line);
  if (lessons.some(({ state }) => state === 'offered'))
    cli.out.print(
      ink(
        'dim',
        'Add a lesson to experience.md: baton persona accept-lesson NUMBER. Refuse a lesson: baton persona discard-lesson NUMBER',
      ),
    );
  return EXIT.done;
}

export async function acceptLesson(cli: Cli, id: number, text: string | undefined): Promise<number> {
  const body = text === undefined ? {} : { text };
  const answer = await operatorClient(cli.deps).post(PATHS.acceptLesson(id), body, Lesson);
  return showAnswer(cli, answer, (lesson) => [[TICK, ` Lesson ${id} is in experience.md: ${lesson.text}`]]);
}

export async function discardLesson(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.discardLesson(id), {}, Lesson);
  return showAnswer(cli, answer, () => [[TICK, ` Lesson ${id} is discarded; it is not offered again.`]]);
}
