import type { ClientStatus } from '../../src/app/ports/client-control.ts';
import type { ScreenState } from '../../src/app/ports/terminal.ts';
import type { PromptPurpose } from '../../src/domain/facts.ts';
import type { Habits } from './habits.ts';
import { judgeReceived } from './judge/judge.ts';
import { noteHookLost, noteSessionStartedAgain } from './judge/observe.ts';
import { scriptFor } from './scripts.ts';
import type { HookFate } from './spool.ts';
import type { World } from './world.ts';

export interface Launch {
  readonly agentId: number;
  readonly token: string;
  readonly sessionUuid: string;
  readonly predecessor: number | null;
  /** If true, the agent continues the session of an agent that has ended. */
  readonly resumes: boolean;
}

export interface Received {
  readonly atMs: number;
  readonly purpose: PromptPurpose | 'work';
  readonly ref: string | null;
  readonly promptId: string;
}

export interface Turn {
  readonly promptId: string;
  readonly text: string;
  readonly purpose: Received['purpose'];
  over: boolean;
}

/**
 * One action in a turn. It happens `afterMs` after the previous action. If the action is `asks`, the turn waits for the
 * operator's answer.
 */
export interface Beat {
  readonly afterMs: number;
  readonly act: 'asks' | (() => void);
}

const QUEUE_GAP_MS = 140;

export function purposeOf(text: string): Received['purpose'] {
  if (text === '/exit') return 'exit';
  if (text.includes('--- skill ---')) return 'skill';
  if (text.includes('Write a handoff document now')) return 'instruction';
  if (text.includes('[baton:package-')) return 'package';
  return text.includes('baton ack ') ? 'injection' : 'work';
}

const refOf = (text: string): string | null => [...text.matchAll(/\[baton:([a-z0-9-]+)\]/g)].at(-1)?.[1] ?? null;

/**
 * A simulated coding agent in its terminal. The agent records everything that it receives and writes. The judge
 * compares Baton's behavior with these records.
 */
export class SimAgent {
  alive = true;
  sessionId: string;
  readonly agentId: number;
  readonly token: string;
  readonly predecessor: number | null;
  readonly transcriptPath: string;
  readonly resumes: boolean;
  readonly habits: Habits;
  /** The prompts that the simulated model has received. */
  readonly received: Received[] = [];
  /**
   * The prompts that this conversation received in earlier processes. After a resume, the conversation continues in a
   * new process.
   */
  readonly knew: readonly Received[];
  private readonly endedBefore: ReadonlyMap<string, number>;
  /** True if the SessionStart hook gave the session its skill. Baton must then not type the skill. */
  skillAtStart = false;
  /** True if Escape interrupted the agent's last turn and the screen still shows the interruption. */
  private brokenOff = false;
  /**
   * The time when the screen last changed because a turn ended or the agent asked a question. A screen that Baton read
   * before this time is out of date.
   */
  changedAtMs = 0;
  /** Ids of the deliveries with which Baton asked the agent to exit. */
  readonly exitIds = new Set<string>();
  readonly exitsHeard: { readonly atMs: number }[] = [];
  readonly transcript: string[];
  readonly endedTurns = new Map<string, number>();
  readonly writtenTo: { readonly path: string; readonly atMs: number; readonly complete: boolean }[] = [];
  composer = '';
  dialog: { readonly text: string; readonly answered: () => void } | undefined;
  turn: Turn | undefined;
  ownsTerminal = true;
  /** The number of background tasks that still run. */
  inBackground = 0;
  skillWasRefused = false;
  /**
   * True if nothing shows that the agent's last turn has ended, because the client reports no status and the Stop hook
   * was lost. Baton must not type into such an agent (H49), so a run that would have to type must halt.
   */
  restIsUntold = false;
  /** True if the hook that reports the end of the agent's last tool was lost. */
  private toolEndIsUntold = false;
  private up = false;
  private turns = 0;
  private queue: string[] = [];
  private readonly world: World;

