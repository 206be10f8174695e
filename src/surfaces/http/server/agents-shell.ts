import type { IncomingMessage } from 'node:http';
import { PROCESSES_HEADER } from '../../../contract/routes.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import { agentProcess } from '../../../domain/agents/agent.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { HttpDeps } from './route.ts';

/**
 * Refuses the operator's token in the shell of an agent and in any other shell of Baton's tmux server. The command line
 * sends the ids of its parent processes in a header, so that the server can recognize the shell. A program can omit the
 * header, so the check only guards against mistakes: such a program could read the token from its file anyway.
 */
export function refuseAgentsShell({ ports }: HttpDeps, request: IncomingMessage): Refusal | undefined {
  const told = request.headers[PROCESSES_HEADER];
  if (typeof told !== 'string') return undefined;
  const above = new Set(told.split(' ', MAX_PROCESSES).slice(1).map(Number));
  const live = ports.store.read((tx) => tx.liveAgents());
  const owner = live.find((agent) => processesOf(agent).some((pid) => above.has(pid)));
  if (owner !== undefined)
    return {
      code: 'forbidden',
      sentence: `This shell belongs to agent ${owner.id}, so a command given here does not have the operator's rights`,
      hint: 'Ask the operator to make this request on the page or in their own shell.',
    };
  if (!live.some(({ pane }) => pane !== null && pane.outside === undefined && above.has(pane.serverPid)))
    return undefined;
  return {
    code: 'forbidden',
    sentence:
      "This shell runs in Baton's tmux server, where agents run, so a command given here does not have the operator's rights",
    hint: 'Make this request on the page or in your own shell.',
  };
}

const MAX_PROCESSES = 64;

const processesOf = ({ pane, clientPid }: Agent): readonly number[] => [
  ...(pane === null ? [] : [agentProcess(pane)]),
  ...(clientPid === null ? [] : [clientPid]),
];
