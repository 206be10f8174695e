import { shortUuid } from '../../../src/domain/agents/agent.ts';
import type { LoggedEvent } from '../../../src/domain/facts.ts';
import { promptRef } from '../../../src/domain/handoffs/prompts/prompt-delivery.ts';
import { isOver, type Run } from '../../../src/domain/handoffs/run.ts';
import { firstBrokenEvent } from '../../memory-store/first-broken-event.ts';
import type { Launch, SimAgent, Turn } from '../agent.ts';
import { purposeOf } from '../agent.ts';
import type { World } from '../world.ts';
import { EXPLAINED_BY } from './explanations.ts';
import { judgeInbox, judgeNotified } from './judge-inbox.ts';
import { noteLog, noteReceived } from './observe.ts';

/** Checks Baton's promises. The evidence is the records of the simulated agents, the panes and the disk. */

/**
 * How long after the end of a run Baton is still allowed to type a prompt of that run. Baton checks that the prompt is
 * wanted, then waits up to this long for tmux, and then pastes the prompt.
 */
const ONE_ANSWER_MS = 100;

export function judgeStart(world: World, launch: Launch): void {
  // Count only a process that is alive or whose session has begun. If a process has ended before its session began,
  // Baton is allowed to start the agent again.
  const isThere = world.agents.get(launch.agentId)?.alive || world.row(launch.agentId)?.registeredAt != null;
  if (isThere) world.offend(`agent ${launch.agentId} was started twice`);
  if (launch.predecessor === null) return;
  const heir = liveSuccessor(world, launch.predecessor);
  if (heir !== undefined)
    world.offend(
      `agent ${launch.agentId} was started for ${launch.predecessor}, whose work the live agent ${heir.agentId} continues`,
    );
  if (world.agents.get(launch.predecessor)?.alive)
    world.offend(`successor ${launch.agentId} was started while agent ${launch.predecessor} is live`);
}

/** Finds a live successor or restored agent that continues this agent's work, directly or through other agents. */
function liveSuccessor(world: World, agentId: number): SimAgent | undefined {
  const heirs = [...world.agents.values()].filter(({ predecessor }) => predecessor === agentId);
  return heirs.find(({ alive }) => alive) ?? heirs.map((heir) => liveSuccessor(world, heir.agentId)).find(Boolean);
}

/**
 * Checks that Baton presses Escape only while the agent is working. An Escape is also allowed if the turn ended just
 * before, while Baton waited for tmux.
 */
export function judgeEscape(world: World, agent: SimAgent, lookedAtMs: number): void {
  world.tell(`Baton presses Escape in agent ${agent.agentId}`);
  const justChanged = agent.changedAtMs >= lookedAtMs;
  if (agent.screen.kind !== 'busy' && !justChanged)
    world.offend(`Escape was pressed in agent ${agent.agentId}, which did not work (${agent.screen.kind})`);
  if (agent.turn !== undefined) world.saw('interrupted_by_operator');
}

export function judgePaste(world: World, agent: SimAgent, id: string, text: string): void {
  const purpose = purposeOf(text);
  world.tell(`Baton pastes ${purpose} ${id} into agent ${agent.agentId}`);
  if (agent.composer !== '' || agent.dialog !== undefined || agent.turn !== undefined)
    world.offend(`${purpose} was typed into agent ${agent.agentId}, which was not idle`);
  const run = world.runs().find(({ nonce }) => id.startsWith(`${nonce}-`));
  if (purpose === 'skill' && !id.startsWith(shortUuid(world.row(agent.agentId) ?? { sessionUuid: '?' })))
    world.offend(`a skill was typed into agent ${agent.agentId}, although the agent should not get it`);
  if (run === undefined) return;
  const isForSuccessor = purpose === 'injection' || id.includes('-nudge-');
  const meant = isForSuccessor ? run.successorAgentId : run.agentId;
  if (meant !== agent.agentId) world.offend(`${purpose} of run ${run.id} was typed into agent ${agent.agentId}`);
  const overAt = world.overAtMs.get(run.id);
  if (overAt !== undefined && world.timeline.nowMs - overAt > ONE_ANSWER_MS)
    world.offend(`${purpose} was typed although run ${run.id} is ${run.step}`);
  if (run.emergency && !isForSuccessor)
    world.offend(`${purpose} was typed into agent ${agent.agentId}, which died and has an emergency successor`);
  if (purpose !== 'exit') return;
  if (!isKept(world, run)) world.offend(`agent ${agent.agentId} was asked to exit before its handoff was recorded`);
  if (run.review === 'wanted' || (run.review === 'approved' && !world.approved.has(run.id)))
    world.offend(`agent ${agent.agentId} was asked to exit before the operator approved`);
  if (/-\d+$/.test(id)) world.saw('exit_typed_again');
  world.askedToExit.add(run.id);
  agent.exitIds.add(id);
}

