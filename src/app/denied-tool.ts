import type { Agent } from '../domain/agent/agent.ts';
import type { Fact } from '../domain/facts.ts';
import type { Run } from '../domain/handoff/run.ts';
import type { Instant } from '../domain/instant.ts';
import { workPlaceOf } from './work-place.ts';
import type { Ports } from './world.ts';

/** The last tool that a permission rule denied to this agent since then; undefined also where the transcript cannot be read. */
export const deniedTool = (
  { runtimes }: Ports,
  { runtime, transcriptPath }: Agent,
  since: Instant,
): Promise<string | undefined> | undefined =>
  transcriptPath === null
    ? undefined
    : runtimes
        .get(runtime)
        ?.transcript?.deniedTool?.(transcriptPath, since)
        .catch(() => undefined);

/** Why a successor that has ended its turn did not acknowledge, where a permission rule is the reason. */
export async function lookForDenial(ports: Ports, run: Run, successor: Agent): Promise<readonly Fact[]> {
  if (run.step !== 'awaiting_acknowledgement' || !run.delivery?.isOverUnacknowledged) return [];
  const rule = await ruleAgainstCommands(ports, successor);
  const since = run.steps.findLast(({ step }) => step === 'delivering_prompt')?.enteredAt ?? run.createdAt;
  const tool = rule?.tool ?? (await deniedTool(ports, successor, since));
  return tool === undefined ? [] : [{ type: 'acknowledgement_denied', runId: run.id, tool, file: rule?.file ?? null }];
}

async function ruleAgainstCommands(ports: Ports, agent: Agent) {
  const place = ports.store.read((tx) => workPlaceOf(tx, agent));
  return place && ports.runtimes.get(agent.runtime)?.commandsDenied?.(place.folder);
}
