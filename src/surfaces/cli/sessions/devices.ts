import { LoggedOut } from '../../../contract/requests.ts';
import { DeviceList } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function listDevices(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.devices, DeviceList);
  return showAnswer(cli, answer, ({ devices }) =>
    devices.length === 0
      ? [['No browser is signed in. Sign one in: baton open']]
      : table(
          ['id', 'device', 'signed in', 'last used'],
          devices.map(({ id, name, created_on, used_on }) => [id, name || 'Unnamed browser', created_on, used_on]),
        ),
  );
}

export async function logOut(
  cli: Cli,
  wanted: { readonly everywhere: boolean; readonly device: string | undefined },
): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.logout, wanted, LoggedOut);
  return showAnswer(cli, answer, ({ ended }) => [
    [TICK, ended === 1 ? ' 1 page signed out' : ` ${ended} pages signed out`],
  ]);
}
