import { EXIT } from '../cli-fault.ts';
import { define, type Kit } from '../command-kit.ts';

export function addServerCommands({ program, run }: Kit): void {
  define(program, 'start', { summary: 'run the Baton server in the foreground', example: 'baton start' }).action(() =>
    run(({ deps, json }) => deps.startServer(json)),
  );
  define(program, 'stop', {
    summary: 'stop the Baton server (agents keep running)',
    example: 'baton stop',
  }).action(() => run(async (cli) => (await import('./server.ts')).stopServer(cli)));
  define(program, 'open', {
    summary: 'open the page in your browser; without a display, print a sign-in link',
    example: 'baton open\n  $ baton open --host baton.my-tailnet.ts.net',
  })
    .option('--host <name>', 'link to one of the allowed_hosts in config.json, for a phone or another machine')
    .option('--print', 'print the sign-in link and open no browser')
    .option('--qr', 'print the QR code even if the output is not a terminal')
    .option('--no-qr', 'print the link only')
    .addHelpText('after', '\nThe link signs in anyone who opens it or scans the code. It works once, for 60 seconds.')
    .action((wanted: { host?: string; qr?: boolean; print?: boolean }) =>
      run(async (cli) => (await import('../sessions/open-page.ts')).openPage(cli, wanted)),
    );
  define(program, 'logout', {
    summary: 'sign out one device or all pages; sign in again: baton open',
    example: 'baton logout --everywhere',
  })
    .argument('[device]', 'the id of the device, see: baton devices')
    .option('--everywhere', 'sign out all pages')
    .action((device: string | undefined, { everywhere = false }: { everywhere?: boolean }) =>
      run(async (cli) => (await import('../sessions/devices.ts')).logOut(cli, { everywhere, device })),
    );
  define(program, 'devices', {
    summary: 'list the browsers that are signed in',
    example: 'baton devices',
  }).action(() => run(async (cli) => (await import('../sessions/devices.ts')).listDevices(cli)));
  define(program, 'status', {
    summary: 'show agents, handoffs, and what needs you',
    example: 'baton status',
  }).action(() => run(async (cli) => (await import('../inbox/status.ts')).showStatus(cli)));
  define(program, 'version', { summary: 'show the version', example: 'baton version', hidden: true }).action(() =>
    run(async ({ deps, json, out }) => {
      if (json) out.json({ version: deps.version });
      else out.print(deps.version);
      return EXIT.done;
    }),
  );
}
