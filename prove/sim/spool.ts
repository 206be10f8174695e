import type { Overflow, SpooledHook } from '../../src/app/ports/spool.ts';
import type { SimAgent } from './agent.ts';
import type { World } from './world.ts';

interface Waiting extends SpooledHook {
  readonly fired: number;
}

/** The fate of a hook on its way to Baton. Every value except `arrives` is a fault. */
export type HookFate = 'arrives' | 'lost' | 'doubled' | 'late' | 'replayed' | 'forged' | 'nested' | 'overflows';

/** The hooks on their way from the agents to Baton, with every fault that can happen to them. */
export class SimSpool {
  waiting: readonly Waiting[] = [];
  /**
   * Every hook file that ever waited in the spool. At the end all files are processed a second time and must not change
   * the state.
   */
  readonly everArrived: Waiting[] = [];
  overflowed = 0;
  isReplay = false;
  fateOf: (agent: SimAgent, event: string) => HookFate = () => 'arrives';
  private files = 0;
  private fired = 0;
  private timesTold = 0;
  private readonly lastTaken = new Map<number, number>();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  fire(agent: SimAgent, event: string, payload: Readonly<Record<string, unknown>>): void {
    const { world } = this;
    const { dice } = world;
    const fate = world.isCalm ? 'arrives' : this.fateOf(agent, event);
    const hook = {
      agentId: agent.agentId,
      token: agent.token,
      event,
      clientPid: world.tmux.paneOf(agent)?.identity.panePid ?? null,
      given: event === 'SessionStart' ? this.textForItsStart(agent) : null,
      payload: {
        session_id: agent.sessionId,
        transcript_path: agent.transcriptPath,
        hook_event_name: event,
        ...payload,
      },
      writtenAtMs: world.timeline.nowMs,
      fired: ++this.fired,
    };
    world.tell(`hook ${event} of agent ${agent.agentId} ${fate}`);
    agent.hookMet(event, fate, payload);
    if (fate === 'lost') return;
    if (fate === 'overflows') {
      this.overflowed++;
      return;
    }
    const arrive = (over: Partial<Waiting> = {}) => this.arrive({ ...hook, key: `hook-${++this.files}`, ...over });
    if (fate === 'late') {
      world.timeline.in(dice.between(100, 8_000), () => arrive());
      return;
    }
    arrive();
    if (fate === 'doubled') world.timeline.in(dice.between(0, 3_000), () => arrive());
    if (fate === 'replayed') world.timeline.in(dice.between(2_000, 60_000), () => arrive());
    // A forged hook has a wrong token. A nested hook comes from another client that runs inside the agent. Each of them
    // falsely reports the end of the agent's turn. If Baton believed such a hook, Baton would check the document too
    // soon.
    if (fate === 'forged') arrive({ token: 'guessed', event: 'Stop', payload: { ...hook.payload } });
    if (fate === 'nested') arrive({ event: 'Stop', clientPid: -1, payload: { session_id: `nested-${this.files}` } });
  }

  /**
   * Returns the name of the text that the SessionStart hook prints. The hook prints the text even if the hook's file in
   * the spool is lost.
   */
  private textForItsStart(agent: SimAgent): string | null {
    const [name = null] = this.world.disk.sessionStarts.get(agent.agentId)?.split('\n') ?? [];
    if (name === null) return null;
    agent.skillAtStart = true;
    this.world.saw('session_began_with_its_skill');
    return name;
  }

  /** Adds an acknowledgment file to the spool. `baton ack` writes such a file when Baton does not answer. */
  leaveAcknowledgement(agent: SimAgent, payload: object): void {
    this.arrive({
      key: `hook-${++this.files}`,
      agentId: agent.agentId,
      token: agent.token,
      event: 'Acknowledge',
      clientPid: null,
      given: null,
      payload,
      writtenAtMs: this.world.timeline.nowMs,
      fired: ++this.fired,
    });
  }

  private arrive(hook: Waiting): void {
    this.waiting = [...this.waiting, hook];
    this.everArrived.push(hook);
    if (this.world.baton === undefined) this.world.saw('hook_arrived_while_down');
    this.world.baton?.hint('spool');
  }

  takenIn(hook: SpooledHook): void {
    if (!this.isReplay) this.note(hook as Waiting);
    this.waiting = this.waiting.filter(({ key }) => key !== hook.key);
  }

  private note(hook: Waiting): void {
    const { fired, agentId } = hook;
    if (fired === this.lastTaken.get(agentId)) this.world.saw('doubled_hook_taken_in');
    if (fired < (this.lastTaken.get(agentId) ?? 0)) {
      this.world.saw('hooks_taken_in_out_of_order');
      // If a tool hook arrives after the Stop hook of its turn, the agent seems to be working. Only the client's status
      // can then show that the agent is idle.
      const isBlind = this.world.agents.get(agentId)?.habits.keepsStatus === false;
      if (isBlind && hook.event.endsWith('ToolUse')) this.world.blame(agentId, 'tool_told_late');
      if (hook.event === 'Stop' && this.world.runsInFlight().some((run) => run.agentId === agentId))
        this.world.saw('replayed_stop_ignored');
    }
    if (hook.token === 'guessed') this.world.saw('forged_hook_ignored');
    const session = (hook.payload as { session_id?: string }).session_id;
    if (session?.startsWith('nested')) this.world.saw('nested_session_ignored');
    this.lastTaken.set(agentId, Math.max(fired, this.lastTaken.get(agentId) ?? 0));
  }

  overflow(): Overflow | undefined {
    return this.overflowed === 0 ? undefined : { key: `overflow-${this.timesTold}`, count: this.overflowed };
  }

  overflowTold(): void {
    this.overflowed = 0;
    this.timesTold++;
    this.world.saw('hooks_not_kept_were_told');
  }
}
