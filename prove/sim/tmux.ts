import type { ClientStatus } from '../../src/app/ports/client-control.ts';
import type {
  Delivery,
  DeliveryOutcome,
  InterruptRequest,
  LaunchRequest,
  PaneIdentity,
  Panes,
  RefusalReason,
  Screen,
  ScreenState,
} from '../../src/app/ports/terminal.ts';
import type { ProgramEnd } from '../../src/domain/agents/program-end.ts';
import { purposeOf, type SimAgent } from './agent.ts';
import type { Baton } from './baton.ts';
import { judgeEscape, judgePaste } from './judge/judge.ts';
import { noteRefused, noteTyping } from './judge/observe.ts';
import type { World } from './world.ts';

interface SimPane {
  readonly identity: PaneIdentity;
  readonly sessionName: string;
  readonly agent: SimAgent | 'stranger';
  readonly delivered: string[];
  dead: boolean;
  inMode: boolean;
}

interface Server {
  readonly serverPid: number;
  readonly serverStartedAt: number;
  panes: SimPane[];
  nextPane: number;
}

class Hung extends Error {
  readonly outcomeUnknown = true;
}

const refuse = (reason: RefusalReason, detail: string = reason): DeliveryOutcome => ({
  verdict: 'refused',
  reason,
  detail,
});
const typed = (enters: number): DeliveryOutcome => ({ verdict: 'typed', enters });
const unconfirmed = (detail: string): DeliveryOutcome => ({ verdict: 'unconfirmed', detail });

const MAX_ENTERS = 3;
const PATIENCE_MS = 3_000;

/**
 * Simulates tmux, its panes and the typing of prompts. Checks the same conditions as the real adapter, in the same
 * order.
 */
export class SimTmux {
  server: Server | undefined;
  hungUntilMs = -1;
  /**
   * One entry for each of the next launches. tmux answers none of these launches. If the entry is `true`, tmux
   * nevertheless starts the program. If it is `false`, tmux does not start the program.
   */
  unansweredLaunches: boolean[] = [];
  private pids = 100;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  paneOf(agent: SimAgent): SimPane | undefined {
    return this.server?.panes.find((pane) => pane.agent === agent);
  }

  connect(): void {
    this.unlessHung();
    this.startServer();
  }

  private startServer(): void {
    this.server ??= {
      serverPid: ++this.pids,
      serverStartedAt: 1_000 + Math.floor(this.world.timeline.nowMs / 1_000),
      panes: [],
      nextPane: 0,
    };
  }

  killServer(withStranger: boolean): void {
    const panes = this.server?.panes ?? [];
    this.world.tell('the tmux server is killed');
    this.server = undefined;
    for (const { agent } of panes) if (agent !== 'stranger') agent.die('its tmux server was killed');
    if (!withStranger) return;
    this.startServer();
    this.addPane('another', 'another', 'stranger');
    if (panes.some(({ identity }) => identity.paneId === '%0')) this.world.saw('pane_id_reissued_to_a_stranger');
  }

  processEnded(agent: SimAgent): void {
    const pane = this.paneOf(agent);
    if (pane === undefined || this.server === undefined) return;
    if (agent.habits.paneRemains) {
      pane.dead = true;
      this.world.saw('pane_kept_dead');
    } else this.server.panes = this.server.panes.filter((each) => each !== pane);
    this.world.baton?.hint('tmux');
  }

  private addPane(sessionName: string, tag: string, agent: SimPane['agent']): SimPane {
    const server = this.server as Server;
    const { serverPid, serverStartedAt } = server;
    const identity = { serverPid, serverStartedAt, paneId: `%${server.nextPane++}`, panePid: ++this.pids, tag };
    const pane = { identity, sessionName, agent, delivered: [], dead: false, inMode: false };
    server.panes.push(pane);
    return pane;
  }

  private isHung(): boolean {
    return this.world.timeline.nowMs < this.hungUntilMs;
  }

