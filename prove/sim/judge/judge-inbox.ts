import { isLive, isWithoutTerminal } from '../../../src/domain/agents/agent.ts';
import { autoOf } from '../../../src/domain/handoffs/policy/auto-handoff.ts';
import { lacksRecord, type Run } from '../../../src/domain/handoffs/run.ts';
import type { World } from '../world.ts';
import { isLatest } from './judge.ts';

const WANTS_COMPOSER: ReadonlySet<string> = new Set(['waiting_safe_point', 'instructing', 'shutting_down']);

/** Checks that the inbox has an item for everything that needs a person, and no other item (SPEC H46). */
export function judgeInbox(world: World): void {
  const needed = new Set(world.runs().flatMap((run) => needs(world, run)));
  const { open, current, taught } = world.store.read((tx) => ({
    open: tx.openInboxItems(),
    taught: tx.personas().filter(({ id }) => tx.lessonsOfPersona(id, ['offered'], 1).length > 0),
    current: [
      ...tx.runs({ limit: 100 }).flatMap(({ id }) => tx.currentInboxItems({ runId: id })),
      ...tx.agents().flatMap(({ id }) => tx.currentInboxItems({ agentId: id })),
      ...tx.personas().flatMap(({ slug }) => tx.currentInboxItems({ persona: slug })),
    ],
  }));
  for (const { slug } of taught) needed.add(`persona/${slug}/lessons`);
  const inFlight = world.runsInFlight();
  const allowed = new Set<string>();
  for (const agent of world.store.read((tx) => tx.agents())) {
    // Also allow items that only inform the operator: items about a turn while the agent is idle, and the item about
    // a nearly full context while the agent is live.
    if (agent.state === 'idle') {
      allowed.add(`agent/${agent.id}/finished`);
      allowed.add(`agent/${agent.id}/turn-failed`);
      allowed.add(`agent/${agent.id}/cut-off`);
    }
    if (isLive(agent)) allowed.add(`agent/${agent.id}/near-threshold`);
    const inRun = inFlight.some((run) => run.agentId === agent.id || run.successorAgentId === agent.id);
    const { countdown, held } = autoOf(agent);
    if (countdown !== null) needed.add(`agent/${agent.id}/countdown`);
    else if (held !== null && isLive(agent) && !inRun) allowed.add(`agent/${agent.id}/auto-held`);
    if (held !== null && agent.state === 'idle' && !inRun) needed.add(`agent/${agent.id}/auto-held`);
    const waiting = inFlight.find(({ agentId, step }) => agentId === agent.id && WANTS_COMPOSER.has(step));
    const isHeldUp = agent.state === 'unknown' || (agent.state === 'idle' && agent.obstacle);
    if (waiting !== undefined && isHeldUp) needed.add(`run/${waiting.id}/waits`);
    if (!inRun && agent.state === 'unknown') needed.add(`agent/${agent.id}/unknown`);
    if (!isLive(agent) || agent.state !== 'awaiting_input') continue;
    if (isWithoutTerminal(agent)) needed.add(`agent/${agent.id}/terminal`);
    else if (!inRun) needed.add(`agent/${agent.id}/asks`);
  }
  for (const key of needed)
    if (!current.some((item) => item.key === key)) world.offend(`silent: the inbox does not have ${key}`);
  for (const { key } of open.filter(({ key }) => !allowed.has(key) && !key.startsWith('package/')))
    if (/^restore\/|\/gone$/.test(key)) judgeGone(world, key);
    else if (!/^(event|trouble)\/|\/not-back\//.test(key) && !/\/(asks|terminal)$/.test(key) && !needed.has(key))
      world.offend(`the inbox still has ${key}, although its cause is over`);
    else if (key.startsWith('agent/') && !needed.has(key))
      world.offend(`the inbox still has ${key}, although its cause is over`);
}

/**
 * Checks an inbox item about an agent that was lost or ended. The agent must not be live, and must have no successor.
 */
function judgeGone(world: World, key: string): void {
  const id = Number(/^agent\/(\d+)\/gone$/.exec(key)?.[1] ?? 0);
  const about = world.store.read((tx) =>
    id === 0 ? tx.agentsToRestore() : [tx.agentById(id)].filter((agent) => agent !== undefined),
  );
  if (about.length === 0 || about.some(isLive)) world.offend(`the inbox has ${key}, but the agent is not gone`);
  if (id !== 0 && world.store.read((tx) => tx.successorsOf(id)).length > 0)
    world.offend(`the inbox still has ${key}, although another agent continues the work`);
}

function needs(world: World, run: Run): readonly string[] {
  const about = (what: string): string => `run/${run.id}/${what}`;
  const latest = isLatest(world, run);
  return [
    ...(run.step === 'failed' && latest ? [about(`failed/${run.failures}`)] : []),
    ...(run.lateDocument && lacksRecord(run) && latest ? [about('late-document')] : []),
    ...(run.step === 'awaiting_document' && isResting(world, run.agentId) ? [about('rests')] : []),
    ...(run.step === 'recorded' && run.review === 'wanted' ? [about('review')] : []),
    ...(isSilent(world, run) ? [about(`silent/${run.nudge?.count ?? 0}`)] : []),
    ...(run.step === 'completed' && run.acknowledgement === null ? [about('unacknowledged')] : []),
  ];
}

/** Returns whether the successor has ended its turn without an acknowledgment (H55). */
const isSilent = (world: World, { step, delivery, successorAgentId }: Run): boolean =>
  step === 'awaiting_acknowledgement' &&
  delivery?.isOverUnacknowledged === true &&
  isResting(world, successorAgentId ?? 0);

const isResting = (world: World, agentId: number): boolean =>
  world.store.read((tx) => tx.agentById(agentId))?.state === 'idle';

/** Checks at the end that Baton has notified the operator of each failure and decision at least once. */
export function judgeNotified(world: World): void {
  for (const key of untold(world)) world.offend(`silent: the operator was never notified of ${key}`);
}

/** Returns the keys of open failures and decisions that the operator was not notified of. */
export const untold = (world: World): readonly string[] =>
  world.store
    .read((tx) => tx.openInboxItems())
    .filter(({ kind, sentence, key }) => (kind === 'failure' || kind === 'decision') && !wasTold(world, sentence, key))
    .map(({ key }) => key);

/**
 * Returns whether the operator got this sentence in a notification, alone or in a summary. Ignores the hint, because
 * the actions in the hint may have changed since the notification.
 */
const wasTold = ({ notified }: World, sentence: string, key: string): boolean =>
  // Compare only the first part of the sentence about a countdown. The second part, the reason, can change when the
  // countdown begins again, but Baton does not notify the operator of the new reason.
  (key.endsWith('/countdown') && notified.some((body) => body.includes(sentence.split(' by itself', 1)[0] ?? ''))) ||
  notified.some((body) => body.startsWith(`${sentence}\n`) || body.includes(`- ${sentence.slice(0, 150)}`)) ||
  wasToldAtFirst(notified, sentence);

/**
 * Returns whether the operator got the first version of this sentence. Baton extends the sentence of a failure or of a
 * review if the agent of the run ends later.
 */
const wasToldAtFirst = (notified: readonly string[], sentence: string): boolean => {
  const [first, rest] = sentence.split(/\.? (?=(?:\S+ \(agent \d+\)|The agent) (?:has ended|was lost) since then)/, 2);
  return rest !== undefined && notified.some((body) => body.includes((first ?? sentence).slice(0, 150)));
};
