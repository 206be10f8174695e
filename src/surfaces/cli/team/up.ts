import { Agent, Persona } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { postProject } from '../agents/projects.ts';
import { awaitStarted } from '../agents/start-agent.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT, ServerUnreachable } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { operatorClient } from '../client/operator-client.ts';
import { CROSS, ink, type Part, TICK } from '../output/ink.ts';
import { type PlannedAgent, planTeam } from './plan-team.ts';

export interface UpOptions {
  readonly dryRun?: boolean;
  readonly wait: boolean;
}

/** Says whether one agent of the team file was started, was skipped or failed. A dry run shows the planned action. */
interface Entry {
  readonly name: string;
  readonly persona: string | null;
  readonly project: string;
  readonly action: 'start' | 'skip' | 'failed';
  readonly creates_persona: boolean;
  readonly agent_id: number | null;
  readonly error: string | null;
}

/**
 * Starts the agents of a team file that are not running yet. Checks the whole file before it starts the first agent.
 */
export async function up(cli: Cli, file: string, { dryRun = false, wait }: UpOptions): Promise<number> {
  const entries = await cli.deps.readTeam(file);
  const api = operatorClient(cli.deps);
  const plan = await planTeam(api, file, entries);
  if (dryRun) return show(cli, plan.map(planned), plan.map(planLine), true);
  const ends = [];
  for (const each of plan) ends.push(each.running === null ? await start(api, each) : planned(each));
  const told = await Promise.all(
    ends.map((end, at) => outcome(cli, api, end, { wait, was: plan[at]?.running ?? null })),
  );
  cli.out.clearPassing();
  return show(
    cli,
    told.map(({ end }) => end),
    told.flatMap(({ lines }) => lines),
    false,
  );
}

const planned = ({ entry: { name }, persona, folder, running }: PlannedAgent): Entry => ({
  name,
  persona,
  project: folder,
  action: running === null ? 'start' : 'skip',
  creates_persona: persona === null,
  agent_id: running,
  error: null,
});

function planLine({ entry, folder, persona, running }: PlannedAgent): Part[] {
  if (running !== null) return [skipLine(entry.name, running, folder)];
  const how = [
    persona === null ? `new persona, role ${entry.role}` : persona,
    entry.runtime ?? 'default runtime',
    ...(entry.worktree === undefined ? [] : [`worktree ${entry.worktree || 'with a free name'}`]),
    entry.prompt === undefined ? 'no prompt' : 'with a prompt',
  ];
  return [`Would start ${entry.name} in ${folder} (${how.join(', ')}).`];
}

const skipLine = (name: string, agent: number, folder: string): string =>
  `Skipped ${name}: agent ${agent} already runs in ${folder}.`;

async function start(api: ApiClient, each: PlannedAgent): Promise<Entry> {
  const { entry, folder } = each;
  try {
    const persona =
      each.persona ??
      (await api.post(PATHS.registerPersona, { role: entry.role, name: entry.name }, Persona)).data.slug;
    const { id: project_id } = (await postProject(api, folder)).data;
    const { runtime, worktree, prompt } = entry;
    const wanted = { project_id, persona, runtime, worktree, prompt };
    const { id } = (await api.post(PATHS.agents, wanted, Agent)).data;
    return { ...planned(each), persona, agent_id: id };
  } catch (error) {
    if (!(error instanceof CliFault) || error instanceof ServerUnreachable) throw error;
    return { ...planned(each), action: 'failed', error: error.body.error };
  }
}

interface Told {
  readonly end: Entry;
  readonly lines: readonly (readonly Part[])[];
}

async function outcome(
  cli: Cli,
  api: ApiClient,
  end: Entry,
  { wait, was }: { readonly wait: boolean; readonly was: number | null },
): Promise<Told> {
  if (was !== null) return { end, lines: [[ink('dim', skipLine(end.name, was, end.project))]] };
  if (end.agent_id === null) return failed(end, end.error ?? 'no reason given');
  if (!wait) return { end, lines: [[`${end.name} (agent ${end.agent_id}) is starting.`]] };
  try {
    const agent = (await api.get(PATHS.agent(end.agent_id), Agent)).data;
    const { lines, exitCode } = await awaitStarted(cli, api, agent);
    return exitCode === EXIT.done
      ? { end, lines }
      : {
          end: {
            ...end,
            action: 'failed',
            error: 'Baton has no confirmation that the agent received its first prompt.',
          },
          lines,
        };
  } catch (error) {
    if (!(error instanceof CliFault) || error instanceof ServerUnreachable) throw error;
    return failed(end, error.body.error);
  }
}

const failed = (end: Entry, error: string): Told => ({
  end: { ...end, action: 'failed', error },
  lines: [[CROSS, ` ${end.name}: ${error}`]],
});

function show(cli: Cli, agents: readonly Entry[], lines: readonly (readonly Part[])[], dryRun: boolean): number {
  if (cli.json) cli.out.json({ dry_run: dryRun, agents });
  else {
    for (const line of lines) cli.out.print(...line);
    if (agents.every(({ action }) => action === 'skip')) cli.out.print(TICK, ' The whole team is already running.');
  }
  return agents.some(({ action }) => action === 'failed') ? EXIT.failed : EXIT.done;
}
