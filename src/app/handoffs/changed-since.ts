import { agentLabel } from '../../domain/agents/apply-fact.ts';
import type { GitFacts } from '../../domain/handoffs/document/git-facts.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { loadRunContext } from '../engine/run-context.ts';
import type { Ports } from '../ports/index.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';

const MAX_PROMPTS = 200;

/**
 * Describes what an agent did after its document was recorded: how many prompts it got, and what changed in git.
 * Returns undefined if no change is known.
 */
export async function changedSince(ports: Ports, runId: number): Promise<string | undefined> {
  const known = ports.store.read((tx) => {
    const run = tx.runById(runId);
    const recordedAt = run?.steps.findLast(({ step }) => step === 'recorded')?.enteredAt;
    if (run === undefined || recordedAt === undefined || !mayBeStale(run)) return undefined;
    const { agent, identity } = loadRunContext(tx, ports, run);
    const prompts = tx
      .latestEventsOf(agent.id, ['prompt_submitted'], MAX_PROMPTS)
      .filter(({ at, data }) => at > recordedAt && data.ref === null).length;
    const who = agentLabel(agent, identity.persona.name);
    return { run, recordedAt, who, prompts, folder: workingDirectoryOf(tx, agent)?.folder };
  });
  if (known === undefined) return undefined;
  const { run, recordedAt, who, prompts, folder } = known;
  const changes = [
    ...(prompts === 0 ? [] : [`it got ${prompts === 1 ? 'another prompt' : `${prompts} more prompts`}`]),
    ...(folder === undefined ? [] : inGit(run, await ports.projects.git(folder))),
  ];
  return changes.length === 0
    ? undefined
    : `${who} wrote the document at ${recordedAt}; since then ${changes.join(', and ')}.`;
}

/**
 * Returns whether the agent may have kept working after its document was recorded. This is possible if Baton did not
 * ask the agent to exit. The recorded document may then be out of date.
 */
const mayBeStale = ({ step, failure, handoffId, recordedDocument }: Run): boolean =>
  handoffId !== null && (step === 'cancelled' || failure?.at === 'recorded' || recordedDocument !== null);

function inGit({ git: before }: Run, now: GitFacts): readonly string[] {
  if (before?.kind !== 'repository' || now.kind !== 'repository') return [];
  const commits = before.head === now.head ? [] : [`the last commit changed to ${short(now.head)}`];
  const [then, today] = [before.dirty?.count, now.dirty?.count];
  const dirty =
    then === undefined || today === undefined || then === today
      ? []
      : [`the number of files with uncommitted changes went from ${then} to ${today}`];
  return [...commits, ...dirty];
}

const short = (head: string | null): string => head?.slice(0, 8) ?? 'none';
