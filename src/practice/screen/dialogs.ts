import type { EvidenceLog } from '../evidence-log.ts';
import type { InputEvent } from '../input/input-event.ts';
import type { View } from './view.ts';

export type Answer = 'yes' | 'no';

interface DialogKind {
  readonly question: string;
  readonly options: readonly string[];
  /** The index of the option that Enter chooses. */
  readonly selected: number;
}

/** The permission dialog. Enter approves, so an Enter that was meant for the composer would approve by mistake. */
export const PERMISSION: DialogKind = { question: 'Do you want to proceed?', options: ['Yes', 'No'], selected: 0 };
/** The trust dialog. Enter exits, so an Enter that was meant for the composer ends the agent by mistake. */
export const TRUST: DialogKind = {
  question: 'Do you trust the files in this folder?',
  options: ['Yes, proceed', 'No, exit'],
  selected: 1,
};

/** The dialog at exit about background work. The last option keeps the agent running. */
export const LEAVING: DialogKind = {
  question: 'Background work is running. What should happen to this work?',
  options: ['Exit and stop tasks', 'Move to background and exit', 'Stay'],
  selected: 0,
};

/** The option whose digit opens a text field in its own row, as in the real client. */
const OWN_WORDS = 'Type something.';
const KEYS: Readonly<Record<string, number>> = { y: 0, n: 1 };

interface OpenDialog {
  readonly kind: DialogKind;
  readonly isMenu: boolean;
  selected: number;
  /** The text in the field for a free answer; undefined while the field is closed. */
  typed: string | undefined;
  /** Called with the index of the chosen option, with a typed answer, or with -1 if the operator gave no answer. */
  readonly resolve: (chosen: number | string) => void;
}

/** Shows one dialog at a time. An open dialog gets every key. */
export class Dialogs {
  private readonly view: View;
  private readonly log: EvidenceLog;
  private open: OpenDialog | undefined;

  constructor(view: View, log: EvidenceLog) {
    this.view = view;
    this.log = log;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** Shows a dialog. Resolves to 'yes' if the first option was chosen, otherwise to 'no'. */
  async ask(kind: DialogKind, text: string): Promise<Answer> {
    return (await this.show(kind, text, false)) === 0 ? 'yes' : 'no';
  }

  /** Shows a dialog. Resolves to the index of the chosen option; Escape chooses the last one. */
  async pick(kind: DialogKind, text: string): Promise<number> {
    return Number(await this.show(kind, text, false));
  }

  /**
   * Shows a dialog. Resolves to the label of the chosen option, or to the text typed for the last option; undefined if
   * nothing was chosen.
   */
  async choose(question: string, options: readonly string[]): Promise<string | undefined> {
    const all = [...options, OWN_WORDS];
    const chosen = await this.show({ question, options: all, selected: 0 }, '', true);
    return typeof chosen === 'string' ? chosen : all[chosen];
  }

  private show(kind: DialogKind, text: string, isMenu: boolean): Promise<number | string> {
    this.view.dialog = { text, ...kind };
    this.log.write('dialog', { text: isMenu ? kind.question : text });
    this.view.changed();
    return new Promise((resolve) => {
      this.open = { kind, isMenu, selected: kind.selected, typed: undefined, resolve };
    });
  }

  handle(event: InputEvent): void {
    const { open } = this;
    if (open === undefined) return;
    if (event.kind === 'escape' || event.kind === 'ctrl-c')
      this.answer(open.isMenu ? -1 : open.kind.options.length - 1, 'key');
    else if (event.kind === 'enter') this.enter(open);
    else if (open.typed !== undefined) this.edit(open, event);
    else if (event.kind === 'text') this.press(open, event.text.toLowerCase());
  }

  private enter(open: OpenDialog): void {
    if (open.typed === undefined) this.take(open, open.selected, 'enter');
    else if (open.typed !== '') this.answer(open.typed, 'enter');
  }

  private press(open: OpenDialog, key: string): void {
    const index = /^[1-9]$/.test(key) ? Number(key) - 1 : open.isMenu ? undefined : KEYS[key];
    if (index !== undefined && index < open.kind.options.length) this.take(open, index, 'key');
  }

  private take(open: OpenDialog, index: number, by: 'enter' | 'key'): void {
    const takesWords = open.isMenu && index === open.kind.options.length - 1;
    if (!takesWords) {
      this.answer(index, by);
      return;
    }
    open.selected = index;
    open.typed = '';
    this.redraw(open);
  }

  private edit(open: OpenDialog, event: InputEvent): void {
    const typed = open.typed ?? '';
    if (event.kind === 'text' || event.kind === 'paste') open.typed = typed + event.text;
    else if (event.kind === 'backspace') open.typed = typed.slice(0, -1);
    this.redraw(open);
  }

  private redraw({ kind, selected, typed }: OpenDialog): void {
    const options = kind.options.map((label, index) => (index === selected && typed ? typed : label));
    this.view.dialog = { text: '', ...kind, options, selected };
    this.view.changed();
  }

  private answer(chosen: number | string, by: 'enter' | 'key'): void {
    const { open } = this;
    this.open = undefined;
    this.view.dialog = undefined;
    this.log.write('dialog_answered', {
      answer: open?.isMenu ? chosen : chosen === 0 ? 'yes' : 'no',
      option: chosen,
      by,
    });
    this.view.changed();
    open?.resolve(chosen);
  }
}
