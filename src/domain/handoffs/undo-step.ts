import { isLive } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { fail, type StepRule } from './step-rule.ts';

/**
 * Waits for the successor's end before the predecessor is resumed (SPEC H43). If both agents were live, they would do
 * the same work.
 */
export const undoing: StepRule = {
  watches: 'successor',
  enter: (_run, { successor }) =>
    successor !== null && isLive(successor) ? { effects: [{ kind: 'end_agent', agentId: successor.id }] } : {},
  level: (_run, { successor }) =>
    successor !== null && isLive(successor) ? undefined : { to: 'cancelled', writes: [{ kind: 'bring_back' }] },
  tooLate: (run, world) =>
    fail(run, {
      code: 'successor_did_not_end',
      sentence: `Baton could not end the successor of ${agentLabel(world.agent, world.identity.persona.name)}, so it did not resume the predecessor.`,
      hint: `End the successor in its terminal (baton agent attach ${run.successorAgentId ?? ''}).`,
    }),
};
