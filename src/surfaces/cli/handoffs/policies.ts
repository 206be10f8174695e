import type { HandoffPolicy } from '../../../contract/policies.ts';
import { Agent, Persona, Project } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { knownProject } from '../agents/projects.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent, getAgents, getPersonas, getProjects } from '../client/look-up.ts';
import { namedAgent } from '../client/named-agent.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago } from '../output/when.ts';

export interface PolicyPlace {
  readonly agent?: string;
  readonly persona?: string;
  readonly project?: string;
}

export interface PolicyOptions {
  readonly idle?: number;
  readonly countdown?: number;
  readonly review?: boolean;
  readonly quietHours?: boolean;
  readonly perDay?: number;
}

/** The options that have an effect only under the policy `auto`. */
const AUTO_OPTIONS = [
  ['idle', '--idle'],
  ['countdown', '--countdown'],
  ['review', '--review'],
  ['quietHours', '--quiet-hours'],
  ['perDay', '--per-day'],
] as const;

export async function setPolicy(
  cli: Cli,
  mode: string,
  { agent, persona, project, ...given }: PolicyPlace & PolicyOptions,
): Promise<number> {
  const unused = AUTO_OPTIONS.filter(([name]) => given[name] !== undefined).map(([, option]) => option);
  if ((mode === 'off' || mode === 'suggest') && unused.length > 0)
    throw usage(
      `Only the policy "auto" uses ${unused.join(' and ')}, so nothing was set. Leave out ${unused.length === 1 ? 'this option' : 'these options'}, or set the policy "auto".`,
    );
  const policy = {
    mode,
    ...(given.idle === undefined ? {} : { idle_seconds: given.idle }),
    ...(given.countdown === undefined ? {} : { countdown_seconds: given.countdown }),
    ...(given.review === undefined ? {} : { review: given.review }),
    ...(given.quietHours === undefined ? {} : { in_quiet_hours: given.quietHours }),
    ...(given.perDay === undefined ? {} : { per_day: given.perDay }),
  };
  return send(cli, { agent, persona, project }, policy);
}

export const unsetPolicy = (cli: Cli, place: PolicyPlace): Promise<number> => send(cli, place, null);

async function send(cli: Cli, place: PlaceGiven, policy: object | null): Promise<number> {
  const given = Object.values(place).filter((each) => each !== undefined);
  if (given.length !== 1) throw usage('Use exactly one of --agent, --persona and --project.');
  const api = operatorClient(cli.deps);
  if (place.agent !== undefined) {
    const id = await namedAgent(cli, place.agent);
    return showAnswer(cli, await api.post(PATHS.agentPolicy(id), { policy }, Agent), (agent) => [
      [TICK, ` ${policyOf(agent)}`],
    ]);
  }
  if (place.persona !== undefined)
    return showAnswer(cli, await api.post(PATHS.personaPolicy(place.persona), { policy }, Persona), (persona) => [
      [TICK, ` Handoff policy of the persona ${persona.slug}: ${inWords(persona.handoff_policy)}`],
    ]);
  const { id } = await knownProject(api, place.project ?? '', true);
  return showAnswer(cli, await api.post(PATHS.projectPolicy(id), { policy }, Project), (project) => [
    [TICK, ` Handoff policy of the project ${project.name}: ${inWords(project.handoff_policy)}`],
  ]);
}

type PlaceGiven = { readonly [K in keyof PolicyPlace]: PolicyPlace[K] | undefined };

export async function showPolicy(cli: Cli, named: string): Promise<number> {
  const answer = await getAgent(operatorClient(cli.deps), await namedAgent(cli, named));
  return showAnswer(cli, answer, (agent) => [[policyOf(agent)], ...autoLines(agent)]);
}

const FROM = {
  agent: 'set for this agent',
  persona: 'set for its persona',
  project: 'set for its project',
  default: "Baton's default",
} as const;

const policyOf = ({ id, label, handoff_policy: policy }: Agent): string =>
  policy === undefined
    ? `The server does not report the handoff policy of ${label} (agent ${id}).`
    : `Handoff policy of ${label} (agent ${id}): ${inWords(policy)}, ${FROM[policy.from]}`;

/**
 * Returns lines about the automatic handoff of one agent, such as its countdown. Returns no lines if the server reports
 * nothing about an automatic handoff.
 */
