import { MOST_QUESTIONS } from './limits.ts';
import type { ReceiveReport } from './receive-report.ts';
import type { Question, Seal } from './record.ts';

/** What the receiver says, in one form however it was written. */
export interface Acknowledgement {
  readonly level: 'full' | 'partial' | 'none';
  /** The task in the receiver's own words. Shown to people; no machine scores it. */
  readonly task: string;
  /** What the receiver has understood of the constraints; absent if it did not say. */
  readonly constraints?: readonly string[];
  readonly questions: readonly string[];
  readonly blockers: readonly string[];
  readonly starting: boolean;
  /** The content that was read. */
  readonly content: string;
  /** Constraints and criteria that the restatement takes in. */
  readonly coveredIds: readonly string[];
}

export type Judgement =
  | { readonly kind: 'full' }
  | { readonly kind: 'partial'; readonly questions: readonly Question[] }
  | { readonly kind: 'refused'; readonly why: string; readonly missing: readonly string[] };

interface Against {
  readonly seal: Seal | null;
  readonly toCover: readonly string[];
  readonly report: ReceiveReport;
  readonly round: number;
}

const refused = (why: string, missing: readonly string[] = []): Judgement => ({ kind: 'refused', why, missing });

/** P17 */
export function judgeAcknowledgement(said: Acknowledgement, against: Against): Judgement {
  if (said.content !== against.seal?.content)
    return refused('It is about another revision: read the package again, and acknowledge what it says now.');
  const asked = [...said.questions, ...said.blockers];
  if (said.level !== 'full') return partial(said, asked, against.round);
  if (asked.length > 0) return refused('It has questions or blockers, so it is partial: say so.');
  if (against.report.blocked)
    return refused('The receive report has an error, so the task cannot begin: name it as a blocker.');
  if (said.task.trim() === '') return refused('Restate the task in your own words.');
  const restated = [said.task, ...(said.constraints ?? [])].join('\n');
  const missing = against.toCover.filter((id) => !said.coveredIds.includes(id) && !mentions(restated, id));
  if (missing.length > 0)
    return refused(`These constraints and criteria are not covered: ${missing.join(', ')}.`, missing);
  return said.starting ? { kind: 'full' } : refused('It does not say that the work begins: starting must be true.');
}

const mentions = (restated: string, id: string): boolean => restated.split(/[^\w-]+/).includes(id);

function partial({ starting }: Acknowledgement, asked: readonly string[], round: number): Judgement {
  if (starting) return refused('What is understood in part cannot begin: starting must be false.');
  if (asked.length === 0) return refused('It is partial and names no question and no blocker.');
  if (asked.length > MOST_QUESTIONS) return refused(`A round has at most ${MOST_QUESTIONS} questions and blockers.`);
  return { kind: 'partial', questions: asked.map((text, index) => ({ id: `Q-${round + 1}-${index + 1}`, text })) };
}

/** The forms of the seed: `understood` is an object or a word. */
export interface WrittenAcknowledgement {
  readonly understood:
    | 'full'
    | 'partial'
    | 'none'
    | {
        readonly level?: 'full' | 'partial' | 'none' | undefined;
        readonly task: string;
        readonly constraints?: string | readonly string[] | undefined;
      };
  readonly questions?: readonly string[] | undefined;
  readonly blockers?: readonly string[] | undefined;
  readonly starting?: boolean | undefined;
}

export function normalised(
  written: WrittenAcknowledgement,
  beside: Pick<Acknowledgement, 'content' | 'coveredIds'>,
): Acknowledgement {
  const { understood, questions = [], blockers = [], starting = false } = written;
  const asks = questions.length + blockers.length > 0;
  const word = typeof understood === 'string' ? understood : (understood.level ?? (asks ? 'partial' : 'full'));
  return {
    level: word,
    task: typeof understood === 'string' ? '' : understood.task,
    ...constraintsIn(understood),
    questions,
    blockers,
    starting,
    ...beside,
  };
}

function constraintsIn(understood: WrittenAcknowledgement['understood']): Pick<Acknowledgement, 'constraints'> {
  const said = typeof understood === 'string' ? undefined : understood.constraints;
  return said === undefined ? {} : { constraints: typeof said === 'string' ? [said] : said };
}
