#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { agentAbove, isInTmuxOf, namesAgentWithoutToken, processChain } from '../adapters/system/agent-above.ts';
import { errorMessage } from '../app/error-message.ts';
import type { Shell } from '../surfaces/cli/cli-deps.ts';
import { CliFault } from '../surfaces/cli/cli-fault.ts';
import { runCli } from '../surfaces/cli/run-cli.ts';
import { chooseHome } from './choose-home.ts';
import { VERSION } from './version.ts';

const homePath = chooseHome(process.env);
const self = [process.execPath, fileURLToPath(import.meta.url)];

/** Starts the server. Import the server's code only here, because `baton ack` and `--help` must start quickly. */
async function startServer(json: boolean): Promise<number> {
  const { serve } = await import('./serve.ts');
  try {
    return await serve(homePath, self, json);
  } catch (error) {
    throw new CliFault(errorMessage(error), { code: 'not_started' });
  }
}

let known: Shell | undefined;
function shell(): Shell {
  if (known !== undefined) return known;
  const processes = processChain();
  const agent = agentAbove(homePath, process.env, processes);
  const isInTmux = agent === undefined && isInTmuxOf(homePath, processes);
  const isTokenless = agent === undefined && namesAgentWithoutToken(homePath, process.env);
  known = { processes, agent, isInTmux, isTokenless };
  return known;
}

/**
 * Ends the command if its output cannot be written, for example because the disk is full. A reader that has closed the
 * pipe (`baton events | head`) is no fault.
 */
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  const problem = /^E[A-Z0-9]+: ([^,]*)/.exec(message)?.[1] ?? message;
  process.stderr.write(`Baton could not write its output: ${problem}.\n`);
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2), {
  homePath,
  version: VERSION,
  self,
  startServer,
  shell,
  serveTools: async () => {
    const { serveTools } = await import('../surfaces/mcp/serve-tools.ts');
    const { env, stdin, stdout, stderr } = process;
    return serveTools({ homePath, version: VERSION, env, stdin, stdout, stderr });
  },
  hooks: async (wanted) =>
    (await import('./operator-hooks.ts')).changeOperatorHooks({ homePath, env: process.env }, wanted),
  lint: async (files) => (await import('./lint-file.ts')).lintFiles(files),
  readYaml: async (file) => (await import('./lint-file.ts')).readYaml(file),
  readTeam: async (file) => (await import('./team-file.ts')).readTeam(file),
  checkWorkflow: async (file) => (await import('./workflow-file.ts')).checkWorkflow(file),
  excludeArchive: async (folder) =>
    (await import('../adapters/git/exclude-archive.ts')).excludeArchive(folder, process.env),
  keep: async () => (await import('./maintenance/maintain-home.ts')).maintainHome({ homePath, self, env: process.env }),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