/**
 * Returns whether the run's document is stored. If Baton has asked for a newer document, the run's handoff record still
 * names the previous document. In that case the previous document must be stored.
 */
function isKept(world: World, { emergency, handoffId, document, recordedDocument }: Run): boolean {
  const sha256 = (recordedDocument ?? document)?.sha256;
  return emergency || (handoffId !== null && sha256 != null && world.disk.copies.has(sha256));
}

export function judgeReceived(world: World, agent: SimAgent, turn: Turn): void {
  noteReceived(world, agent, turn.purpose);
  if (turn.purpose === 'work') return;
  if (turn.purpose === 'skill' && agent.skillAtStart && !(agent.received.at(-1)?.ref ?? '').match(/-\d+$/))
    world.offend(`doubled: agent ${agent.agentId} was typed the skill that its session began with`);
  const mine = agent.received.at(-1);
  const all = [...world.agents.values()].flatMap((each) => each.received);
  const same = all.filter(
    // Each attempt of a run has its own references. So if two accepted prompts have the same reference, Baton typed one
    // prompt twice.
    ({ purpose, ref }) => purpose === turn.purpose && ref === (mine?.ref ?? null),
  );
  if (same.length > 1) world.offend(`doubled: agent ${agent.agentId} got ${turn.purpose} ${mine?.ref ?? ''} again`);
  if (turn.purpose === 'injection' && !world.disk.skillAbsent) {
    if (!agent.hasSkill()) world.offend(`agent ${agent.agentId} got the handoff prompt before its skill`);
  }
}

/** Checks that Baton reads the document only after the turn with Baton's instruction has ended. */
export function judgeCheck(world: World, path: string): void {
  const run = world.runs().find(({ document }) => document?.absolutePath === path);
  const agent = run === undefined ? undefined : world.agents.get(run.agentId);
  // Allow the check at any time if the operator asked Baton to check the document.
  if (run === undefined || agent === undefined || world.lookedFor.has(run.id)) return;
  const blamed = world.blamed.get(run.agentId);
  // Skip two cases in which Baton cannot know when the turn with the instruction has ended. In the first case, the hook
  // of the prompt was lost, so Baton mistakes the next Stop hook for the end of this turn. In the second case, the
  // prompt was queued, so it has the id of the turn that was running.
  if (blamed?.has('lost:UserPromptSubmit:instruction') || blamed?.has('queued:instruction')) return;
  if (!agent.hasEnded(promptRef(run, 'instruction')))
    world.offend(`run ${run.id}: the document was checked before the handoff turn ended`);
}

export function judgeStep(world: World, run: Run, hasFailed: boolean): void {
  if (!isOver(run)) world.overAtMs.delete(run.id);
  else if (!world.overAtMs.has(run.id)) world.overAtMs.set(run.id, world.timeline.nowMs);
  // Judge a failure only if the run is still failed. In the store transaction in which the run failed, an action of the
  // operator may already have resumed the run.
  if (hasFailed && run.step === 'failed') judgeFailure(world, run);
  judgeInbox(world);
  const { successorAgentId } = run;
  if (run.handoffId !== null && !isKept(world, run))
    world.offend(`run ${run.id} has a record, but its document is not stored`);
  if (successorAgentId !== null && world.agents.get(run.agentId)?.alive)
    world.offend(`run ${run.id} continued with its successor while agent ${run.agentId} is live`);
  if (run.step !== 'completed') return;
  const got = world.agents
    .get(successorAgentId ?? -1)
    ?.received.some(({ ref }) => ref?.startsWith(`${run.nonce}-injection`));
  if (!got) world.offend(`run ${run.id} is completed, but its successor never got the prompt`);
}

/** Performs the checks at the end of a simulated world. */
export function judgeEnd(world: World): void {
  const events = world.store.read((tx) => tx.eventsAfter(0, 100_000));
  noteLog(world, events);
  for (const run of world.runs()) judgeOutcome(world, run, events);
  for (const agent of world.agents.values()) judgeAgent(world, agent);
  for (const event of events) judgeEnded(world, event);
  judgeInbox(world);
  judgeNotified(world);
  const broken = world.store.read(firstBrokenEvent);
  if (broken !== undefined) world.offend(`the log's chain breaks at event ${broken}`);
  const left = world.store.read((tx) => tx.pendingEffects());
  if (left.length > 0) world.offend(`never performed: ${left.map(({ effect }) => effect.kind).join(', ')}`);
}

