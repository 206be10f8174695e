import { setTimeout as pause } from 'node:timers/promises';
import { Restore } from '../../../contract/restore.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient, WATCH_PATIENCE_MS } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';

const LOOK_EVERY_MS = 300;

type Returning = Restore['agents'][number];

/**
 * Restores agents and prints the progress. If the operator stops this command with Ctrl-C, the server still restores
 * all agents.
 */
export async function restoreAgents(cli: Cli, dryRun: boolean): Promise<number> {
  const api = operatorClient(cli.deps, { patienceMs: WATCH_PATIENCE_MS });
  let answer = await api.post(PATHS.restoreAgents, { dry_run: dryRun }, Restore);
  const back = answer.data.agents.filter(({ status }) => status === 'back');
  if (dryRun || back.length === answer.data.agents.length)
    return showAnswer(cli, answer, ({ agents }) => planLines(agents.filter(({ status }) => status !== 'back')));
  // For an hour, the server also names agents that an earlier request restored. These agents may have ended since that
  // request.
  const told = new Set(back.map(({ agent_id }) => agent_id));
  for (;;) {
    for (const agent of answer.data.agents.filter(({ agent_id }) => !told.has(agent_id))) {
      if (agent.status !== 'back' && agent.status !== 'failed') continue;
      told.add(agent.agent_id);
      cli.out.clearPassing();
      if (!cli.json) cli.out.print(...outcome(agent));
    }
    if (answer.data.over) break;
    const left = answer.data.agents.filter(({ status }) => status === 'waiting' || status === 'starting');
    cli.out.pass(`${left.length} left: ${left[0]?.label} (agent ${left[0]?.agent_id}) is ${left[0]?.status} …`);
    await pause(LOOK_EVERY_MS);
    answer = await api.get(PATHS.restoreAgents, Restore);
  }
  cli.out.clearPassing();
  if (cli.json) cli.out.json(answer.body);
  return answer.data.agents.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.done;
}

function planLines(agents: readonly Returning[]): Part[][] {
  if (agents.length === 0)
    return [
      [
        'No agents to restore. Baton can restore only agents that were lost with their tmux server and were not resumed.',
      ],
    ];
  return [
    ['These agents would continue their conversations, one by one (baton agent restore):'],
    ...agents.map((agent): Part[] => [
      `  agent ${agent.agent_id}  ${agent.label} in ${agent.project}`,
      agent.detail === null ? '' : ink('yellow', `  (last try: ${agent.detail})`),
      cutOffPart(agent),
    ]),
  ];
}

const contextOf = ({ context_used_percent: used = null }: Returning): string =>
  used === null ? '' : `, context ${Math.floor(used)} %`;

/** Describes the work in which a restored agent was interrupted, and how the agent can continue. */
function cutOffPart({ cut_off, resumed_as }: Returning): Part {
  if (!cut_off) return '';
  const doing = cut_off.state === 'working' ? 'was working' : 'asked';
  const next = resumed_as === null ? '' : ` Let it continue: baton agent continue ${resumed_as}`;
  return ink('yellow', `\n  It was cut off while it ${doing}: ${cut_off.doing}.${next}`);
}

function outcome(agent: Returning): Part[] {
  const { agent_id, label, status, resumed_as, detail } = agent;
  return status === 'back'
    ? [
        TICK,
        ` ${label} (was agent ${agent_id}${contextOf(agent)}) continues as agent ${resumed_as ?? '?'}`,
        cutOffPart(agent),
      ]
    : [ink('red', '✗'), ` ${label} (agent ${agent_id}) was not restored: ${detail ?? 'no reason given'}`];
}
