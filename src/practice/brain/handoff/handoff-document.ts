import { oneLine } from '../one-line.ts';
import type { Situation } from '../situation.ts';

/** An open point of an earlier handoff, as the instruction lists it. */
export interface ListedPoint {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes the document in the first person and only from memory, so an agent that knows little writes a short document.
 */
export function composeHandoff(
  { name, projectName, memory, contextPercent }: Situation,
  points: readonly ListedPoint[] = [],
): string {
  const progress = memory.done.map((item) => `Done: ${item}`);
  const closed = points.filter(({ text }) => memory.done.includes(text));
  return [
    '# Handoff',
    section('What I was working on', subject(projectName, memory.done, memory.nextSteps, memory.prompts)),
    section(
      'Progress and state',
      `I am ${name}; ${contextPercent()} % of my context was used when I wrote this.\n\n` +
        bullets(progress, 'I had not finished anything yet.'),
    ),
    section('Decisions and why', bullets(memory.decisions, 'I had not decided anything that binds you.')),
    section('Blockers', bullets(memory.blockers, 'Nothing blocks me.')),
    section(
      'Files modified',
      bullets(
        memory.files.map((file) => `\`${file.path}\`: ${file.purpose}`),
        'I modified no files.',
      ),
    ),
    section('Next steps', numbered(memory.nextSteps, 'Ask the operator what comes next; my list is empty.')),
    ...sectionIfAny('Open questions', memory.questions),
    ...sectionIfAny('Lessons', memory.lessons),
    ...sectionIfAny(
      'Settled points',
      closed.map((point) => `${point.name} closed: I did it`),
    ),
  ].join('\n\n');
}

function subject(
  project: string,
  done: readonly string[],
  next: readonly string[],
  prompts: readonly string[],
): string {
  const finished = done.at(-1);
  const upcoming = next[0];
  const last = prompts.at(-1);
  const state = finished === undefined ? 'I had not finished an item yet' : `the last item I finished is "${finished}"`;
  const ahead = upcoming === undefined ? 'nothing is left on my list' : `the next one is "${upcoming}"`;
  const asked = last === undefined ? '' : `\n\nThe last thing I was asked: "${oneLine(last, 160)}"`;
  return `I was working through the plan of the project ${project}: ${state}, and ${ahead}.${asked}`;
}

const sectionIfAny = (heading: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [section(heading, bullets(items, ''))];

function section(heading: string, body: string): string {
  return `## ${heading}\n\n${body}`;
}

function bullets(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item) => `- ${oneLine(item)}`).join('\n');
}

function numbered(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item, index) => `${index + 1}. ${oneLine(item)}`).join('\n');
}
