import { define, group, idNumber, type Kit } from '../command-kit.ts';

export function addInboxCommands({ program, run }: Kit): void {
  const inbox = group(program, 'inbox', 'things that need you');
  define(inbox, 'list', { summary: 'list the things that need you, oldest first', example: 'baton inbox list' }).action(
    () => run(async (cli) => (await import('./inbox.ts')).showInbox(cli)),
  );
  define(inbox, 'dismiss', {
    summary: 'dismiss an inbox item (does not resolve its cause)',
    example: 'baton inbox dismiss 2',
  })
    .argument('<id>', 'the inbox item', idNumber)
    .action((id: number) => run(async (cli) => (await import('./inbox.ts')).dismissItem(cli, id)));
}
