import { Agent, Lineage, PersonaDetail, type RunsOn } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { runsOnInWords } from '../agents/runs-on.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { type ListPage, olderLine, pagePath } from '../client/list-page.ts';
import { getPersona } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { inWords } from '../handoffs/policies.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK, WARN } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago, stamp, when } from '../output/when.ts';

export async function showPersona(cli: Cli, slug: string): Promise<number> {
  const answer = await getPersona(operatorClient(cli.deps), slug);
  return showAnswer(cli, answer, (persona) => [
    [ink('bold', `${persona.name}, ${persona.role}`)],
    ...table([], details(persona)).map((line) => ['  ', ...line]),
  ]);
}

const details = ({
  slug,
  status,
  folder,
  runs_on,
  handoff_policy,
  skill,
  experience,
  agents,
  created_at,
}: PersonaDetail): Part[][] => [
  ['slug', slug],
  ['status', status],
  ['folder', folder],
  ['runs on', runsOnInWords(runs_on)],
  ['handoff policy', inWords(handoff_policy)],
  ['skill', size(skill)],
  ['experience', size(experience)],
  ['agents', agentsInWords(agents)],
  ['registered', when(created_at)],
];

/** The maximum number of agents in the server's answer about a persona. */
const MAX_AGENTS = 100;

function agentsInWords(agents: PersonaDetail['agents']): string {
  if (agents.length === 0) return 'none yet';
  return agents.length < MAX_AGENTS ? agents.join(', ') : `${agents.join(', ')} (the newest ${MAX_AGENTS})`;
}

function size({ text, problem }: PersonaDetail['skill']): Part {
  if (problem !== undefined) return ink('yellow', problem);
  return text === null ? 'none' : `${Buffer.byteLength(text)} bytes`;
}

export interface PersonaEdit {
  readonly role?: string;
  readonly name?: string;
  readonly runsOn?: readonly RunsOn[];
}

export async function editPersona(cli: Cli, slug: string, { role, name, runsOn }: PersonaEdit): Promise<number> {
  if (role === undefined && name === undefined && runsOn === undefined)
    throw new CliFault('Give --name, --role or --runs-on.', { code: 'usage', exitCode: EXIT.usage });
  const wanted = {
    ...(role === undefined ? {} : { role }),
    ...(name === undefined ? {} : { name }),
    ...(runsOn === undefined ? {} : { runs_on: runsOn }),
  };
  const answer = await operatorClient(cli.deps).post(PATHS.editPersona(slug), wanted, PersonaDetail);
  return showAnswer(cli, answer, (persona) => [
    [TICK, ` ${slug} is ${persona.name}, ${persona.role}`],
    ...(runsOn === undefined ? [] : [[`  Runs on: ${runsOnInWords(runsOn)}`]]),
  ]);
}

export async function archivePersona(cli: Cli, slug: string): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.archivePersona(slug), {}, PersonaDetail);
  return showAnswer(cli, answer, () => [
    [TICK, ` ${slug} is archived: new agents cannot use it, running agents keep it`],
    [`  Undo: baton persona restore ${slug}`],
  ]);
}

export async function restorePersona(cli: Cli, slug: string): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.restorePersona(slug), {}, PersonaDetail);
  return showAnswer(cli, answer, () => [[TICK, ` ${slug} is active: new agents can use it`]]);
}

export async function showLineage(cli: Cli, slug: string, page: ListPage): Promise<number> {
  const answer = await operatorClient(cli.deps).get(pagePath(PATHS.lineage(slug), page), Lineage);
  return showAnswer(cli, answer, ({ agents, handoffs, next }) => {
    if (agents.length === 0) return [[`No agent has had ${slug} yet. Start one: baton agent start --persona ${slug}`]];
    const rows = table(
      ['agent', 'session', 'state', 'predecessor', 'handed off', 'project', 'runtime', 'started', 'ended'],
      agents.map((agent) => [
        String(agent.id),
        agent.uuid8,
        agent.wore_until === null ? agent.state : `another persona since ${stamp(agent.wore_until)}`,
        after(agent),
        agoOrDash(handoffs.find(({ agent_id }) => agent_id === agent.id)?.created_at),
        agent.project,
        agent.runtime,
        ago(agent.started_at),
        agoOrDash(agent.ended_at),
      ]),
    );
    return [...cli.out.fit(rows), ...olderLine(next)];
  });
}

const agoOrDash = (at: string | null | undefined): string => (at == null ? '-' : ago(at));

const after = ({ previous_agent_id, brought_back }: Lineage['agents'][number]): string =>
  previous_agent_id === null ? '-' : `${previous_agent_id}${brought_back ? ' (resumed)' : ''}`;

export async function givePersona(
  cli: Cli,
  id: number,
  { slug, replace }: { readonly slug: string; readonly replace: boolean },
): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.givePersona(id), { persona: slug, replace }, Agent);
  return showAnswer(cli, answer, ({ label }) => [
    [TICK, ` ${sayMachine(cli, `Agent ${id}`)} is now ${label} (${slug}); it gets the skill when it is idle`],
    [
      WARN,
      ' The agent was started without access to the folder of this persona, so it may ask before it writes a handoff document; the handoff then waits for your answer',
    ],
  ]);
}
