import { define, type Kit } from './command-kit.ts';

export function addServerCommands({ program, run }: Kit): void {
  define(program, 'start', { summary: 'run the Baton server in the foreground', example: 'baton start' }).action(() =>
    run(({ deps }) => deps.startServer()),
  );
  define(program, 'open', { summary: 'print a fresh address that logs the page in', example: 'baton open' }).action(
    () => run(async (cli) => (await import('../actions/server.ts')).openPage(cli)),
  );
  define(program, 'logout', {
    summary: 'log out the pages that are logged in; a new address: baton open',
    example: 'baton logout --everywhere',
  })
    .option('--everywhere', 'all pages')
    .action(({ everywhere = false }: { everywhere?: boolean }) =>
      run(async (cli) => (await import('../actions/server.ts')).logOut(cli, everywhere)),
    );
  define(program, 'status', { summary: 'say whether Baton runs', example: 'baton status' }).action(() =>
    run(async (cli) => (await import('../actions/server.ts')).showStatus(cli)),
  );
}
