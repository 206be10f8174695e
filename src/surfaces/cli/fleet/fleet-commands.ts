import { InvalidArgumentError } from 'commander';
import { define, group, type Kit } from '../command-kit.ts';

export function addFleetCommands({ program, run }: Kit): void {
  const fleet = group(program, 'fleet', 'several machines in one view, with commands to each of them');
  define(fleet, 'status', {
    summary: 'show the machines of the fleet, and how this machine is connected',
    example: 'baton fleet status',
  }).action(() => run(async (cli) => (await import('./fleet.ts')).showFleet(cli)));
  define(fleet, 'agents', {
    summary: 'list the running agents of the other machines',
    example: 'baton fleet agents',
  }).action(() => run(async (cli) => (await import('./fleet.ts')).listFleetAgents(cli)));
  define(fleet, 'inbox', {
    summary: 'list what needs you on the other machines',
    example: 'baton fleet inbox',
  }).action(() => run(async (cli) => (await import('./fleet.ts')).listFleetInbox(cli)));
  define(fleet, 'hub', {
    summary: 'create a fleet; its hub (nats-server) runs on this machine',
    example: 'baton fleet hub workstation --address 192.168.1.20:7422',
  })
    .argument('<name>', 'the name of this machine in the fleet')
    .option('--address <host:port>', 'where the other machines reach the hub; TLS is used unless it is loopback')
    .option('--plain', 'no TLS, for a network that is encrypted already, such as a tailnet')
    .action((name: string, wanted: { address?: string; plain?: boolean }) =>
      run(async (cli) => (await import('./fleet.ts')).foundFleet(cli, { name, ...wanted })),
    );
  define(fleet, 'invite', {
    summary: 'print a code with which one machine can join; run it on the hub',
    example: 'baton fleet invite laptop\n  $ baton fleet invite tablet --role viewer',
  })
    .argument('<name>', 'the name of the machine that will join')
    .option('--role <role>', 'operator may send commands to the others, viewer may only look', fleetRole, 'operator')
    .option('--replace', 'replace a machine of this name and drop its history on the hub')
    .action((name: string, wanted: { role: string; replace?: boolean }) =>
      run(async (cli) => (await import('./fleet.ts')).inviteMachine(cli, { name, ...wanted })),
    );
  define(fleet, 'join', {
    summary: 'join a fleet with the code that baton fleet invite printed on the hub',
    example: 'baton fleet join baton-fleet-1.eyJpZCI6…',
  })
    .argument('<code>', 'the invitation code; it works once')
    .action((code: string) => run(async (cli) => (await import('./fleet.ts')).joinFleet(cli, code)));
  define(fleet, 'leave', {
    summary: 'leave the fleet; on the hub, end the fleet',
    example: 'baton fleet leave',
  })
    .option('--yes', 'skip confirmation')
    .action(({ yes = false }: { yes?: boolean }) =>
      run(async (cli) => (await import('./fleet.ts')).leaveFleet(cli, yes)),
    );
  define(fleet, 'revoke', {
    summary: 'remove a machine from the fleet; its key is refused from now on (on the hub)',
    example: 'baton fleet revoke laptop',
  })
    .argument('<name>', 'the machine')
    .option('--yes', 'skip confirmation')
    .action((name: string, { yes = false }: { yes?: boolean }) =>
      run(async (cli) => (await import('./fleet.ts')).revokeMachine(cli, name, yes)),
    );
}

function fleetRole(text: string): string {
  if (text !== 'viewer' && text !== 'operator') throw new InvalidArgumentError('The role must be viewer or operator.');
  return text;
}
