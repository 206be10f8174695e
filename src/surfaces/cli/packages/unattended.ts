import { PackageAgents, type PackageDetail } from '../../../contract/packages/package-resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgents } from '../client/look-up.ts';
import { ink, type Part } from '../output/ink.ts';

/**
 * Returns lines for the operator if no agent can take the package now. The lines say how to start an agent. Returns no
 * lines to an agent, because only the operator can start agents. Returns no lines about a workflow step, because Baton
 * itself starts the agent of the step.
 */
export async function unattendedLines(cli: Cli, api: ApiClient, each: PackageDetail): Promise<Part[][]> {
  const { state, waiter, held_up, to, project_id } = each;
  const waits = state === 'pending' && waiter === 'receiver' && held_up === null;
  // Return no lines for a package on another machine, because the operator can list personas and start agents only on
  // the package's own machine.
  const isOperatorHere = cli.deps.machine === undefined && cli.deps.shell().agent === undefined;
  if (!waits || cli.json || !isOperatorHere || each.package.workflow_state) return [];
  const { agents: names } = (await api.get(PATHS.packageAgents, PackageAgents)).data;
  if (!names.some(({ name, kind }) => name === to && kind === 'persona')) return [];
  const { agents } = (await getAgents(api, { live: true })).data;
  const takes = agents.some(({ project, persona }) => project.id === project_id && persona?.slug === to);
  if (takes) return [];
  return [
    [ink('yellow', `  No agent in the project has the persona ${to} now, so the package waits.`)],
    [`  Start one: baton agent start --project ${project_id} --persona ${to}`],
  ];
}
