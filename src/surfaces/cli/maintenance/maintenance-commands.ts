import { define, group, type Kit, wholeNumber } from '../command-kit.ts';

/** Commands that keep Baton running on a machine; those about its data are in backup-commands.ts. */
export function addMaintenanceCommands({ program, run }: Kit): void {
  define(program, 'doctor', {
    summary: 'look at everything that Baton needs, with a remedy for each finding; exits 0 only without an error',
    example: 'baton doctor',
  }).action(() => run(async (cli) => (await import('./doctor.ts')).showDoctor(cli)));
  define(program, 'logs', { summary: "show the server's log", example: 'baton logs --follow' })
    .option('-f, --follow', 'go on with what is written from now on')
    .option('--lines <n>', 'how many of the last lines (at most 10000)', wholeNumber, 50)
    .action(({ follow = false, lines }: { follow?: boolean; lines: number }) =>
      run(async (cli) => (await import('./logs.ts')).showLogs(cli, { follow, lines })),
    );
  addConfigCommands({ program, run });
  addServiceCommands({ program, run });
  define(program, 'completion', {
    summary: 'print a script that lets your shell complete the commands of Baton',
    example: 'source <(baton completion bash)    # zsh: the same, after compinit\n  $ baton completion fish | source',
  })
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) =>
      run(async (cli) => (await import('./completion.ts')).printCompletion(cli, program, shell)),
    );
}

function addConfigCommands({ program, run }: Kit): void {
  const config = define(program, 'config', {
    summary: 'what stands in config.json; --explain says what every key means',
    example: 'baton config --explain',
  })
    .option('--explain', 'every key with meaning, default, value, and where the value comes from')
    .action(({ explain = false }: { explain?: boolean }) =>
      run(async (cli) => (await import('../settings/config.ts')).showConfig(cli, explain)),
    );
  define(config, 'check', {
    summary: 'say whether config.json would be understood; exits 0 only if it would',
    example: 'baton config check',
  }).action(() => run(async (cli) => (await import('../settings/config.ts')).checkConfig(cli)));
}

function addServiceCommands({ program, run }: Kit): void {
  const service = group(
    program,
    'service',
    'let your system start Baton by itself (systemd on Linux, launchd on macOS)',
  );
  define(service, 'status', {
    summary: 'say whether the service is installed and runs; exits 0 only if it runs',
    example: 'baton service status',
  }).action(() => run(async (cli) => (await import('./service.ts')).showService(cli)));
  for (const [wish, summary] of [
    ['install', 'write the service file and start the service; agents outlive its restarts'],
    ['uninstall', 'stop the service and remove its file; agents and home stay'],
  ] as const) {
    define(service, wish, { summary, example: `baton service ${wish} --dry-run` })
      .option('--dry-run', 'show what would be written and run, and change nothing')
      .action(({ dryRun = false }: { dryRun?: boolean }) =>
        run(async (cli) => (await import('./service.ts')).changeService(cli, wish, dryRun)),
      );
  }
}
