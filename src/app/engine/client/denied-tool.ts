import type { Agent } from '../../../domain/agents/agent.ts';
import type { DeniedTool, Fact } from '../../../domain/facts.ts';
import type { Run } from '../../../domain/handoffs/run.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Ports } from '../../ports/index.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';

/**
 * Returns the tool that a permission rule denies to this agent. Looks first in the agent's settings. If they contain no
 * such rule, returns the last tool that was denied in the transcript after the time `since`.
 */
export async function deniedTool(
  ports: Ports,
  agent: Agent,
  act: 'run' | 'write',
  since: Instant,
): Promise<DeniedTool | undefined> {
  const runtime = ports.runtimes.get(agent.runtime);
  const place = ports.store.read((tx) => workingDirectoryOf(tx, agent));
  const rule = place && (await runtime?.deniedByRule?.(act, place.folder));
  if (rule !== undefined || agent.transcriptPath === null) return rule;
  // A transcript that cannot be read counts as a transcript without denials.
  const tool = await runtime?.transcript?.deniedTool?.(agent.transcriptPath, since).catch(() => undefined);
  return tool === undefined ? undefined : { tool, file: null };
}

/**
 * If a successor ended its turn without an acknowledgment, looks for a permission rule that forbids the acknowledgment.
 * Returns a fact that names the rule, or no facts if there is no such rule.
 */
export async function findDeniedTool(ports: Ports, run: Run, successor: Agent): Promise<readonly Fact[]> {
  if (run.step !== 'awaiting_acknowledgement' || !run.delivery?.isOverUnacknowledged) return [];
  const since = run.steps.findLast(({ step }) => step === 'delivering_prompt')?.enteredAt ?? run.createdAt;
  const denied = await deniedTool(ports, successor, 'run', since);
  return denied === undefined ? [] : [{ type: 'acknowledgement_denied', runId: run.id, ...denied }];
}