/**
 * Checks that every open run waits for the operator. Called after the faults have stopped and before the operator
 * helps.
 */
export function judgeStillOpen(world: World): void {
  for (const run of world.runsInFlight())
    if (!waitsForApproval(run)) world.offend(`run ${run.id} is still at ${run.step}, long after the last fault`);
  for (const run of world.runs())
    if (run.step === 'failed' && isLatest(world, run) && world.operator.offered(run).length === 0)
      world.offend(
        `run ${run.id} failed with ${run.failure?.code} at ${run.failure?.at}, and nothing can be done about it`,
      );
}

export const waitsForApproval = (run: Run): boolean => run.step === 'recorded' && run.review === 'wanted';

/** Returns true unless a later run hands off this run's agent or successor. */
export const isLatest = (world: World, run: Run): boolean =>
  !world.runs().some(({ id, agentId }) => id > run.id && (agentId === run.agentId || agentId === run.successorAgentId));

function judgeOutcome(world: World, run: Run, events: readonly LoggedEvent[]): void {
  const told = (type: string) => events.filter((event) => event.runId === run.id && event.type === type);
  if (run.step !== 'completed' && run.step !== 'cancelled' && isLatest(world, run))
    world.offend(
      `run ${run.id} is at ${run.step} (${run.failure?.code}), although the operator took every offered action`,
    );
  if (run.step === 'completed' && told('handoff_complete').length === 0)
    world.offend(`run ${run.id} completed silently`);
  if (run.step === 'cancelled' && run.broughtBackAgentId === null && world.askedToExit.has(run.id))
    world.offend(`run ${run.id} was cancelled after its agent had been asked to exit`);
  const errors = told('handoff_error');
  if (errors.length !== run.failures || errors.some(({ data }) => !data.sentence || !data.hint))
    world.offend(
      `silent: run ${run.id} failed ${run.failures} times, but only ${errors.length} failures were reported`,
    );
  if (run.attempt - 1 > told('operator_chose').length)
    world.offend(`run ${run.id} is at attempt ${run.attempt}, which the operator did not ask for`);
}

function judgeFailure(world: World, run: Run): void {
  const code = run.failure?.code ?? '';
  const agents = [0, run.agentId, run.successorAgentId ?? 0];
  const causes = agents.flatMap((id) => [...(world.blamed.get(id) ?? [])]);
  // Two causes explain a failure only if both occurred: the operator typed, and the hook of Baton's instruction was
  // lost. Baton then mistakes the end of the operator's turn for the end of the turn with the instruction.
  if (causes.includes('operator_types') && causes.includes('lost:UserPromptSubmit:instruction'))
    causes.push('turn_misread');
  if (agents.some((id) => world.agents.get(id)?.restIsUntold)) causes.push('rest_untold');
  if (!causes.some((cause) => EXPLAINED_BY[code]?.test(cause)))
    world.offend(
      `run ${run.id} failed with ${code}, but the world did nothing that explains it (${causes.join(', ')})`,
    );
}

/**
 * Checks that an ended agent stays ended. One exception is allowed: if tmux does not answer a launch, Baton records the
 * agent as ended, and can find out later that the agent is starting.
 */
function judgeEnded(world: World, { type, agentId, data }: LoggedEvent): void {
  if (type === 'agent_state_changed' && data.from === 'ended' && data.to !== 'starting')
    world.offend(`agent ${agentId} had ended, but is ${data.to} again`);
}

function judgeAgent(world: World, agent: SimAgent): void {
  const blamed = world.blamed.get(agent.agentId);
  if (agent.exitsHeard.length === 0 || blamed?.has('stopped')) return;
  if (agent.exitsHeard.length > agent.exitIds.size)
    world.offend(`doubled: agent ${agent.agentId} was asked to exit ${agent.exitsHeard.length} times`);
  const run = world
    .runs()
    .find(({ agentId, handoffId, emergency }) => agentId === agent.agentId && handoffId !== null && !emergency);
  if (run === undefined || !isKept(world, run))
    world.offend(`lost: agent ${agent.agentId} has exited, but its document is not stored`);
  const written = agent.writtenTo.filter(({ path, complete }) => complete && path === run?.document?.absolutePath);
  const copy = world.disk.copies.get(run?.document?.sha256 ?? '') ?? '';
  const adopted = run?.warnings.some((warning) => warning.includes('The operator chose'));
  if (written.length > 0 && run?.document?.markerFound === false && !adopted)
    world.offend(
      `lost: agent ${agent.agentId} finished its document, but only half of it was stored: ${copy.length} characters`,
    );
}