  private unlessHung(): void {
    if (this.isHung()) throw new Hung('tmux does not answer');
  }

  /** Waits while tmux hangs. Throws if tmux hangs for longer than PATIENCE_MS. */
  async answers(baton: Baton): Promise<void> {
    if (!this.isHung()) return;
    await baton.sleep(Math.min(PATIENCE_MS, this.hungUntilMs - this.world.timeline.nowMs));
    this.unlessHung();
  }

  async launch(baton: Baton, { sessionName, tag, argv }: LaunchRequest): Promise<PaneIdentity> {
    await baton.moment('launch:before');
    await this.answers(baton);
    this.connect();
    const there = this.server?.panes.find((pane) => pane.sessionName === sessionName);
    if (there !== undefined && there.identity.tag !== tag) throw new Error(`there already is a session ${sessionName}`);
    const unanswered = this.unansweredLaunches.shift();
    if (unanswered === false) throw new Hung('tmux did not answer');
    if (there === undefined) {
      const agent = this.world.startProcess(argv);
      if (agent === undefined) throw new Error('the program ended at once');
      this.addPane(sessionName, tag, agent);
    } else this.world.saw('launch_unanswered_but_found');
    if (unanswered === true) throw new Hung('tmux did not answer');
    baton.reached('launch_agent', 'done');
    await baton.moment('launch:after');
    await baton.sleep(120);
    const pane = this.server?.panes.find((each) => each.sessionName === sessionName);
    if (pane === undefined || pane.dead) throw new Error('the program ended at once');
    return pane.identity;
  }

  list(): Panes {
    this.unlessHung();
    if (this.server === undefined) return { server: undefined, panes: [] };
    const { serverPid, serverStartedAt, panes } = this.server;
    return { server: { serverPid, serverStartedAt }, panes: panes.filter(({ agent }) => agent !== 'stranger') };
  }

  capture(identity: PaneIdentity): Screen | undefined {
    this.unlessHung();
    const found = this.find(identity);
    if (typeof found === 'string' || found.agent === 'stranger') return undefined;
    const { screen } = found.agent;
    const marks = 'interrupted' in screen && screen.interrupted ? ['interrupted'] : [];
    return { lines: [screen.kind, 'text' in screen ? screen.text : '', ...marks], cursorX: 0, cursorY: 0 };
  }

  statusOf(pid: number): ClientStatus | undefined {
    const agent = this.server?.panes.find(({ identity }) => identity.panePid === pid)?.agent;
    return agent === undefined || agent === 'stranger' ? undefined : agent.status;
  }

  ownsTerminal(pid: number): boolean {
    const agent = this.server?.panes.find(({ identity }) => identity.panePid === pid)?.agent;
    return agent === undefined || agent === 'stranger' || agent.ownsTerminal;
  }

  end(identity: PaneIdentity): void {
    this.unlessHung();
    const dead = this.findDead(identity);
    if (dead !== undefined && this.server !== undefined) {
      this.server.panes = this.server.panes.filter((pane) => pane !== dead);
      this.world.saw('dead_pane_removed');
    }
    const found = this.find(identity);
    if (typeof found === 'string' || found.agent === 'stranger') return;
    found.agent.die('its pane was ended');
  }

  /** Presses Escape. Returns the reason if Escape was not pressed. */
  async interrupt(baton: Baton, identity: PaneIdentity, { stillWanted }: InterruptRequest) {
    await baton.moment('interrupt:look');
    await this.answers(baton);
    await baton.sleep(this.world.dice.between(5, 60));
    const pane = this.find(identity);
    if (typeof pane === 'string') return pane;
    const agent = pane.agent as SimAgent;
    if (pane.inMode) return 'copy mode';
    if (!agent.ownsTerminal) return 'another process has the terminal';
    if (agent.screen.kind !== 'busy') return `its screen does not show that it is working (${agent.screen.kind})`;
    if (stillWanted?.() === false) return 'the request no longer applies';
    const lookedAtMs = this.world.timeline.nowMs;
    await baton.sleep(this.world.dice.between(1, 20));
    if (typeof this.find(identity) === 'string' || pane.inMode) return 'its pane changed in the meantime';
    judgeEscape(this.world, agent, lookedAtMs);
    agent.interrupt();
    await baton.moment('interrupt:pressed');
    return undefined;
  }

