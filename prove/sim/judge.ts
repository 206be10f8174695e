import { shortUuid } from '../../src/domain/agent/agent.ts';
import type { LoggedEvent } from '../../src/domain/facts.ts';
import { isOver, type Run } from '../../src/domain/handoff/run.ts';
import type { Launch, SimAgent, Turn } from './agent.ts';
import { purposeOf } from './agent.ts';
import { EXPLAINED_BY } from './explanations.ts';
import { noteReceived } from './observe.ts';
import type { World } from './world.ts';

/** The promises, held against what the agents, the panes and the disk remember. */

/** Between the last question whether it is still wanted and the paste lies one answer of tmux. */
const ONE_ANSWER_MS = 100;

export function judgeStart(world: World, launch: Launch): void {
  // A process that ended before its session began was never an agent; it may be started again.
  const isThere = world.agents.get(launch.agentId)?.alive || world.row(launch.agentId)?.registeredAt != null;
  if (isThere) world.offend(`agent ${launch.agentId} was started twice`);
  if (launch.predecessor === null) return;
  if (world.agents.get(launch.predecessor)?.alive)
    world.offend(`successor ${launch.agentId} was started while agent ${launch.predecessor} lives`);
  for (const other of world.agents.values())
    if (other.alive && other.predecessor === launch.predecessor)
      world.offend(`agents ${other.agentId} and ${launch.agentId} are both successors of ${launch.predecessor}`);
}

export function judgePaste(world: World, agent: SimAgent, id: string, text: string): void {
  const purpose = purposeOf(text);
  world.tell(`Baton pastes ${purpose} ${id} into agent ${agent.agentId}`);
  if (agent.composer !== '' || agent.dialog !== undefined || agent.turn !== undefined)
    world.offend(`${purpose} was typed into agent ${agent.agentId}, which was not at rest`);
  const run = world.runs().find(({ nonce }) => id.startsWith(`${nonce}-`));
  if (purpose === 'skill' && !id.startsWith(shortUuid(world.row(agent.agentId) ?? { sessionUuid: '?' })))
    world.offend(`a skill was typed into agent ${agent.agentId}, for which it was not meant`);
  if (run === undefined) return;
  const meant = purpose === 'injection' ? run.successorAgentId : run.agentId;
  if (meant !== agent.agentId) world.offend(`${purpose} of run ${run.id} was typed into agent ${agent.agentId}`);
  const overAt = world.overAtMs.get(run.id);
  if (overAt !== undefined && world.timeline.nowMs - overAt > ONE_ANSWER_MS)
    world.offend(`${purpose} was typed although run ${run.id} is ${run.step}`);
  if (purpose === 'exit' && !isKept(world, run))
    world.offend(`agent ${agent.agentId} was asked to exit before its record`);
}

const isKept = (world: World, run: Run): boolean =>
  run.handoffId !== null && run.document?.sha256 != null && world.disk.copies.has(run.document.sha256);

export function judgeReceived(world: World, agent: SimAgent, turn: Turn): void {
  noteReceived(world, agent, turn.purpose);
  if (turn.purpose === 'work') return;
  const nonceOf = (ref: string | null): string => ref?.split('-')[0] ?? '';
  const mine = agent.received.at(-1);
  const all = [...world.agents.values()].flatMap((each) => each.received);
  const same = all.filter(
    ({ purpose, ref }) => purpose === turn.purpose && nonceOf(ref) === nonceOf(mine?.ref ?? null),
  );
  if (same.length > 1) world.offend(`doubled: agent ${agent.agentId} got ${turn.purpose} ${mine?.ref ?? ''} again`);
  if (turn.purpose === 'injection' && !world.disk.skillAbsent) {
    const skill = agent.received.find(({ purpose }) => purpose === 'skill');
    if (skill === undefined || !agent.endedTurns.has(skill.promptId))
      world.offend(`agent ${agent.agentId} got the handoff prompt before its skill was in`);
  }
}

