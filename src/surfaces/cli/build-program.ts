import { Command } from 'commander';
import { addAgentCommands } from './agents/agent-commands.ts';
import { addProjectCommands } from './agents/project-commands.ts';
import type { CliDeps } from './cli-deps.ts';
import type { Kit } from './command-kit.ts';
import { addDemoCommand } from './demo/demo-command.ts';
import { addHandoffCommands } from './handoffs/handoff-commands.ts';
import { addOldSpellings } from './handoffs/old-spellings.ts';
import { addEventCommands } from './inbox/event-commands.ts';
import { addInboxCommands } from './inbox/inbox-commands.ts';
import { addSafekeepingCommands } from './maintenance/backup-commands.ts';
import { addMaintenanceCommands } from './maintenance/maintenance-commands.ts';
import { addServerCommands } from './maintenance/server-commands.ts';
import { addMcpCommand } from './mcp-command.ts';
import { addLintCommand } from './packages/lint-command.ts';
import { addPackageCommands } from './packages/package-commands.ts';
import { addPersonaCommands } from './personas/persona-commands.ts';
import { addHooksCommands } from './sessions/hooks-commands.ts';
import { addSettingsCommands } from './settings/settings-commands.ts';
import { addWorkflowCommands } from './workflows/workflow-commands.ts';
import { addWorktreeCommands } from './worktrees/worktree-commands.ts';

/** Builds a program that throws CommanderError instead of ending the process. If `quiet`, it prints no usage errors. */
export function buildProgram({ version, stdout, stderr }: CliDeps, run: Kit['run'], quiet: boolean): Command {
  const program = new Command('baton')
    .description("Passes a coding agent's knowledge on to its successor before the context window closes.")
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => (quiet ? undefined : stderr.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(see: baton --help)')
    // `runCli` has already read --json. It is removed here, because some actions send all their options to the API.
    .hook('preAction', (_program, command) => void command.setOptionValue('json', undefined));
  const kit: Kit = { program, run };
  addServerCommands(kit);
  addPersonaCommands(kit);
  addProjectCommands(kit);
  addAgentCommands(kit);
  addWorktreeCommands(kit);
  addHandoffCommands(kit);
  addOldSpellings(kit);
  addInboxCommands(kit);
  addEventCommands(kit);
  addHooksCommands(kit);
  addSettingsCommands(kit);
  addLintCommand(kit);
  addPackageCommands(kit);
  addMcpCommand(kit);
  addWorkflowCommands(kit);
  addDemoCommand(kit);
  addMaintenanceCommands(kit);
  addSafekeepingCommands(kit);
  return program;
}
