import { define, group, type Kit, wholeNumber } from '../command-kit.ts';

/** Commands that keep Baton running on a machine. The commands for Baton's data are in backup-commands.ts. */
export function addMaintenanceCommands({ program, run }: Kit): void {
  define(program, 'doctor', {
    summary: 'check everything that Baton needs and suggest fixes; exits 0 only if there is no error',
    example: 'baton doctor',
  }).action(() => run(async (cli) => (await import('./doctor.ts')).showDoctor(cli)));
  define(program, 'logs', { summary: "show the server's log", example: 'baton logs --follow' })
    .option('-f, --follow', 'follow the log')
    .option('-n, --lines <n>', 'how many lines to show from the end (at most 10000)', wholeNumber, 50)
    .action(({ follow = false, lines }: { follow?: boolean; lines: number }) =>
      run(async (cli) => (await import('./logs.ts')).showLogs(cli, { follow, lines })),
    );
  addConfigCommands({ program, run });
  addServiceCommands({ program, run });
  define(program, 'completion', {
    summary: 'print a completion script for your shell',
    example: 'source <(baton completion bash)    # zsh: the same, after compinit\n  $ baton completion fish | source',
  })
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) =>
      run(async (cli) => (await import('./completion.ts')).printCompletion(cli, program, shell)),
    );
  define(program, 'complete', {
    summary: 'print the values that can take the place of the last word (for the completion scripts)',
    example: "baton complete -- agent show ''",
    hidden: true,
  })
    .argument('[words...]', 'the words of the command line after `baton`')
    .action((words: string[]) =>
      run(async (cli) => (await import('../completion/complete-words.ts')).completeWords(cli, program, words)),
    );
}

function addConfigCommands({ program, run }: Kit): void {
  const config = define(program, 'config', {
    summary: 'show the configuration; --explain describes every key',
    example: 'baton config --explain',
  })
    .option('--explain', 'show every key with its meaning, default, value and source')
    .action(({ explain = false }: { explain?: boolean }) =>
      run(async (cli) => (await import('../settings/config.ts')).showConfig(cli, explain)),
    );
  define(config, 'check', {
    summary: 'check config.json; exits 0 only if it is valid',
    example: 'baton config check',
  }).action(() => run(async (cli) => (await import('../settings/config.ts')).checkConfig(cli)));
}

function addServiceCommands({ program, run }: Kit): void {
  const service = group(program, 'service', 'run Baton as a system service (systemd on Linux, launchd on macOS)');
  define(service, 'status', {
    summary: 'show whether the service is installed and running; exits 0 only if it is running',
    example: 'baton service status',
  }).action(() => run(async (cli) => (await import('./service.ts')).showService(cli)));
  for (const [wish, summary] of [
    ['install', 'install and start the service (agents survive its restarts)'],
    ['uninstall', 'stop and remove the service (agents and data stay)'],
  ] as const) {
    define(service, wish, { summary, example: `baton service ${wish} --dry-run` })
      .option('--dry-run', 'show what would be written and run; change nothing')
      .action(({ dryRun = false }: { dryRun?: boolean }) =>
        run(async (cli) => (await import('./service.ts')).changeService(cli, wish, dryRun)),
      );
  }
}
