import { define, type Kit } from '../command-kit.ts';

interface Options {
  readonly keep?: boolean;
  readonly kill?: boolean;
  readonly here?: boolean;
  readonly background?: boolean;
}

export function addDemoCommand({ program, run }: Kit): void {
  define(program, 'demo', {
    summary: 'play a complete handoff in under a minute (no API key needed, nothing left behind)',
    example: 'baton demo --kill',
  })
    .option('--keep', 'keep the home and the project of the demo on disk')
    .option('--kill', 'kill the server with -9 twice during the handoff; the result is the same')
    .option('--here', 'use the running Baton instead of a separate one')
    .option('--background', 'let the running Baton play the demo, and keep its agents')
    .action(({ keep = false, kill = false, here = false, background = false }: Options) =>
      run(async (cli) =>
        background
          ? (await import('./start-in-server.ts')).startInServer(cli)
          : (await import('./run-demo.ts')).runDemo(cli, { keep, kill, here }),
      ),
    );
}
