import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Parts } from './parts.ts';
import { Turn } from './turn/turn.ts';

interface WaitingPrompt {
  readonly promptId: string;
  readonly text: string;
}

interface Around {
  readonly crash: () => never;
  /** Called before the hook of each prompt. */
  readonly beforePrompt: () => Promise<void>;
}

/**
 * Takes a prompt from Enter to the model: runs the policy hook, queues the prompt while a turn runs, and starts one
 * turn at a time.
 */
export class PromptIntake {
  private readonly parts: Parts;
  private readonly around: Around;
  private line: Promise<void> = Promise.resolve();
  private waiting: WaitingPrompt[] = [];
  private turn: Turn | undefined;
  private turnOver: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(parts: Parts, around: Around) {
    this.parts = parts;
    this.around = around;
  }

  get runningTurn(): Turn | undefined {
    return this.turn?.isOpen ? this.turn : undefined;
  }

  submit(text: string): void {
    this.line = this.line.then(() => this.accept(text));
  }

  /**
   * Runs `act` if no turn is running. During a turn, shows a note instead. If the turn is already running its last
   * hooks, waits for these hooks and then runs `act`.
   */
  betweenTurns(command: string, act: () => Promise<void>): void {
    const { view } = this.parts;
    this.line = this.line.then(async () => {
      while (this.turn !== undefined && this.runningTurn === undefined && !this.closed) await this.turnOver;
      if (this.closed) return;
      if (this.turn !== undefined) return view.add('note', `${command} has to wait until I am done.`);
      view.busy = true;
      view.changed();
      await act();
      view.busy = false;
      view.changed();
    });
  }

  close(): void {
    this.closed = true;
    this.turn?.drop();
  }

  private async accept(text: string): Promise<void> {
    const { view } = this.parts;
    view.accepting = true;
    view.changed();
    await this.take(text);
    view.accepting = false;
    view.changed();
  }

  private async take(text: string): Promise<void> {
    const { behaviour, hooks, log, view } = this.parts;
    await pause(behaviour.acceptDelayMs);
    await this.around.beforePrompt();
    const promptId = randomUUID();
    // As in the real client, if a turn runs, the hook gets the id of the running turn and not a new prompt id.
    const { blocked } = await hooks.fire('UserPromptSubmit', () => ({
      prompt_id: this.runningTurn?.promptId ?? promptId,
      prompt: text,
    }));
    if (this.closed) return;
    const unwelcome = behaviour.blockPrompts !== '' && text.includes(behaviour.blockPrompts);
    if (blocked || unwelcome) {
      log.write('blocked', { text });
      view.composer.putBack(text);
      view.add('note', 'A hook blocked this prompt.');
      return;
    }
    if (this.turn === undefined) return this.begin({ promptId, text });
    log.write('queued', { text });
    this.setWaiting([...this.waiting, { promptId, text }]);
  }

  private begin({ promptId, text }: WaitingPrompt): void {
    const { behaviour, contextUse, log, session, transcript, view } = this.parts;
    session.promptId = promptId;
    log.write('submitted', { prompt_id: promptId, text });
    if (!behaviour.noTranscript) transcript.user(text);
    view.busy = true;
    view.add('user', text);
    contextUse.takeIn(text);
    this.turn = new Turn(
      this.parts,
      { promptId, text },
      {
        crash: this.around.crash,
        takeWaiting: () => this.takeWaiting(),
      },
    );
    this.turnOver = this.turn.run().then(() => this.afterTurn());
  }

  private afterTurn(): void {
    if (this.closed) return;
    this.turn = undefined;
    this.parts.view.busy = false;
    const [next] = this.waiting;
    const { queueGapMs } = this.parts.behaviour;
    if (next === undefined || queueGapMs === 0) {
      this.beginNext();
      return;
    }
    // Wait before the next queued prompt begins. A prompt that is submitted during this wait joins the queue.
    this.line = this.line.then(async () => {
      this.parts.view.changed();
      await pause(queueGapMs);
      if (!this.closed && this.turn === undefined) this.beginNext();
    });
  }

  private beginNext(): void {
    const [next, ...rest] = this.waiting;
    this.setWaiting(rest);
    if (next !== undefined) this.begin(next);
  }

  /**
   * Empties the queue and returns its prompts. These prompts were typed while a tool ran. They join the running turn
   * after the tool has ended.
   */
  private takeWaiting(): readonly string[] {
    const texts = this.waiting.map((prompt) => prompt.text);
    this.setWaiting([]);
    return texts;
  }

  private setWaiting(prompts: WaitingPrompt[]): void {
    this.waiting = prompts;
    this.parts.view.queued = prompts.map((prompt) => prompt.text);
    this.parts.view.changed();
  }
}
