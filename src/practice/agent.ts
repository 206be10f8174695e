import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ComposerKeys } from './composer-keys.ts';
import { Departure, type Leaving } from './departure.ts';
import type { InputEvent } from './input/input-event.ts';
import { InputParser } from './input/input-parser.ts';
import type { Parts } from './parts.ts';
import { PromptIntake } from './prompt-intake.ts';
import { LEAVING, PERMISSION, TRUST } from './screen/dialogs.ts';
import { TerminalScreen } from './screen/terminal-screen.ts';
import { startSession } from './session/start-session.ts';
import { classifySubmission } from './submission.ts';
import { compact } from './turn/compact.ts';

const ESCAPE_DECIDED_MS = 50;

export class Agent {
  private readonly parts: Parts;
  private readonly screen: TerminalScreen;
  private readonly departure: Departure;
  private readonly intake: PromptIntake;
  private readonly keys: ComposerKeys;
  private readonly parser = new InputParser();
  private escapeTimer: NodeJS.Timeout | undefined;
  private sessionBegun = false;

  constructor(parts: Parts) {
    this.parts = parts;
    this.screen = new TerminalScreen(parts.view);
    this.departure = new Departure(parts, this.screen);
    this.intake = new PromptIntake(parts, {
      crash: () => this.departure.atOnce(1, 'crash'),
      beforePrompt: () => this.beginSession(),
    });
    this.keys = new ComposerKeys(parts, {
      submit: (text) => this.submit(text),
      interrupt: () => this.interrupt(),
      leave: () => this.leave({ code: 0, reason: 'ctrl_c', sessionEnd: 'prompt_input_exit' }),
    });
    parts.view.changed = () => {
      this.screen.redrawSoon();
      this.sayStatus();
    };
  }

  async start(): Promise<void> {
    const { behaviour, dialogs, view, statusLine } = this.parts;
    if (behaviour.startExit !== null) {
      // Ask for the cursor position and wait for the answer, which the terminal sends only after it has drawn the text.
      // If the process ended earlier, the text could be lost.
      process.stdin.setRawMode(true);
      writeSync(2, 'The practice agent was told to end at its start.\r\n\x1b[6n');
      await Promise.race([once(process.stdin, 'data'), pause(5_000)]);
      this.departure.atOnce(behaviour.startExit, 'startExit');
    }
    this.screen.enter();
    process.stdin.on('data', (chunk: Buffer) => this.receive(chunk));
    process.stdin.on('end', () => this.leaveBySignal(129, 'stdin_closed'));
    process.on('SIGTERM', () => this.leaveBySignal(143, 'SIGTERM'));
    process.on('SIGHUP', () => this.leaveBySignal(129, 'SIGHUP'));
    if (behaviour.signalDialog !== '') {
      process.on('SIGUSR2', () => void dialogs.ask(PERMISSION, behaviour.signalDialog));
    }
    await pause(behaviour.startDelayMs);
    if (behaviour.startDialog !== '' && (await dialogs.ask(TRUST, behaviour.startDialog)) === 'no') {
      this.departure.atOnce(1, 'trust_declined');
    }
    if (!behaviour.sessionAtFirstPrompt) await this.beginSession();
    statusLine.update();
    if (this.departure.hasBegun) return;
    view.starting = false;
    this.screen.acceptPastes();
    this.sayStatus();
  }

  private async beginSession(): Promise<void> {
    if (this.sessionBegun) return;
    this.sessionBegun = true;
    await startSession(this.parts, this.parts.resumed ? 'resume' : 'startup');
  }

  private sayStatus(): void {
    const { view, dialogs, statusFile } = this.parts;
    if (view.starting || this.departure.hasBegun) return;
    if (dialogs.isOpen) statusFile.say('waiting');
    else statusFile.say(view.busy || view.accepting ? 'busy' : 'idle');
  }

  /**
   * Ends the practice agent because of a bug in it. Writes the bug to the log, where a test can see it, and restores
   * the terminal.
   */
  fail(problem: unknown): never {
    return this.departure.atOnce(70, `defect: ${problem instanceof Error ? problem.stack : problem}`);
  }

  private receive(chunk: Buffer): void {
    const { behaviour, log } = this.parts;
    log.write('bytes', { hex: chunk.toString('hex') });
    if (behaviour.echoDelayMs === 0) this.take(chunk);
    else setTimeout(() => this.take(chunk), behaviour.echoDelayMs);
  }

  private take(chunk: Buffer): void {
    if (this.departure.hasBegun) return;
    this.handleAll(this.parser.feed(chunk));
    clearTimeout(this.escapeTimer);
    if (this.parser.undecided) {
      this.escapeTimer = setTimeout(() => this.handleAll(this.parser.settle()), ESCAPE_DECIDED_MS);
    }
  }

  private handleAll(events: readonly InputEvent[]): void {
    const { dialogs, log, view } = this.parts;
    for (const event of events) {
      if (this.departure.hasBegun) return;
      if (dialogs.isOpen) {
        if (event.kind === 'enter') log.write('enter', { effect: 'dialog' });
        dialogs.handle(event);
        if (event.kind === 'ctrl-c') this.interrupt();
      } else if (view.starting) this.keys.handleEarly(event);
      else this.keys.handle(event);
    }
  }

  private submit(text: string): void {
    const submission = classifySubmission(text);
    if (submission.kind === 'prompt') this.intake.submit(text);
    else if (submission.kind === 'shell') this.parts.view.add('note', 'shell mode is off in practice');
    else this.command(submission.name, text);
  }

  private command(name: string, text: string): void {
    const { behaviour, log, session, view } = this.parts;
    log.write('command', { text });
    if (this.intake.runningTurn === undefined) session.beginCommand();
    const wantsOut = name === '/exit' || name === '/quit';
    if (wantsOut && behaviour.exit === 'ignore') view.add('note', 'I would rather stay.');
    else if (wantsOut && behaviour.exit === 'asks') void this.askBeforeLeaving(name);
    else if (wantsOut) {
      const thenShell = behaviour.exit === 'shell';
      this.leave({ code: 0, reason: name, sessionEnd: 'prompt_input_exit', thenShell });
    } else if (name === '/clear') this.intake.betweenTurns(name, () => this.clear());
    else if (name === '/compact') this.intake.betweenTurns(name, () => compact(this.parts, 'manual'));
    else view.add('note', `Unknown command: ${name}`);
  }

  private async askBeforeLeaving(reason: string): Promise<void> {
    const chosen = await this.parts.dialogs.pick(LEAVING, 'shell: npm run dev');
    if (chosen === LEAVING.options.length - 1) this.parts.view.add('note', 'I stay.');
    else this.leave({ code: 0, reason, sessionEnd: 'prompt_input_exit' });
  }

  private async clear(): Promise<void> {
    const { contextUse, hooks, memory, session, view } = this.parts;
    await hooks.fire('SessionEnd', () => ({ reason: 'clear' }));
    session.beginAnew();
    memory.forgetEverything();
    contextUse.clear();
    view.entries = [];
    await startSession(this.parts, 'clear');
  }

  /** Interrupts the running turn. Returns false if no turn was running. */
  private interrupt(): boolean {
    const turn = this.intake.runningTurn;
    turn?.interrupt();
    return turn !== undefined;
  }

  private leaveBySignal(code: number, reason: string): void {
    this.leave(this.sessionBegun ? { code, reason, sessionEnd: 'other' } : { code, reason });
  }

  private leave(leaving: Leaving): void {
    void this.departure.leave(leaving, this.intake);
  }
}
