import { isLive, isWithoutTerminal } from '../../src/domain/agent/agent.ts';
import type { Run } from '../../src/domain/handoff/run.ts';
import { isLatest } from './judge.ts';
import type { World } from './world.ts';

/** Nothing is silent (SPEC H46): what needs a person stands in the inbox, and nothing else does. */
export function judgeInbox(world: World): void {
  const needed = new Set(world.runs().flatMap((run) => needs(world, run)));
  const { open, current } = world.store.read((tx) => ({
    open: tx.openInboxItems(),
    current: [
      ...tx.runs(100).flatMap(({ id }) => tx.currentInboxItems({ runId: id })),
      ...tx.agents().flatMap(({ id }) => tx.currentInboxItems({ agentId: id })),
    ],
  }));
  const inFlight = world.runsInFlight();
  for (const agent of world.store.read((tx) => tx.agents())) {
    if (!isLive(agent) || agent.state !== 'awaiting_input') continue;
    const inRun = inFlight.some((run) => run.agentId === agent.id || run.successorAgentId === agent.id);
    if (isWithoutTerminal(agent)) needed.add(`agent/${agent.id}/terminal`);
    else if (!inRun) needed.add(`agent/${agent.id}/asks`);
  }
  for (const key of needed)
    if (!current.some((item) => item.key === key)) world.offend(`silent: the inbox does not have ${key}`);
  for (const { key } of open)
    if (!/^(event|trouble)\/|\/not-back\//.test(key) && !/\/(asks|terminal)$/.test(key) && !needed.has(key))
      world.offend(`the inbox still says ${key}, which is over`);
    else if (key.startsWith('agent/') && !needed.has(key)) world.offend(`the inbox still says ${key}, which is over`);
}

function needs(world: World, run: Run): readonly string[] {
  const about = (what: string): string => `run/${run.id}/${what}`;
  const latest = isLatest(world, run);
  return [
    ...(run.step === 'failed' && latest ? [about(`failed/${run.failures}`)] : []),
    ...(run.lateDocument && run.handoffId === null && latest ? [about('late-document')] : []),
    ...(run.step === 'recorded' && run.review === 'wanted' ? [about('review')] : []),
    ...(run.step === 'completed' && run.acknowledgement === null ? [about('unacknowledged')] : []),
  ];
}

/** At least once, as soon as Baton had the time: asked when all is quiet. */
export function judgeNotified(world: World): void {
  for (const { kind, sentence, hint, key } of world.store.read((tx) => tx.openInboxItems()))
    if ((kind === 'failure' || kind === 'decision') && !world.notified.includes(`${sentence}\n${hint}`))
      world.offend(`silent: the operator was never notified of ${key}`);
}
