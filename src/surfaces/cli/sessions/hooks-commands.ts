import { define, group, type Kit } from '../command-kit.ts';

const ABOUT =
  'hooks in your own settings, so that sessions which you start yourself are seen by Baton and can be adopted';

export function addHooksCommands({ program, run }: Kit): void {
  const hooks = group(program, 'hooks', ABOUT);
  define(hooks, 'status', {
    summary: 'say whether the hooks are installed, and list the sessions seen; exits 0 only if all is in place',
    example: 'baton hooks status',
  }).action(() => run(async (cli) => (await import('./hooks.ts')).showHooks(cli)));
  for (const [wish, summary] of [
    [
      'install',
      'add the hooks to your own settings; everything else in them stays, and a copy is kept beside the file',
    ],
    ['uninstall', 'take exactly these hooks out of your own settings again'],
  ] as const) {
    define(hooks, wish, { summary, example: `baton hooks ${wish} --dry-run` })
      .option('--dry-run', 'show what would be changed, and change nothing')
      .action(({ dryRun = false }: { dryRun?: boolean }) =>
        run(async (cli) => (await import('./hooks.ts')).changeHooks(cli, wish, dryRun)),
      );
  }
}
