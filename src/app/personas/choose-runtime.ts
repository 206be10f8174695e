import type { Agent } from '../../domain/agents/agent.ts';
import { type RunsOn, runsOnInWords } from '../../domain/personas/runs-on.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { unavailableReason, unknownRuntime } from '../agents/unavailable-reason.ts';
import type { AgentRuntime } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { workingDirectoryOf } from '../worktrees/working-directory.ts';

/** The runtime, model and arguments as the operator gave them. A field that the operator did not give is undefined. */
export interface RuntimeRequest {
  readonly runtime?: string | undefined;
  readonly model?: string | undefined;
  readonly args?: readonly string[] | undefined;
}

/**
 * Returns the reason why no agent can run with this choice. Returns undefined if an agent can run with it. This check
 * starts no program.
 */
export function refuseRunsOn(
  ports: Pick<Ports, 'runtimes'>,
  { runtime: id, model, args = [] }: RunsOn,
): Refusal | undefined {
  const runtime = ports.runtimes.get(id);
  if (runtime === undefined) return unknownRuntime(ports, id);
  const sentence =
    (model === undefined ? undefined : refuseModel(runtime, model)) ??
    (args.length === 0 ? undefined : refuseArgs(runtime, args));
  return sentence === undefined ? undefined : { code: 'bad_request', sentence };
}

function refuseModel({ title, modelArgs }: AgentRuntime, model: string): string | undefined {
  if (modelArgs === undefined) return `Agents of type ${title} take no model; leave the model out`;
  return /^[\w./:@[\]-]{1,200}$/.test(model) ? undefined : `"${model.slice(0, 60)}" is not the name of a model`;
}

function refuseArgs(runtime: AgentRuntime, args: readonly string[]): string | undefined {
  if (runtime.refuseArgs === undefined)
    return `Agents of type ${runtime.title} take no additional arguments; leave them out`;
  if (args.some((arg) => withoutControls(arg) !== arg)) return 'An argument for the client contains control characters';
  return runtime.refuseArgs(args);
}

/**
 * Returns the possible runtimes of a new agent, the first choice first. If the operator made a choice, returns only
 * this choice; what the operator left out comes from the lists. Otherwise returns the persona's list. If the persona
 * has none, returns the project's list, and if there is none either, the given default.
 */
export function choicesFor(
  tx: Tx,
  about: { readonly personaId: number | null; readonly projectId: number },
  wish: RuntimeRequest,
  otherwise: RunsOn,
): readonly RunsOn[] {
  const ofPersona = about.personaId === null ? undefined : tx.personaById(about.personaId)?.runsOn;
  const lists = [ofPersona, tx.projectById(about.projectId)?.runsOn].filter((list) => list?.length);
  const listed = lists[0] ?? [];
  const { runtime, model, args } = wish;
  const named = { ...(model === undefined ? {} : { model }), ...(args === undefined ? {} : { args }) };
  if (runtime === undefined) {
    if (model === undefined && args === undefined) return listed.length > 0 ? listed : [otherwise];
    const first = listed[0] ?? otherwise;
    return [{ ...first, ...named }];
  }
  const known = lists.flatMap((list) => list ?? []).find((each) => each.runtime === runtime);
  return [{ ...known, ...named, runtime }];
}

/**
 * Returns the possible runtimes of an agent's successor, the first choice first. If the persona has no list of
 * runtimes, the successor runs on the same runtime as the agent.
 */
export function choicesForSuccessor(tx: Tx, agent: Agent, chosen: RunsOn | null | undefined): readonly RunsOn[] {
  if (chosen) return [chosen];
  const listed = agent.personaId === null ? undefined : tx.personaById(agent.personaId)?.runsOn;
  return listed?.length ? listed : [{ runtime: agent.runtime }];
}

/**
 * The result of searching a list of runtimes for the first runtime that can start an agent. If no runtime can, `able`
 * is undefined and `why` gives the reasons.
 */
export interface AbleChoice {
  readonly able: RunsOn | undefined;
  readonly why: string;
}

/** Returns the first entry of the list with which an agent can start in this folder. */
export async function firstAble(
  ports: Pick<Ports, 'runtimes' | 'environment'>,
  choices: readonly RunsOn[],
  folder: string,
): Promise<AbleChoice> {
  const reasons: string[] = [];
  for (const choice of choices) {
    const why = await whyNotAble(ports, choice, folder);
    if (why === undefined) return { able: choice, why: '' };
    reasons.push(choices.length === 1 ? why : `${runsOnInWords(choice)}: ${why}`);
  }
  return { able: undefined, why: reasons.join(' ') };
}

async function whyNotAble(
  ports: Pick<Ports, 'runtimes' | 'environment'>,
  choice: RunsOn,
  folder: string,
): Promise<string | undefined> {
  const runtime = ports.runtimes.get(choice.runtime);
  if (runtime === undefined) return `unknown runtime ${choice.runtime}`;
  return (
    refuseRunsOn(ports, choice)?.sentence ??
    (await unavailableReason(ports, runtime)) ??
    (await runtime.whyNotIn?.(folder))
  );
}

/**
 * Returns the runtime that the operator wants for the successor of an agent; undefined if the operator chose nothing.
 * Refuses a client that does not exist, cannot start, or does not accept the model or the arguments.
 */
export async function chosenForSuccessor(
  ports: Pick<Ports, 'store' | 'runtimes' | 'environment'>,
  agent: Agent,
  wish: RuntimeRequest,
): Promise<RunsOn | Refusal | undefined> {
  if (wish.runtime === undefined && wish.model === undefined && wish.args === undefined) return undefined;
  const { chosen, folder } = ports.store.read((tx) => ({
    chosen: choicesFor(tx, agent, wish, { runtime: agent.runtime })[0] ?? { runtime: agent.runtime },
    folder: workingDirectoryOf(tx, agent)?.folder,
  }));
  const refusal = refuseRunsOn(ports, chosen);
  if (refusal !== undefined || folder === undefined) return refusal;
  const { able, why } = await firstAble(ports, [chosen], folder);
  return able ?? { code: 'runtime_unavailable', sentence: why };
}
