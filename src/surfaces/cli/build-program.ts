import { Command } from 'commander';
import type { CliDeps } from './cli-deps.ts';
import { addAgentCommands } from './commands/agent-commands.ts';
import type { Kit } from './commands/command-kit.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { addEventCommands } from './commands/event-commands.ts';
import {
  addHandoffCommands,
  addInboxCommands,
  addRecordCommands,
  addRunCommands,
} from './commands/handoff-commands.ts';
import { addHooksCommands } from './commands/hooks-commands.ts';
import { addKeepingCommands } from './commands/keeping-commands.ts';
import { addLintCommand } from './commands/lint-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addPackageCommands } from './commands/package-commands.ts';
import { addPersonaCommands } from './commands/persona-commands.ts';
import { addProjectCommands } from './commands/project-commands.ts';
import { addSafekeepingCommands } from './commands/safekeeping-commands.ts';
import { addServerCommands } from './commands/server-commands.ts';
import { addSettingsCommands } from './commands/settings-commands.ts';
import { addWorkflowCommands } from './commands/workflow-commands.ts';
import { addWorktreeCommands } from './commands/worktree-commands.ts';

/** Throws CommanderError instead of ending the process; says nothing about usage errors itself. */
export function buildProgram({ version, stdout, stderr }: CliDeps, run: Kit['run'], quiet: boolean): Command {
  const program = new Command('baton')
    .description("Passes a coding agent's knowledge on to its successor before the context window closes.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => (quiet ? undefined : stderr.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(see: baton --help)')
    // `runCli` has read --json already; an action that passes its options on to the API must not pass this one.
    .hook('preAction', (_program, command) => void command.setOptionValue('json', undefined));
  const kit: Kit = { program, run };
  addServerCommands(kit);
  addPersonaCommands(kit);
  addProjectCommands(kit);
  addAgentCommands(kit);
  addWorktreeCommands(kit);
  addHandoffCommands(kit);
  addRunCommands(kit);
  addRecordCommands(kit);
  addInboxCommands(kit);
  addEventCommands(kit);
  addHooksCommands(kit);
  addSettingsCommands(kit);
  addLintCommand(kit);
  addPackageCommands(kit);
  addMcpCommand(kit);
  addWorkflowCommands(kit);
  addDemoCommand(kit);
  addKeepingCommands(kit);
  addSafekeepingCommands(kit);
  return program;
}
