import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { post } from '../api/call.ts';
import { devicesQuery } from '../api/queries.ts';
import { forgetToken } from '../api/token.ts';
import { forgetUnsent } from '../packages/new/unsent-package.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/dialogs/confirm.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel, Section } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { useAction } from '../parts/use-action.ts';

/** Removes the token and the unsent package from this browser, and shows the login page. */
function leave(): void {
  forgetToken();
  forgetUnsent();
  location.reload();
}

/** Lists the browsers that are signed in. The operator can sign out each of them here, for example a lost phone. */
export function Devices() {
  const { data: devices, error } = useQuery(devicesQuery);
  const ask = useConfirm();
  const signOut = useAction(async (everywhere: boolean) => {
    await post(PATHS.logout, { everywhere });
    leave();
    return undefined;
  });
  const everywhere = async (): Promise<void> => {
    const question =
      'This signs out all devices, including this one. To sign in again, you need a new link: run baton open in a terminal.';
    if (await ask({ title: 'Sign out everywhere?', question, yes: 'Sign out everywhere' })) await signOut.run(true);
  };
  return (
    <Section title="Signed-in devices">
      <Panel className="divide-y divide-line">
        <p className="p-4 text-sm text-muted md:p-5">
          A device stays signed in when its tabs are closed, until you sign it out or do not use it for 30 days. Sign
          out a lost phone here.
        </p>
        <Trouble error={error} />
        {devices === undefined && error === null && <Loading />}
        {devices !== undefined && (
          <ul className="divide-y divide-line">
            {devices.toSorted(thisDeviceFirst).map((device) => (
              <DeviceRow key={device.id} device={device} onSignOut={() => signOut.run(false)} />
            ))}
          </ul>
        )}
        <div className="flex justify-end p-4 md:px-5">
          <Button small kind="danger" busy={signOut.busy} onClick={() => void everywhere()}>
            Sign out everywhere
          </Button>
        </div>
      </Panel>
    </Section>
  );
}

/** Puts this device first. The others keep their order. */
const thisDeviceFirst = (one: Device, other: Device): number => Number(other.current) - Number(one.current);

function DeviceRow({ device, onSignOut }: { readonly device: Device; readonly onSignOut: () => Promise<boolean> }) {
  const client = useQueryClient();
  const name = visible(device.name) || 'Unnamed browser';
  const end = useAction(async () => {
    await post(PATHS.logout, { device: device.id });
    await client.invalidateQueries(devicesQuery);
    return `${name} is signed out.`;
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 md:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">
          {name}
          {device.current && <span className="font-normal text-muted"> (this device)</span>}
        </p>
        <p className="text-sm text-muted">
          Signed in <Day of={device.created_on} />, last used <Day of={device.used_on} />
        </p>
      </div>
      <Button
        small
        busy={end.busy}
        aria-label={device.current ? 'Sign out this device' : `Sign out ${name}, last used ${device.used_on}`}
        onClick={() => void (device.current ? onSignOut() : end.run())}
      >
        Sign out
      </Button>
    </li>
  );
}

/** Describes the last use as "today" or "yesterday" by UTC days, because the server stores only the UTC date. */
function Day({ of: day }: { readonly of: string }) {
  const days = Math.round((Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse(day)) / 86_400_000);
  const words = days <= 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`;
  return (
    <time dateTime={day} title={day}>
      {words}
    </time>
  );
}
