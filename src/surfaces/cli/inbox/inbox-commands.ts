import { type ListPage, withPage } from '../client/list-page.ts';
import { define, group, idNumber, type Kit } from '../command-kit.ts';

export function addInboxCommands({ program, run }: Kit): void {
  const inbox = group(program, 'inbox', 'things that need you');
  // Without a command, `baton inbox` lists the items, as the help of `baton` promises.
  define(inbox, 'list', {
    summary: 'list the things that need you, worst first',
    example: 'baton inbox list',
    isDefault: true,
  }).action(() => run(async (cli) => (await import('./inbox.ts')).showInbox(cli)));
  withPage(
    define(inbox, 'history', {
      summary: 'list the items that are over, newest first, and how each ended',
      example: 'baton inbox history --limit 20',
    }),
  ).action((page: ListPage) => run(async (cli) => (await import('./inbox.ts')).showHistory(cli, page)));
  define(inbox, 'dismiss', {
    summary: 'dismiss an inbox item (declines a request for a handoff; resolves no other cause)',
    example: 'baton inbox dismiss 2',
  })
    .argument('<id>', 'the inbox item', idNumber)
    .action((id: number) => run(async (cli) => (await import('./inbox.ts')).dismissItem(cli, id)));
  define(inbox, 'restore', { summary: 'restore a dismissed inbox item', example: 'baton inbox restore 2' })
    .argument('<id>', 'the inbox item', idNumber)
    .action((id: number) => run(async (cli) => (await import('./inbox.ts')).restoreItem(cli, id)));
}