/** The document may be judged once the turn that our instruction began is over, and not before. */
export function judgeCheck(world: World, path: string): void {
  const run = world.runs().find(({ document }) => document?.absolutePath === path);
  const agent = run === undefined ? undefined : world.agents.get(run.agentId);
  if (run === undefined || agent === undefined) return;
  const blamed = world.blamed.get(run.agentId);
  // Without the prompt's own hook the next Stop is taken for ours; a queued prompt comes with the running turn's id.
  if (blamed?.has('lost:UserPromptSubmit:instruction') || blamed?.has('queued:instruction')) return;
  if (!agent.hasEnded(`${run.nonce}-instruction`)) world.offend(`run ${run.id}: judged before the handoff turn ended`);
}

export function judgeStep(world: World, run: Run): void {
  if (isOver(run) && !world.overAtMs.has(run.id)) world.overAtMs.set(run.id, world.timeline.nowMs);
  const { successorAgentId } = run;
  if (run.handoffId !== null && !isKept(world, run))
    world.offend(`run ${run.id} has a record, but its document is not kept`);
  if (successorAgentId !== null && world.agents.get(run.agentId)?.alive)
    world.offend(`run ${run.id} went on to its successor while agent ${run.agentId} lives`);
  if (run.step !== 'completed') return;
  const got = world.agents.get(successorAgentId ?? -1)?.received.some(({ ref }) => ref === `${run.nonce}-injection`);
  if (!got) world.offend(`run ${run.id} is completed, but its successor never got the prompt`);
}

/** When all is over. */
export function judgeEnd(world: World): void {
  const events = world.store.read((tx) => tx.eventsAfter(0, 100_000));
  for (const run of world.runs()) judgeOutcome(world, run, events);
  for (const agent of world.agents.values()) judgeAgent(world, agent);
  const broken = world.store.read((tx) => tx.firstBrokenEvent());
  if (broken !== undefined) world.offend(`the log's chain breaks at event ${broken}`);
  const left = world.store.read((tx) => tx.pendingEffects());
  if (left.length > 0) world.offend(`never performed: ${left.map(({ effect }) => effect.kind).join(', ')}`);
}

function judgeOutcome(world: World, run: Run, events: readonly LoggedEvent[]): void {
  const told = (type: string) => events.filter((event) => event.runId === run.id && event.type === type);
  if (!isOver(run)) world.offend(`run ${run.id} is still at ${run.step}, long after the last fault`);
  if (run.step === 'completed' && told('handoff_complete').length === 0)
    world.offend(`run ${run.id} completed silently`);
  if (run.step === 'cancelled' && run.handoffId !== null) world.offend(`run ${run.id} was cancelled after its record`);
  if (run.step !== 'failed') return;
  const [error, ...more] = told('handoff_error');
  if (error === undefined || more.length > 0 || !error.data.sentence || !error.data.hint)
    world.offend(`silent: run ${run.id} failed and ${error === undefined ? 'nobody was told' : 'it was told badly'}`);
  const code = run.failure?.code ?? '';
  const agents = [0, run.agentId, run.successorAgentId ?? 0];
  const causes = agents.flatMap((id) => [...(world.blamed.get(id) ?? [])]);
  // Without the prompt's own hook, the end of a turn that the operator began is taken for the end of ours.
  if (causes.includes('operator_types') && causes.includes('lost:UserPromptSubmit:instruction'))
    causes.push('turn_misread');
  if (!causes.some((cause) => EXPLAINED_BY[code]?.test(cause)))
    world.offend(
      `run ${run.id} failed with ${code}, but the world did nothing that explains it (${causes.join(', ')})`,
    );
}

function judgeAgent(world: World, agent: SimAgent): void {
  const blamed = world.blamed.get(agent.agentId);
  if (agent.exitsHeard.length === 0 || blamed?.has('stopped')) return;
  if (agent.exitsHeard.length > 1)
    world.offend(`doubled: agent ${agent.agentId} was asked to exit ${agent.exitsHeard.length} times`);
  const run = world.runs().find(({ agentId, handoffId }) => agentId === agent.agentId && handoffId !== null);
  if (run === undefined || !isKept(world, run))
    world.offend(`lost: agent ${agent.agentId} has left, and its document is not kept`);
  const written = agent.writtenTo.filter(({ path, complete }) => complete && path === run?.document?.absolutePath);
  const copy = world.disk.copies.get(run?.document?.sha256 ?? '') ?? '';
  if (written.length > 0 && run?.document?.markerFound === false)
    world.offend(
      `lost: agent ${agent.agentId} finished its document, but half of it was kept: ${copy.length} characters`,
    );
}
