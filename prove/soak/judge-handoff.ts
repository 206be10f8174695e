import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Run } from '../../src/contract/resources.ts';
import type { Finding } from './finding.ts';
import { type Logs, promptsIn, refOf } from './logs.ts';

export interface Remains {
  readonly home: string;
  readonly logs: Logs;
  readonly agents: readonly Agent[];
}

export function judgeHandoff(run: Run, { home, logs, agents }: Remains): Finding[] {
  const name = `run ${run.id} of agent ${run.agent_id}`;
  if (run.step !== 'completed')
    return [{ offence: 'undone', what: `${name} is ${run.step}: ${run.failure?.sentence ?? ''}` }];
  const next = agents.filter(
    ({ previous_agent_id, resumed_from }) => previous_agent_id === run.agent_id && resumed_from === null,
  );
  const successor = next.find(({ id }) => id === run.successor_agent_id);
  return [
    ...once(`${name}: successors`, next.length),
    ...once(`${name}: instructions`, prompts(logs, run.agent_id, '-instruction')),
    ...once(`${name}: prompts to the successor`, prompts(logs, successor?.id ?? 0, '-injection')),
    ...judgeDocument(name, run, { home, logs, agents }),
  ];
}

const prompts = (logs: Logs, agentId: number, what: string): number =>
  promptsIn(logs.get(agentId)).filter((text) => refOf(text)?.includes(what)).length;

const once = (what: string, times: number): Finding[] =>
  times === 1 ? [] : [{ offence: times === 0 ? 'lost' : 'doubled', what: `${what}: ${times}` }];

/** Checks that the stored document matches the hash in its file name, and that the agent wrote exactly this text. */
function judgeDocument(name: string, { document, agent_id }: Run, { home, logs }: Remains): Finding[] {
  const file = join(home, 'documents', `${document?.sha256}.md`);
  const lost = (why: string): Finding[] => [{ offence: 'lost', what: `${name}: ${why}` }];
  if (!existsSync(file)) return lost('no document is kept');
  const kept = readFileSync(file);
  if (createHash('sha256').update(kept).digest('hex') !== document?.sha256)
    return lost('the kept bytes have another hash');
  const written = logs
    .get(agent_id)
    ?.findLast(({ name: tool, ok, input }) => tool === 'Write' && ok && input?.file_path === document.absolute_path);
  return written?.input?.content === kept.toString() ? [] : lost('the kept bytes are not what the agent wrote');
}
