import { define, type Kit } from '../command-kit.ts';

export function addServerCommands({ program, run }: Kit): void {
  define(program, 'start', { summary: 'run the Baton server in the foreground', example: 'baton start' }).action(() =>
    run(({ deps, json }) => deps.startServer(json)),
  );
  define(program, 'open', {
    summary: 'print a sign-in link for the page, with its QR code',
    example: 'baton open --host baton.my-tailnet.ts.net',
  })
    .option('--host <name>', 'link to one of the allowed_hosts in config.json, for a phone or another machine')
    .option('--qr', 'print the QR code even if the output is not a terminal')
    .option('--no-qr', 'print the link only')
    .addHelpText('after', '\nThe link signs in anyone who opens it or scans the code. It works once, for 60 seconds.')
    .action((wanted: { host?: string; qr?: boolean }) =>
      run(async (cli) => (await import('../sessions/open-page.ts')).openPage(cli, wanted)),
    );
  define(program, 'logout', {
    summary: 'sign out the pages; sign in again: baton open',
    example: 'baton logout --everywhere',
  })
    .option('--everywhere', 'sign out all pages')
    .action(({ everywhere = false }: { everywhere?: boolean }) =>
      run(async (cli) => (await import('./server.ts')).logOut(cli, everywhere)),
    );
  define(program, 'status', { summary: 'show server status', example: 'baton status' }).action(() =>
    run(async (cli) => (await import('./server.ts')).showStatus(cli)),
  );
}
