import type { EvidenceLog } from '../evidence-log.ts';
import type { InputEvent } from '../input/input-event.ts';
import type { View } from './view.ts';

export type Answer = 'yes' | 'no';

interface DialogKind {
  readonly question: string;
  readonly options: readonly [string, string];
  /** What Enter means: index into `options`, of which the first is yes. */
  readonly selected: 0 | 1;
}

/** Enter approves: this is what makes a blind Enter dangerous. */
export const PERMISSION: DialogKind = { question: 'Do you want to proceed?', options: ['Yes', 'No'], selected: 0 };
/** Enter leaves: this is what makes a blind Enter at the start fatal. */
export const TRUST: DialogKind = {
  question: 'Do you trust the files in this folder?',
  options: ['Yes, proceed', 'No, exit'],
  selected: 1,
};

const KEYS: Readonly<Record<string, Answer>> = { '1': 'yes', y: 'yes', '2': 'no', n: 'no' };

/** One dialog at a time; while it is open every key goes to it and to nothing else. */
export class Dialogs {
  private readonly view: View;
  private readonly log: EvidenceLog;
  private answerOpen: ((answer: Answer) => void) | undefined;
  private enterMeans: Answer = 'no';

  constructor(view: View, log: EvidenceLog) {
    this.view = view;
    this.log = log;
  }

  get isOpen(): boolean {
    return this.answerOpen !== undefined;
  }

  ask(kind: DialogKind, text: string): Promise<Answer> {
    this.view.dialog = { text, ...kind };
    this.enterMeans = kind.selected === 0 ? 'yes' : 'no';
    this.log.write('dialog', { text });
    this.view.changed();
    return new Promise((resolve) => {
      this.answerOpen = resolve;
    });
  }

  handle(event: InputEvent): void {
    if (event.kind === 'enter') this.answer(this.enterMeans, 'enter');
    else if (event.kind === 'escape' || event.kind === 'ctrl-c') this.answer('no', 'key');
    else if (event.kind === 'text') {
      const answer = KEYS[event.text.toLowerCase()];
      if (answer !== undefined) this.answer(answer, 'key');
    }
  }

  private answer(answer: Answer, by: 'enter' | 'key'): void {
    const resolve = this.answerOpen;
    this.answerOpen = undefined;
    this.view.dialog = undefined;
    this.log.write('dialog_answered', { answer, by });
    this.view.changed();
    resolve?.(answer);
  }
}
