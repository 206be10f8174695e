import { define, type Kit } from '../command-kit.ts';

export function addServerCommands({ program, run }: Kit): void {
  define(program, 'start', { summary: 'run the Baton server in the foreground', example: 'baton start' }).action(() =>
    run(({ deps, json }) => deps.startServer(json)),
  );
  define(program, 'open', {
    summary: 'print a fresh address that logs the page in, and its QR code',
    example: 'baton open --host baton.my-tailnet.ts.net',
  })
    .option('--host <name>', 'at one of the allowed_hosts in config.json, for a phone or another machine')
    .option('--qr', 'also where the output is no terminal')
    .option('--no-qr', 'the address only')
    .addHelpText('after', '\nWhoever has the address or the code is logged in: it works once, within 60 seconds.')
    .action((wanted: { host?: string; qr?: boolean }) =>
      run(async (cli) => (await import('../sessions/open-page.ts')).openPage(cli, wanted)),
    );
  define(program, 'logout', {
    summary: 'log out the pages that are logged in; a new address: baton open',
    example: 'baton logout --everywhere',
  })
    .option('--everywhere', 'all pages')
    .action(({ everywhere = false }: { everywhere?: boolean }) =>
      run(async (cli) => (await import('./server.ts')).logOut(cli, everywhere)),
    );
  define(program, 'status', { summary: 'say whether Baton runs', example: 'baton status' }).action(() =>
    run(async (cli) => (await import('./server.ts')).showStatus(cli)),
  );
}
