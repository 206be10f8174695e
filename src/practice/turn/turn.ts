import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Action, Observation } from '../brain/action.ts';
import { planTurn } from '../brain/plan-turn.ts';
import type { Situation } from '../brain/situation.ts';
import type { Parts } from '../parts.ts';
import { perform, type TurnVoice } from './perform.ts';
import { PermissionDenied, TurnFailure } from './turn-failure.ts';

interface Surroundings {
  readonly crash: () => never;
  /** Removes from the queue the prompts that the operator typed during the turn, and returns them. */
  readonly takeWaiting: () => readonly string[];
}

const TOOLS: ReadonlySet<Action['kind']> = new Set(['read', 'write', 'bash', 'mcp', 'ask']);

/**
 * One turn: it begins with an accepted prompt and ends with Stop or StopFailure. An interrupted turn ends without a
 * hook, or with Interrupt if the agent imitates a client that has this hook.
 */
export class Turn {
  readonly promptId: string;
  private readonly parts: Parts;
  private readonly prompt: string;
  private readonly voice: TurnVoice;
  private readonly takeWaiting: Surroundings['takeWaiting'];
  private readonly abort = new AbortController();
  private ending = false;
  private answered = false;
  private lastSaid = '';

  constructor(
    parts: Parts,
    { promptId, text }: { readonly promptId: string; readonly text: string },
    { crash, takeWaiting }: Surroundings,
  ) {
    this.parts = parts;
    this.promptId = promptId;
    this.prompt = text;
    this.takeWaiting = takeWaiting;
    this.voice = { say: (text) => this.say(text), crash };
  }

  /**
   * True while later prompts can still join this turn. False once Stop is about to fire or the turn was interrupted.
   */
  get isOpen(): boolean {
    return !this.ending;
  }

  interrupt(): void {
    if (this.ending) return;
    this.ending = true;
    this.abort.abort();
    this.parts.log.write('interrupted', { prompt_id: this.promptId });
    this.parts.view.add('note', 'Interrupted');
    if (this.answered) this.parts.transcript.interrupted();
    if (this.parts.behaviour.interruptHook)
      void this.parts.hooks.fire('Interrupt', () => ({ prompt_id: this.promptId }));
    // As in the real client, put an interrupted prompt back into the composer if the model has not begun to answer.
    if (!this.answered) this.parts.view.composer.putBack(this.prompt);
  }

  /** Ends the turn without hooks. Called when the process exits. */
  drop(): void {
    this.ending = true;
    this.abort.abort();
  }

  async run(): Promise<void> {
    try {
      await this.followPlan();
      await this.end('Stop', { stop_hook_active: false, background_tasks: [], session_crons: [] });
    } catch (problem) {
      if (this.abort.signal.aborted) return;
      if (problem instanceof PermissionDenied) return this.interrupt();
      if (!(problem instanceof TurnFailure)) throw problem;
      this.say(problem.message);
      await this.end('StopFailure', { error: 'unknown' });
    }
  }

  private async followPlan(): Promise<void> {
    const prompts = [this.prompt];
    for (let prompt = prompts.shift(); prompt !== undefined; prompt = prompts.shift()) {
      const plan = planTurn(prompt, this.situation());
      let seen: Observation = { ok: true, text: '' };
      for (let step = plan.next(seen); !step.done; step = plan.next(seen)) {
        seen = await this.perform(step.value);
        if (TOOLS.has(step.value.kind)) prompts.push(...this.takeWaiting().map((text) => this.join(text)));
      }
    }
  }

  private async perform(action: Action): Promise<Observation> {
    const { signal } = this.abort;
    if (TOOLS.has(action.kind)) this.beginAnswer();
    const seen = await perform(this.parts, action, this.voice, signal);
    signal.throwIfAborted();
    return seen;
  }

  private join(text: string): string {
    const { contextUse, log, transcript, view } = this.parts;
    log.write('submitted', { prompt_id: this.promptId, text, joined: true });
    transcript.joined(text);
    view.add('user', text);
    contextUse.takeIn(text);
    return text;
  }

  private beginAnswer(): void {
    this.answered = true;
    this.parts.contextUse.answered();
  }

  private async end(event: 'Stop' | 'StopFailure', fields: Record<string, unknown>): Promise<void> {
    this.ending = true;
    await this.parts.hooks.fire(event, () => ({ ...fields, last_assistant_message: this.lastSaid }));
    this.parts.log.write('turn_ended', { prompt_id: this.promptId, by: event });
    this.parts.statusLine.update();
    const { secondStopMs } = this.parts.behaviour;
    if (event === 'Stop' && secondStopMs > 0) setTimeout(() => void this.stopAgain(fields), secondStopMs);
  }

  /** Fires a second Stop hook for this turn, even if another turn is already running. */
  private async stopAgain(fields: Record<string, unknown>): Promise<void> {
    await this.parts.hooks.fire('Stop', () => ({ ...fields, prompt_id: this.promptId }));
    this.parts.log.write('second_stop', { prompt_id: this.promptId });
  }

  private say(text: string): void {
    const { contextUse, transcript, view } = this.parts;
    this.beginAnswer();
    this.lastSaid = text;
    view.add('assistant', text);
    contextUse.takeIn(text);
    transcript.assistant([{ type: 'text', text }], contextUse);
  }

  private situation(): Situation {
    const { name, memory, behaviour, contextUse, session } = this.parts;
    return {
      name,
      projectName: basename(session.cwd),
      memory,
      behaviour,
      contextPercent: () => contextUse.percent,
      exists: (path) => existsSync(resolve(session.cwd, path)),
    };
  }
}