  constructor(world: World, launch: Launch, habits: Habits) {
    this.world = world;
    this.agentId = launch.agentId;
    this.token = launch.token;
    this.sessionId = launch.sessionUuid;
    this.predecessor = launch.predecessor;
    const before = launch.resumes ? world.agentWithSession(launch.sessionUuid) : undefined;
    this.resumes = launch.resumes;
    this.transcriptPath = before?.transcriptPath ?? `/transcripts/${launch.agentId}`;
    this.transcript = before?.transcript ?? [];
    this.knew = before === undefined ? [] : [...before.knew, ...before.received];
    this.endedBefore = new Map(before === undefined ? [] : [...before.endedBefore, ...before.endedTurns]);
    this.skillAtStart = before?.skillAtStart ?? false;
    this.habits = habits;
    this.begin();
  }

  private begin(): void {
    const { world, habits } = this;
    if (habits.start === 'never') {
      world.blame(this.agentId, 'never_started');
      return;
    }
    if (habits.start === 'ends_at_once') {
      this.later(world.dice.between(150, 2_000), () => {
        world.blame(this.agentId, 'ended_at_start');
        this.die('it ended at once');
      });
      return;
    }
    this.later(world.dice.between(100, 600), () => {
      if (habits.start === 'dialog')
        this.ask('Do you trust this folder?', () => {
          world.saw('trust_dialog_at_start');
          this.sessionBegins();
        });
      else this.sessionBegins();
    });
  }

  private sessionBegins(): void {
    const { world, habits } = this;
    this.fire('SessionStart', { source: this.resumes ? 'resume' : 'startup' });
    this.later(world.dice.between(20, 200), () => {
      this.up = true;
    });
    const again = habits.sessionStartsAgain;
    if (again !== 'no') this.later(world.dice.between(1_000, 6_000), () => this.startAgain(again));
  }

  private startAgain(source: 'compact' | 'resume' | 'clear'): void {
    if (source === 'clear' && (this.turn !== undefined || this.composer !== '' || this.dialog !== undefined)) return;
    if (source === 'clear') this.clear();
    else this.fire('SessionStart', { source });
    noteSessionStartedAgain(this.world, this);
  }

  later(ms: number, act: () => void): void {
    this.world.timeline.in(ms, () => {
      if (this.alive) act();
    });
  }

  fire(event: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.world.spool.fire(this, event, payload);
  }

  hookMet(event: string, fate: HookFate, payload: Readonly<Record<string, unknown>>): void {
    const isLost = fate === 'lost' || fate === 'overflows';
    if (event === 'Stop') this.restIsUntold = isLost && !this.habits.keepsStatus;
    if (event === 'PostToolUse') this.toolEndIsUntold = isLost;
    if (event === 'Stop' && this.restIsUntold && this.toolEndIsUntold)
      this.world.blame(this.agentId, 'tool_end_untold');
    if (!isLost) return;
    const purpose = typeof payload.prompt === 'string' ? purposeOf(payload.prompt) : (this.turn?.purpose ?? 'none');
    noteHookLost(this.world, this, event, purpose);
  }

  get screen(): ScreenState {
    if (this.dialog !== undefined) return { kind: 'dialog', text: this.dialog.text };
    if (!this.up) return { kind: 'starting' };
    if (this.composer !== '') return { kind: 'draft', text: this.composer };
    // While the agent is working, clients show different screens: a sign of work, an idle composer, or a screen that
    // Baton cannot read. Without a sign of work, only the client's status says that the agent is working.
    const { hidesWork } = this.habits;
    if (this.turn !== undefined && hidesWork === 'no') return { kind: 'busy' };
    if (this.turn !== undefined && hidesWork === 'unreadably') return { kind: 'unknown', text: 'Baking' };
    return this.brokenOff ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
  }

  /** The status that the simulated client reports. */
  get status(): ClientStatus | undefined {
    if (!this.alive || !this.up || !this.habits.keepsStatus) return undefined;
    if (this.dialog !== undefined) return { status: 'waiting' };
    return { status: this.turn === undefined ? 'idle' : 'busy' };
  }

  /** Returns whether the end of the agent's transcript says that the turn was interrupted. */
  get saysInterrupted(): boolean {
    return this.brokenOff;
  }