  private findDead(identity: PaneIdentity): SimPane | undefined {
    const { serverPid, serverStartedAt } = this.server ?? {};
    if (serverPid !== identity.serverPid || serverStartedAt !== identity.serverStartedAt) return undefined;
    return this.server?.panes.find((pane) => pane.dead && pane.identity.panePid === identity.panePid);
  }

  programEnd(identity: PaneIdentity): ProgramEnd | undefined {
    this.unlessHung();
    return this.findDead(identity) && { exitCode: 1, signal: null, lines: ['it failed'] };
  }

  private find({ serverPid, serverStartedAt, paneId, panePid, tag }: PaneIdentity): SimPane | RefusalReason {
    const { server } = this;
    if (server?.serverPid !== serverPid || server.serverStartedAt !== serverStartedAt) return 'wrong_server';
    const pane = server.panes.find(({ identity }) => identity.paneId === paneId);
    if (pane === undefined) return 'pane_gone';
    return pane.identity.panePid === panePid && pane.identity.tag === tag && !pane.dead ? pane : 'agent_gone';
  }

  /** Types a prompt as the real adapter does. If this function throws an error, nothing has been typed. */
  async deliver(baton: Baton, identity: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome> {
    const { world } = this;
    const purpose = purposeOf(delivery.text);
    const deadline = world.timeline.nowMs + delivery.waitReadyMs;
    let drafts = 0;
    for (let attempt = 0; ; ) {
      await baton.moment(`deliver:look:${purpose}`);
      await baton.sleep(world.dice.between(5, 60));
      await this.answers(baton);
      const pane = this.find(identity);
      if (typeof pane === 'string') return refuse(pane);
      const agent = pane.agent as SimAgent;
      if (pane.delivered.includes(delivery.id)) {
        if (pane.delivered.at(-1) !== delivery.id)
          return unconfirmed('Baton had already pasted this text, and has pasted another text since');
        return this.afterPaste(() => this.submit(baton, identity, delivery, true));
      }
      if (pane.inMode) return noteRefused(world, agent, purpose, refuse('copy_mode'));
      if (!agent.ownsTerminal) return refuse('agent_gone', 'another process has the terminal');
      const state = agent.screen;
      const doubt = state.kind === 'ready' ? await delivery.whyNotAtRest?.() : undefined;
      if (state.kind === 'ready' && doubt === undefined) {
        if (delivery.stillWanted?.() === false) return refuse('not_wanted');
        await baton.moment(`deliver:stage:${purpose}`);
        await baton.sleep(world.dice.between(1, 40));
        if (this.paste(identity, delivery)) {
          noteTyping(baton, purpose, 'pasted');
          await baton.moment(`deliver:pasted:${purpose}`);
          return this.afterPaste(() => this.submit(baton, identity, delivery, false));
        }
        if (++attempt === 10) return refuse('busy', "the agent's screen keeps changing");
        continue;
      }
      drafts = state.kind === 'draft' ? drafts + 1 : 0;
      const final = state.kind === 'dialog' || drafts === 2 || world.timeline.nowMs >= deadline;
      if (final && doubt !== undefined) return noteRefused(world, agent, purpose, refuse(doubt.reason, doubt.detail));
      if (final && state.kind !== 'ready')
        return noteRefused(world, agent, purpose, refuse(state.kind, 'text' in state ? state.text : state.kind));
      await baton.sleep(100);
    }
  }

  /** In one step, checks that the prompt may be pasted, marks the pane and pastes the prompt. */
  private paste(identity: PaneIdentity, { id, text }: Delivery): boolean {
    this.unlessHung();
    const pane = this.find(identity);
    if (typeof pane === 'string' || pane.inMode || pane.delivered.includes(id)) return false;
    const agent = pane.agent as SimAgent;
    if (agent.screen.kind !== 'ready') return false;
    pane.delivered.push(id);
    judgePaste(this.world, agent, id, text);
    agent.paste(text);
    return true;
  }

  private async afterPaste(work: () => Promise<DeliveryOutcome>): Promise<DeliveryOutcome> {
    try {
      return await work();
    } catch (error) {
      return unconfirmed(String(error));
    }
  }

  private async submit(
    baton: Baton,
    identity: PaneIdentity,
    { kind, text, isSubmitted }: Delivery,
    pastedBefore: boolean,
  ): Promise<DeliveryOutcome> {
    const purpose = purposeOf(text);
    let patience = 0;
    for (let enters = 0; ; ) {
      await baton.sleep(60);
      await baton.moment(`deliver:settle:${purpose}`);
      await this.answers(baton);
      const pane = this.find(identity);
      if (typeof pane === 'string') {
        const ended = pane !== 'wrong_server' && (kind === 'command' || enters > 0);
        return ended ? typed(enters) : unconfirmed(`the text was pasted, then the pane ended (${pane})`);
      }
      const agent = pane.agent as SimAgent;
      const ours = agent.dialog === undefined && agent.holds(text);
      if (!ours || pane.inMode) {
        const outcome = this.conclude(pane, agent.screen, enters, pastedBefore);
        if (outcome !== undefined) return outcome;
        // Wait a little if the text is not visible yet or Enter cannot be pressed. If the wait gets too long, report
        // the delivery as unconfirmed.
        patience += 200;
        if (patience > (pane.inMode ? 2_000 : 4_000)) {
          this.world.blame(agent.agentId, `stuck_after_paste:${purpose}`);
          return unconfirmed('the text was pasted, but it cannot be sent');
        }
        await baton.sleep(200);
        continue;
      }
      if (isSubmitted?.()) return typed(enters);
      if (enters === MAX_ENTERS) {
        this.world.saw('all_enters_swallowed');
        return unconfirmed(`the composer still contains the text after ${enters} Enters`);
      }
      if (!agent.ownsTerminal) return unconfirmed('the text was pasted, then the agent lost the terminal');
      if (++enters > 1) this.world.saw('enter_swallowed_then_pressed_again');
      agent.enter('baton');
      noteTyping(baton, purpose, 'entered');
      await baton.moment(`deliver:entered:${purpose}`);
      const outcome = await this.watch(baton, identity, text, enters);
      if (outcome !== undefined) return outcome;
    }
  }

  private conclude(pane: SimPane, state: ScreenState, enters: number, pastedBefore: boolean) {
    if (pane.inMode) return undefined;
    if (enters > 0 || state.kind === 'busy') return typed(enters);
    if (state.kind === 'dialog') {
      this.world.blame((pane.agent as SimAgent).agentId, 'dialog_after_paste');
      return unconfirmed('the text was pasted, then a dialog opened; Enter was not pressed');
    }
    if (state.kind === 'draft') return unconfirmed('the text was pasted, but the composer shows other text');
    return pastedBefore && state.kind === 'ready' ? typed(0) : undefined;
  }

  private async watch(
    baton: Baton,
    identity: PaneIdentity,
    text: string,
    enters: number,
  ): Promise<DeliveryOutcome | undefined> {
    for (let glance = 0; glance < 4; glance++) {
      await baton.sleep(100);
      await this.answers(baton);
      const pane = this.find(identity);
      if (typeof pane === 'string') return pane === 'wrong_server' ? unconfirmed('the server is gone') : typed(enters);
      const agent = pane.agent as SimAgent;
      if (!(agent.dialog === undefined && agent.holds(text)) && glance > 0) return typed(enters);
    }
    return undefined;
  }
}