function autoLines({ id, auto_handoff: auto }: Agent): Part[][] {
  if (auto === undefined) return [];
  const { countdown, held, requested, snoozed_until: snoozed, cancelled } = auto;
  return [
    ...(countdown === null
      ? []
      : [[ink('yellow', `  Baton begins the handoff ${ago(countdown.due_at)}. Cancel: baton policy cancel ${id}`)]]),
    ...(held === null ? [] : [[ink('yellow', `  Baton does not begin the handoff by itself: ${held.sentence}`)]]),
    ...(requested === null ? [] : [[`  The agent asked for a handoff: ${requested.reason}`]]),
    ...(snoozed === null ? [] : [[`  Snoozed: the next countdown begins ${ago(snoozed)} at the earliest`]]),
    ...(cancelled
      ? [
          [
            '  A person canceled the automatic handoff; the policy applies again once the context use falls below the threshold',
          ],
        ]
      : []),
  ];
}

export async function listPolicies(cli: Cli): Promise<number> {
  const api = operatorClient(cli.deps);
  const found = await allPolicies(api);
  if (cli.json) {
    cli.out.json(found);
    return EXIT.done;
  }
  const rows = found.policies.map(({ of, name, policy }) => [of, name, inWords(policy)]);
  if (rows.length === 0) cli.out.print('No policy is set, so Baton suggests handoffs and begins none by itself.');
  else for (const line of table(['for', 'name', 'handoff policy'], rows)) cli.out.print(...line);
  for (const agent of found.agents) {
    const lines = autoLines(agent);
    if (lines.length > 0) cli.out.print(ink('bold', `${agent.label} (agent ${agent.id})`));
    for (const line of lines) cli.out.print(...line);
  }
  return EXIT.done;
}

async function allPolicies(api: ApiClient) {
  const [projects, personas, live] = await Promise.all([
    getProjects(api),
    getPersonas(api),
    getAgents(api, { live: true }),
  ]);
  const { agents } = live.data;
  return {
    policies: [
      ...projects.data.flatMap(({ name, handoff_policy: policy }) => (policy ? [{ of: 'project', name, policy }] : [])),
      ...personas.data.flatMap(({ slug, handoff_policy: policy }) =>
        policy ? [{ of: 'persona', name: slug, policy }] : [],
      ),
      ...agents.flatMap(({ id, handoff_policy: policy }) =>
        policy?.from === 'agent' ? [{ of: 'agent', name: String(id), policy }] : [],
      ),
    ],
    agents: agents.filter((agent) => autoLines(agent).length > 0),
  };
}

export async function cancelCountdown(cli: Cli, named: string): Promise<number> {
  const id = await namedAgent(cli, named);
  const answer = await operatorClient(cli.deps).post(PATHS.countdown(id), { action: 'cancel' }, Agent);
  return showAnswer(cli, answer, ({ label, auto_handoff: auto }) => {
    const who = `${label} (agent ${id})`;
    return [
      [
        TICK,
        auto?.cancelled === false
          ? ` The automatic handoff of ${who} is canceled. The agent is below the threshold, so a new countdown begins only when it reaches the threshold or asks again. Switch automatic handoffs off for it: baton policy set suggest --agent ${id}`
          : ` Baton does not hand off ${who} by itself until its context use falls below the threshold.`,
      ],
    ];
  });
}

export async function snoozeCountdown(cli: Cli, named: string, seconds: number): Promise<number> {
  const id = await namedAgent(cli, named);
  const minutes = Math.ceil(seconds / 60);
  const answer = await operatorClient(cli.deps).post(PATHS.countdown(id), { action: 'snooze', minutes }, Agent);
  return showAnswer(cli, answer, ({ label, auto_handoff: auto }) => {
    const next = auto?.snoozed_until ? `; the next countdown begins ${ago(auto.snoozed_until)} at the earliest` : '';
    const cancelled = auto?.cancelled
      ? `, but not before its context use has fallen below the threshold, because a person canceled the automatic handoff. To let the policy apply again, set it: baton policy set auto --agent ${id}`
      : '';
    return [[TICK, ` The automatic handoff of ${label} (agent ${id}) is postponed${next}${cancelled || '.'}`]];
  });
}

export function inWords(policy: HandoffPolicy | null | undefined): string {
  if (policy == null) return 'none';
  if (policy.mode !== 'auto') return policy.mode;
  const parts = [
    `idle ${policy.idle_seconds} s`,
    `countdown ${policy.countdown_seconds} s`,
    ...(policy.review ? ['with review'] : []),
    ...(policy.in_quiet_hours ? ['also in quiet hours'] : []),
    `at most ${policy.per_day} a day`,
  ];
  return `auto (${parts.join(', ')})`;
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
