import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Observation } from '../brain/action.ts';
import { planTurn } from '../brain/plan-turn.ts';
import type { Situation } from '../brain/situation.ts';
import type { Parts } from '../parts.ts';
import { perform, type TurnVoice } from './perform.ts';
import { TurnFailure } from './turn-failure.ts';

/** From an accepted prompt to its end: Stop, StopFailure, or nothing at all after an interruption. */
export class Turn {
  readonly promptId: string;
  private readonly parts: Parts;
  private readonly prompt: string;
  private readonly voice: TurnVoice;
  private readonly abort = new AbortController();
  private ending = false;
  private lastSaid = '';

  constructor(parts: Parts, promptId: string, prompt: string, crash: () => never) {
    this.parts = parts;
    this.promptId = promptId;
    this.prompt = prompt;
    this.voice = { say: (text) => this.say(text), crash };
  }

  /** False from the moment Stop is on its way: what comes later belongs to the next turn. */
  get isOpen(): boolean {
    return !this.ending;
  }

  interrupt(): void {
    if (this.ending) return;
    this.ending = true;
    this.abort.abort();
    this.parts.log.write('interrupted', { prompt_id: this.promptId });
    this.parts.view.add('note', 'Interrupted');
  }

  /** Ends silently, because the process leaves. */
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
      if (!(problem instanceof TurnFailure)) throw problem;
      this.say(problem.message);
      await this.end('StopFailure', { error: 'unknown' });
    }
  }

  private async followPlan(): Promise<void> {
    const { signal } = this.abort;
    const plan = planTurn(this.prompt, this.situation());
    let seen: Observation = { ok: true, text: '' };
    for (let step = plan.next(seen); !step.done; step = plan.next(seen)) {
      seen = await perform(this.parts, step.value, this.voice, signal);
      signal.throwIfAborted();
    }
  }

  private async end(event: 'Stop' | 'StopFailure', fields: Record<string, unknown>): Promise<void> {
    this.ending = true;
    await this.parts.hooks.fire(event, () => ({ ...fields, last_assistant_message: this.lastSaid }));
    this.parts.log.write('turn_ended', { prompt_id: this.promptId, by: event });
    this.parts.statusLine.update();
  }

  private say(text: string): void {
    const { contextUse, transcript, view } = this.parts;
    this.lastSaid = text;
    view.add('assistant', text);
    contextUse.takeIn(text);
    transcript.assistant([{ type: 'text', text }], contextUse.tokens);
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
