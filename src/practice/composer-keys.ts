import type { InputEvent } from './input/input-event.ts';
import type { Parts } from './parts.ts';

interface ComposerEffects {
  readonly submit: (text: string) => void;
  /** Interrupts the running turn. Returns false if no turn was running. */
  readonly interrupt: () => boolean;
  readonly leave: () => void;
}

const SECOND_CTRL_C_MS = 2000;

/** Handles keys while the composer has the focus. */
export class ComposerKeys {
  private readonly parts: Parts;
  private readonly effects: ComposerEffects;
  private entersToSwallow: number;
  private lastInputAt = Number.NEGATIVE_INFINITY;
  private ctrlCTimer: NodeJS.Timeout | undefined;

  constructor(parts: Parts, effects: ComposerEffects) {
    this.parts = parts;
    this.effects = effects;
    this.entersToSwallow = parts.behaviour.swallowEnters;
  }

  handle(event: InputEvent): void {
    const { view } = this.parts;
    if (event.kind !== 'ctrl-c') this.forgetCtrlC();
    if (event.kind === 'enter') this.enter();
    else if (event.kind === 'ctrl-c') this.ctrlC();
    else if (event.kind === 'escape') this.effects.interrupt();
    else this.edit(event);
    view.changed();
  }

  /** Handles keys before the composer is ready. Typed text is kept, but Enter and all other keys are dropped. */
  handleEarly(event: InputEvent): void {
    if (event.kind === 'text') this.edit(event);
    if (event.kind === 'enter') this.parts.log.write('enter', { effect: 'too_early' });
  }

  private edit(event: InputEvent): void {
    const { log, view } = this.parts;
    this.lastInputAt = performance.now();
    if (event.kind === 'text') view.composer.type(event.text);
    else if (event.kind === 'newline') view.composer.type('\n');
    else if (event.kind === 'backspace') view.composer.backspace();
    else if (event.kind === 'clear') view.composer.clear();
    else if (event.kind === 'home') view.composer.home();
    else if (event.kind === 'paste') {
      log.write('paste', { text: event.text });
      view.composer.paste(event.text);
    }
  }

  private enter(): void {
    const { behaviour, log, view } = this.parts;
    const { composer } = view;
    if (this.entersToSwallow > 0) {
      this.entersToSwallow -= 1;
      log.write('enter', { effect: 'swallowed' });
    } else if (performance.now() - this.lastInputAt < behaviour.burstMs) {
      log.write('enter', { effect: 'newline' });
      this.lastInputAt = performance.now();
      composer.type('\n');
    } else if (composer.text.trim() === '') {
      log.write('enter', { effect: 'nothing' });
    } else {
      log.write('enter', { effect: 'submit' });
      const { text } = composer;
      composer.clear();
      this.effects.submit(text);
    }
  }

  private ctrlC(): void {
    const { view } = this.parts;
    if (this.effects.interrupt()) return;
    if (this.ctrlCTimer !== undefined) {
      this.effects.leave();
      return;
    }
    view.composer.clear();
    view.notice = 'Press Ctrl-C again to exit';
    this.ctrlCTimer = setTimeout(() => {
      this.forgetCtrlC();
      view.changed();
    }, SECOND_CTRL_C_MS);
  }

  private forgetCtrlC(): void {
    clearTimeout(this.ctrlCTimer);
    this.ctrlCTimer = undefined;
    this.parts.view.notice = undefined;
  }
}
