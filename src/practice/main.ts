#!/usr/bin/env node
import { Agent } from './agent.ts';
import { assemble } from './assemble.ts';
import { readBehaviour } from './behaviour.ts';
import { parseCommandLine } from './command-line.ts';
import { readSettings } from './session/settings.ts';
import { StartProblem } from './start-problem.ts';

function begin(): void {
  const commandLine = parseCommandLine(process.argv.slice(2));
  const cwd = process.cwd();
  const settings = readSettings(commandLine.settingsFile);
  const behaviour = readBehaviour(cwd, (process.env.BATON_PREDECESSOR ?? '') !== '');
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new StartProblem('The practice agent needs a terminal.');
  const logPath = process.env.BATON_PRACTICE_LOG || undefined;
  const parts = assemble({ commandLine, settings, behaviour, cwd, logPath });
  parts.log.write('start', { session_id: commandLine.sessionId, argv: process.argv, cwd });
  if (parts.resumed) parts.log.write('resumed', { prompts: parts.memory.prompts });
  const agent = new Agent(parts);
  process.on('uncaughtException', (problem) => agent.fail(problem));
  void agent.start();
}

try {
  begin();
} catch (problem) {
  if (!(problem instanceof StartProblem)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 2;
}