  /** Returns whether the composer still contains the text that Baton pasted. */
  holds(text: string): boolean {
    return this.composer === text;
  }

  paste(text: string): void {
    const purpose = purposeOf(text) as PromptPurpose;
    const left = this.habits.swallowedPastes[purpose] ?? 0;
    if (left > 0) {
      this.habits.swallowedPastes[purpose] = left - 1;
      this.world.blame(this.agentId, `paste_swallowed:${purpose}`);
      this.world.saw('paste_swallowed');
      return;
    }
    this.composer += text;
  }

  /** Presses Enter. Baton must not press Enter in a dialog, because only the operator may answer a question. */
  enter(by: 'baton' | 'operator'): void {
    const { world } = this;
    if (this.dialog !== undefined) {
      if (by === 'baton') world.offend(`Baton pressed Enter in a dialog of agent ${this.agentId}`);
      this.answer();
      return;
    }
    const text = this.composer;
    if (text === '' || !this.up) return;
    const purpose = purposeOf(text);
    if (by === 'baton' && purpose !== 'work') {
      const left = this.habits.swallowedEnters[purpose] ?? 0;
      if (left > 0) {
        this.habits.swallowedEnters[purpose] = left - 1;
        if (left > 1) world.blame(this.agentId, `enters_swallowed:${purpose}`);
        return;
      }
    }
    this.composer = '';
    this.submit(text);
  }

  submit(text: string): void {
    if (text === '/exit') {
      this.leave();
      return;
    }
    const { world, habits } = this;
    const purpose = purposeOf(text);
    if (this.turn !== undefined) {
      this.fire('UserPromptSubmit', { prompt: text, prompt_id: this.turn.promptId });
      if (purpose !== 'work') world.blame(this.agentId, `queued:${purpose}`);
      this.queue.push(text);
      return;
    }
    if (habits.blocks !== undefined && habits.blocks === purpose) {
      this.fire('UserPromptSubmit', { prompt: text, prompt_id: this.newPromptId() });
      world.blame(this.agentId, `blocked:${purpose}`);
      world.tell(`agent ${this.agentId}: a policy of the user's blocks the ${purpose}`);
      this.later(60, () => {
        this.composer = text;
      });
      return;
    }
    this.beginTurn(text, true);
  }

  private newPromptId(): string {
    return `p${this.agentId}.${++this.turns}`;
  }

  private beginTurn(text: string, withHook: boolean): void {
    const { world } = this;
    const turn: Turn = { promptId: this.newPromptId(), text, purpose: purposeOf(text), over: false };
    this.turn = turn;
    this.brokenOff = false;
    this.restIsUntold = false;
    if (withHook) this.fire('UserPromptSubmit', { prompt: text, prompt_id: turn.promptId });
    this.received.push({
      atMs: world.timeline.nowMs,
      purpose: turn.purpose,
      ref: refOf(text),
      promptId: turn.promptId,
    });
    world.tell(`agent ${this.agentId} got ${turn.purpose} ${refOf(text) ?? ''} as ${turn.promptId}`);
    judgeReceived(world, this, turn);
    this.later(this.habits.transcriptLagMs, () => this.transcript.push(text));
    this.play(turn, scriptFor(this, turn, world));
  }

  private play(turn: Turn, beats: readonly Beat[], at = 0): void {
    const beat = beats[at];
    if (beat === undefined) return;
    this.later(beat.afterMs, () => {
      if (turn.over) return;
      if (beat.act === 'asks') {
        this.fire('PermissionRequest', { tool_name: 'Write', prompt_id: turn.promptId });
        if (turn.purpose === 'instruction') this.world.saw('dialog_during_handoff_turn');
        this.ask('Allow Write?', () => this.play(turn, beats, at + 1));
        return;
      }
      beat.act();
      this.play(turn, beats, at + 1);
    });
  }

  ask(text: string, answered: () => void): void {
    this.dialog = { text, answered };
    this.changedAtMs = this.world.timeline.nowMs;
    this.world.tell(`agent ${this.agentId} asks: ${text}`);
    this.world.operator.isAsked(this);
  }

