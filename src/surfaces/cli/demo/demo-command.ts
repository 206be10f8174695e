import { define, type Kit } from '../command-kit.ts';

interface Options {
  readonly keep?: boolean;
  readonly kill?: boolean;
  readonly here?: boolean;
  readonly background?: boolean;
}

export function addDemoCommand({ program, run }: Kit): void {
  define(program, 'demo', {
    summary: 'show a whole handoff in under a minute: no API key, everything real, nothing left behind',
    example: 'baton demo --kill',
  })
    .option('--keep', 'leave home and project on disk, to look at')
    .option('--kill', 'kill the server with -9 twice in the middle, and get the same result')
    .option('--here', 'use the Baton that is running instead of one of its own')
    .option('--background', 'let the Baton that is running play it by itself, and leave its agents there to look at')
    .action(({ keep = false, kill = false, here = false, background = false }: Options) =>
      run(async (cli) =>
        background
          ? (await import('./start-in-server.ts')).startInServer(cli)
          : (await import('./run-demo.ts')).runDemo(cli, { keep, kill, here }),
      ),
    );
}
