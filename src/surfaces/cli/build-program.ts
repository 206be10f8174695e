import { Command, CommanderError, Option } from 'commander';
import { addAgentCommands } from './agents/agent-commands.ts';
import { addProjectCommands } from './agents/project-commands.ts';
import type { CliDeps } from './cli-deps.ts';
import type { Kit } from './command-kit.ts';
import { addDemoCommand } from './demo/demo-command.ts';
import { addFleetCommands } from './fleet/fleet-commands.ts';
import { addHandoffCommands } from './handoffs/handoff-commands.ts';
import { addOldSpellings } from './handoffs/old-spellings.ts';
import { addPolicyCommands } from './handoffs/policy-commands.ts';
import { groupCommands, SHORT_HELP } from './help-groups.ts';
import { addEventCommands } from './inbox/event-commands.ts';
import { addInboxCommands } from './inbox/inbox-commands.ts';
import { addSafekeepingCommands } from './maintenance/backup-commands.ts';
import { addMaintenanceCommands } from './maintenance/maintenance-commands.ts';
import { addServerCommands } from './maintenance/server-commands.ts';
import { addMcpCommand } from './mcp-command.ts';
import { addLintCommand } from './packages/lint-command.ts';
import { addPackageCommands } from './packages/package-commands.ts';
import { addPersonaCommands } from './personas/persona-commands.ts';
import { addSearchCommand } from './search/search-commands.ts';
import { addHooksCommands } from './sessions/hooks-commands.ts';
import { addSettingsCommands } from './settings/settings-commands.ts';
import { keepGoodSuggestions } from './suggestion.ts';
import { addTeamCommands } from './team/team-commands.ts';
import { addUsageCommand } from './usage/usage-commands.ts';
import { addWorkflowCommands } from './workflows/workflow-commands.ts';
import { addWorktreeCommands } from './worktrees/worktree-commands.ts';

/**
 * Builds a program that throws CommanderError instead of ending the process. If `quiet` is true, the program prints no
 * usage errors.
 */
export function buildProgram({ version, stdout, stderr }: CliDeps, run: Kit['run'], quiet: boolean): Command {
  const program = new Command('baton')
    .description("Passes a coding agent's knowledge on to its successor before the context window closes.")
    .version(version, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp(SHORT_HELP)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => (quiet ? undefined : stderr.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(keepGoodSuggestions(text)),
    })
    .addHelpText(
      'after',
      '\nEvery command has --help; --json prints its answer as JSON.\nIn a fleet, --machine NAME uses a command on another machine.',
    )
    .showHelpAfterError('(see: baton --help)')
    // `runCli` has already read --json. Remove the option here, because some actions send all their options to the API.
    .hook('preAction', (_program, command) => void command.setOptionValue('json', undefined));
  addOldVersionOption(program, version, stdout);
  const kit: Kit = { program, run };
  addServerCommands(kit);
  addPersonaCommands(kit);
  addProjectCommands(kit);
  addAgentCommands(kit);
  addTeamCommands(kit);
  addWorktreeCommands(kit);
  addHandoffCommands(kit);
  addPolicyCommands(kit);
  addOldSpellings(kit);
  addInboxCommands(kit);
  addEventCommands(kit);
  addSearchCommand(kit);
  addUsageCommand(kit);
  addHooksCommands(kit);
  addSettingsCommands(kit);
  addLintCommand(kit);
  addPackageCommands(kit);
  addMcpCommand(kit);
  addWorkflowCommands(kit);
  addFleetCommands(kit);
  addDemoCommand(kit);
  addMaintenanceCommands(kit);
  addSafekeepingCommands(kit);
  groupCommands(program);
  return program;
}

/**
 * Adds the option `-V` of Baton 0.1.0, which prints the version. `-V` is a separate option, because Commander supports
 * only one short option for the version.
 */
function addOldVersionOption(program: Command, version: string, stdout: CliDeps['stdout']): void {
  program.addOption(new Option('-V').hideHelp()).on('option:V', () => {
    stdout.write(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
}
