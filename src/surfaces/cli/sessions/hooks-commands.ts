import { define, group, type Kit } from '../command-kit.ts';

const ABOUT = 'hooks in your own settings, so that Baton can see and adopt sessions that you start yourself';

export function addHooksCommands({ program, run }: Kit): void {
  const hooks = group(program, 'hooks', ABOUT);
  define(hooks, 'status', {
    summary: 'show whether the hooks are installed, and the sessions seen; exits 0 only if all hooks are in place',
    example: 'baton hooks status',
  }).action(() => run(async (cli) => (await import('./hooks.ts')).showHooks(cli)));
  for (const [wish, summary] of [
    ['install', 'add the hooks to your own settings (the rest stays; a backup is saved beside the file)'],
    ['uninstall', 'remove these hooks from your own settings'],
  ] as const) {
    define(hooks, wish, { summary, example: `baton hooks ${wish} --dry-run` })
      .option('--dry-run', 'show the change as a diff; change nothing')
      .action(({ dryRun = false }: { dryRun?: boolean }) =>
        run(async (cli) => (await import('./hooks.ts')).changeHooks(cli, wish, dryRun)),
      );
  }
}
