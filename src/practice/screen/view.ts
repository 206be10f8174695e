import { Composer } from '../input/composer.ts';

export interface ConversationEntry {
  readonly kind: 'user' | 'assistant' | 'note';
  readonly text: string;
}

export interface DialogView {
  readonly text: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly selected: number;
}

const MAX_ENTRIES = 200;

/** Everything that the screen shows. Call `changed` after a change. */
export class View {
  readonly title: string;
  readonly suggestion: string;
  readonly composer = new Composer();
  entries: ConversationEntry[] = [];
  starting = true;
  busy = false;
  /** True while the hooks of a prompt run, before the model gets the prompt. */
  accepting = false;
  /** The text that replaces the busy line; empty for the usual busy line. */
  oddWork = '';
  /** Counts the redraws while the agent is busy. The spinner shows a different sign for each count. */
  beat = 0;
  queued: readonly string[] = [];
  dialog: DialogView | undefined;
  notice: string | undefined;
  contextPercent = 0;
  changed: () => void = () => undefined;

  constructor(title: string, suggestion: string) {
    this.title = title;
    this.suggestion = suggestion;
  }

  add(kind: ConversationEntry['kind'], text: string): void {
    this.entries = [...this.entries, { kind, text }].slice(-MAX_ENTRIES);
    this.changed();
  }
}
