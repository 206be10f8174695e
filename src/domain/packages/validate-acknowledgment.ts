import { isPlaceholder } from './lint/placeholder.ts';
import type { ReceiveReport } from './receive-report.ts';
import type { Question } from './record.ts';

/** An acknowledgment in normalized form. Receivers may write it in any form that specification 004 allows. */
export interface Acknowledgment {
  readonly level: 'full' | 'partial' | 'none';
  /** The task in the receiver's own words. People read this text; the host does not check it. */
  readonly task: string;
  readonly constraints?: readonly string[];
  readonly questions: readonly string[];
  readonly blockers: readonly string[];
  readonly starting: boolean;
}

export type Judgment =
  | { readonly kind: 'full' }
  | { readonly kind: 'partial'; readonly questions: readonly Question[] }
  | {
      readonly kind: 'refused';
      readonly why: string;
      /**
       * The next step that the refusal suggests to the receiver: correct the acknowledgment and accept the package, or
       * ask the sender.
       */
      readonly next: 'accept' | 'ask';
    };

const MAX_QUESTIONS = 5;

const refused = (why: string, next: 'accept' | 'ask'): Judgment => ({ kind: 'refused', why, next });

/**
 * Decides whether an acknowledgment counts as full, counts as partial or is refused (SPEC P17). The number of the
 * question round becomes a part of the ids of the questions.
 */
export function validateAcknowledgment(said: Acknowledgment, report: ReceiveReport, round: number): Judgment {
  const asked = [...said.questions, ...said.blockers];
  if (said.level !== 'full') return partial(said, asked, round);
  if (asked.length > 0)
    return refused('The acknowledgment has questions or blockers, so set "understood" to "partial".', 'ask');
  if (report.blocked)
    return refused(
      `Baton found a problem, so the work cannot begin: ${firstError(report)} Set "understood" to "partial", and name the problem as a blocker.`,
      'ask',
    );
  if (said.task.trim() === '') return refused('Restate the task in your own words in "understood.task".', 'accept');
  const unsaid = [said.task, ...(said.constraints ?? [])].find(isPlaceholder);
  if (unsaid !== undefined)
    return refused(
      `"${unsaid.trim()}" is a placeholder. Restate the task and its constraints in your own words.`,
      'accept',
    );
  return said.starting
    ? { kind: 'full' }
    : refused('Set "starting" to true to begin the work, or set "understood" to "partial" to ask questions.', 'accept');
}

const firstError = ({ findings }: ReceiveReport): string =>
  findings.find(({ severity }) => severity === 'error')?.message ?? '';

function partial({ level, starting }: Acknowledgment, asked: readonly string[], round: number): Judgment {
  if (starting && asked.length > 0)
    return refused(
      'An acknowledgment with questions or blockers is partial, so the work cannot begin until the sender has answered. Set "starting" to false; or, to begin now, leave "questions" and "blockers" empty and say in "understood" what you understood.',
      'ask',
    );
  if (starting)
    return refused(`If "understood" is "${level}", the work cannot begin, so set "starting" to false.`, 'ask');
  if (asked.length === 0)
    return refused(`If "understood" is "${level}", the acknowledgment needs at least one question or blocker.`, 'ask');
  const unsaid = asked.find(isPlaceholder);
  if (unsaid !== undefined) return refused(`"${unsaid.trim()}" is a placeholder. Write the real question.`, 'ask');
  if (asked.length > MAX_QUESTIONS)
    return refused(`One round may have at most ${MAX_QUESTIONS} questions and blockers.`, 'ask');
  return { kind: 'partial', questions: asked.map((text, index) => ({ id: `Q-${round + 1}-${index + 1}`, text })) };
}

/**
 * An acknowledgment as a receiver writes it, in any form that specification 004 allows. `understood` is an object or a
 * word.
 */
export interface WrittenAcknowledgment {
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

export function normalized(written: WrittenAcknowledgment): Acknowledgment {
  const { understood, questions = [], blockers = [], starting = false } = written;
  const said = typeof understood === 'string' ? { level: understood, task: '' } : understood;
  const constraints = 'constraints' in said ? said.constraints : undefined;
  return {
    level: said.level ?? (questions.length + blockers.length > 0 ? 'partial' : 'full'),
    task: said.task,
    ...(constraints === undefined
      ? {}
      : { constraints: typeof constraints === 'string' ? [constraints] : constraints }),
    questions,
    blockers,
    starting,
  };
}

/** Returns the acknowledgment in the form that specification 004 describes, for the archive. */
export function acknowledgmentAsWritten(said: Acknowledgment, from: string): unknown {
  const { level, task, constraints, questions, blockers, starting } = said;
  return level === 'full'
    ? {
        received: true,
        from,
        understood: { task, constraints: (constraints ?? []).join('\n') },
        questions,
        starting,
      }
    : {
        received: true,
        from,
        understood: level,
        questions,
        blockers,
        action: 'request_clarification',
      };
}
