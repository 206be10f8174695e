import { spawn } from 'node:child_process';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getAgent } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { isOver } from '../handoffs/watch/await-agent.ts';
import { errnoWords } from '../output/errno-words.ts';

export async function attachAgent({ deps, json, out }: Cli, id: number, readOnly: boolean): Promise<number> {
  if (deps.machine !== undefined)
    throw new CliFault(`The terminal of agent ${id} can be opened only on ${deps.machine} itself.`, {
      code: 'not_from_afar',
      hint: `Show its screen instead: baton agent screen ${id}`,
    });
  const agent = (await getAgent(operatorClient(deps), id)).data;
  if (isOver(agent)) {
    throw new CliFault(`Agent ${id} is ${agent.state} (${agent.state_reason}), so you cannot attach to it.`, {
      code: 'agent_not_active',
    });
  }
  // With `=`, tmux matches the whole session name. Without `=`, tmux would also find a session whose name only begins
  // with the given name.
  const target = agent.adopted && agent.tmux.pane !== null ? agent.tmux.pane : `=${agent.tmux.session}`;
  const argv = ['-S', agent.tmux.socket, 'attach', ...(readOnly ? ['-r'] : []), '-t', target];
  if (!json && (deps.stdin ?? process.stdin).isTTY !== true)
    throw new CliFault(`The terminal of agent ${id} cannot be opened, because standard input is not a terminal.`, {
      code: 'no_terminal',
      hint: `Print its screen instead: baton agent screen ${id}`,
    });
  if (!json) return runTmux(argv, deps.env);
  out.json({ command: ['tmux', ...argv] });
  return EXIT.done;
}

function runTmux(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Remove TMUX and TMUX_PANE, which are set inside another tmux. With these variables, tmux would refuse to attach.
  const { TMUX: _server, TMUX_PANE: _pane, ...outside } = env;
  return new Promise((resolve, reject) => {
    const child = spawn('tmux', argv, { stdio: 'inherit', env: outside });
    child.on('error', (error) =>
      reject(new CliFault(`Cannot start tmux: ${errnoWords(error)}. Install tmux, or put it on your PATH.`)),
    );
    child.on('exit', (code) => resolve(code === 0 ? EXIT.done : EXIT.failed));
  });
}