  answer(): void {
    const { dialog } = this;
    this.dialog = undefined;
    dialog?.answered();
  }

  endTurn(turn: Turn, { failure }: { failure?: string } = {}): void {
    if (turn.over) return;
    this.closeTurn(turn);
    if (failure !== undefined) this.fire('StopFailure', { prompt_id: turn.promptId, error: failure });
    else this.stopped(turn);
    this.takeFromQueue();
  }

  /**
   * Reports the end of a turn. Like the report of a real client, this report lists all background tasks that still run,
   * including those of earlier turns.
   */
  stopped({ promptId }: Turn): void {
    const tasks = Array.from({ length: this.inBackground }, () => ({}));
    this.fire('Stop', { prompt_id: promptId, background_tasks: tasks });
  }

  /** Interrupts the turn, as the Escape key does. The client sends no hook in this case. */
  interrupt(): void {
    const { turn } = this;
    if (turn === undefined) return;
    this.world.blame(this.agentId, `interrupted:${turn.purpose}`);
    if (turn.purpose === 'instruction') this.world.saw('handoff_turn_interrupted');
    this.dialog = undefined;
    this.closeTurn(turn);
    this.brokenOff = true;
    this.takeFromQueue();
  }

  private closeTurn(turn: Turn): void {
    turn.over = true;
    this.turn = undefined;
    this.changedAtMs = this.world.timeline.nowMs;
    this.endedTurns.set(turn.promptId, this.world.timeline.nowMs);
  }

  private takeFromQueue(): void {
    const next = this.queue.shift();
    if (next === undefined) return;
    // How long the client waits after a turn before it starts a queued prompt. The real client reports the status
    // "idle" during this pause (measured).
    this.later(QUEUE_GAP_MS, () => (this.turn === undefined ? this.beginTurn(next, false) : undefined));
  }

  clear(): void {
    this.world.sessionsChanged = true;
    this.fire('SessionEnd', { reason: 'clear' });
    this.sessionId = `${this.sessionId}-c`;
    this.fire('SessionStart', { source: 'clear' });
  }

  private leave(): void {
    const { world, habits } = this;
    this.exitsHeard.push({ atMs: world.timeline.nowMs });
    world.tell(`agent ${this.agentId} got /exit`);
    if (habits.exit === 'ignores') {
      world.blame(this.agentId, 'exit_ignored');
      world.saw('exit_ignored');
      return;
    }
    if (habits.exit === 'to_a_shell') {
      world.blame(this.agentId, 'left_a_shell');
      this.leaveTerminal();
      return;
    }
    const delay = habits.exit === 'slowly' ? world.dice.between(3_000, 18_000) : world.dice.between(100, 500);
    if (this.turn !== undefined) this.closeTurn(this.turn);
    this.later(delay, () => {
      if (habits.sessionEnds) this.fire('SessionEnd', { reason: 'prompt_input_exit' });
      else world.saw('exit_without_session_end');
      this.die('it was asked to exit');
    });
  }

  leaveTerminal(): void {
    this.ownsTerminal = false;
    this.world.saw('left_a_shell_behind');
    this.world.tell(`agent ${this.agentId} left another program in its terminal`);
  }

  die(why: string): void {
    if (!this.alive) return;
    this.alive = false;
    if (this.turn !== undefined) this.turn.over = true;
    this.turn = undefined;
    this.dialog = undefined;
    this.world.tell(`process of agent ${this.agentId} ended: ${why}`);
    if (this.world.baton === undefined) this.world.saw('agent_exited_while_down');
    this.world.tmux.processEnded(this);
  }

  hasSkill(): boolean {
    const typed = [...this.knew, ...this.received].filter(({ purpose }) => purpose === 'skill');
    return (
      this.skillAtStart || typed.some(({ promptId }) => this.endedTurns.has(promptId) || this.endedBefore.has(promptId))
    );
  }

  /** Returns whether the turn that this prompt began has ended. Also returns true if the agent itself has ended. */
  hasEnded(ref: string): boolean {
    const got = this.received.find((each) => each.ref === ref);
    return !this.alive || (got !== undefined && this.endedTurns.has(got.promptId));
  }
}
