import type { RunsOnChoice } from '../../../../contract/requests.ts';
import type { PersonaDetail, RunsOn, RuntimeInfo } from '../../../../contract/resources.ts';
import { type ProgramText, programFields } from '../../agents/dialogs/program-fields.tsx';

/** The maximum number of agent types that the server accepts in the list of a persona. */
export const MAX_CHOICES = 10;

/** One agent type in the list of a persona, as the operator edits it. */
export interface Choice extends ProgramText {
  /** Identifies the row while the operator moves rows. */
  readonly key: number;
  readonly runtime: string;
  /**
   * The number of stored arguments that this choice keeps. The page does not know the arguments themselves, because
   * they may contain secrets.
   */
  readonly kept: { readonly position: number; readonly count: number } | null;
}

/** The operator's unsaved list. `basedOn` identifies the stored list that the operator changed. */
export interface ListDraft {
  readonly choices: readonly Choice[];
  readonly basedOn: string;
}

/** Returns a text that changes whenever the stored list changes. */
export const fingerprintOf = ({ runs_on: list = [] }: Pick<PersonaDetail, 'runs_on'>): string => JSON.stringify(list);

const choiceOf = ({ runtime, model = '', stored_args: count = 0 }: RunsOn, at: number): Choice => ({
  ...{ key: at, runtime, model, lines: '' },
  kept: count === 0 ? null : { position: at + 1, count },
});

/** Returns the stored list as rows. */
export const choicesOf = ({ runs_on: list = [] }: Pick<PersonaDetail, 'runs_on'>): readonly Choice[] =>
  list.map(choiceOf);

/** Returns the list with one more choice at its end. */
export const withOneMore = (choices: readonly Choice[], runtime: string): readonly Choice[] => [
  ...choices,
  { key: Math.max(-1, ...choices.map(({ key }) => key)) + 1, runtime, model: '', lines: '', kept: null },
];

/** Returns the list in which the choice at the position `at` has moved one place up (-1) or down (1). */
export function moved(choices: readonly Choice[], at: number, by: -1 | 1): readonly Choice[] {
  const list = [...choices];
  list.splice(at + by, 0, ...list.splice(at, 1));
  return list;
}

/** Returns the list as a request. Fields that the agent type does not support are left out. */
export const requestOf = (choices: readonly Choice[], runtimes: readonly RuntimeInfo[]): RunsOnChoice[] =>
  choices.map(({ runtime, kept, ...text }) => {
    const capabilities = runtimes.find(({ id }) => id === runtime)?.capabilities;
    return {
      runtime,
      ...programFields(text, capabilities),
      ...(kept === null ? {} : { keep_args_of: kept.position }),
    };
  });
