import { describe, expect, it } from 'vitest';
import { InvitationDamaged } from '../../../src/app/ports/fleet/fleet-link.ts';
import { aCode, admitted, controlWith } from './fake-fleet.ts';

const DAMAGED = {
  code: 'bad_invitation',
  sentence: 'The invitation code is damaged or was altered',
  hint: 'Copy the whole line that was printed on the hub, or ask for a new invitation on the hub: baton fleet invite laptop',
};

/** Returns the invitation code with some of its parts changed. */
const altered = (change: (code: { hub: { host: string; port: number } }) => void): string => {
  const [prefix, body = ''] = aCode().split('.', 2);
  const code = JSON.parse(Buffer.from(body, 'base64url').toString());
  change(code);
  return `${prefix}.${Buffer.from(JSON.stringify(code)).toString('base64url')}`;
};

describe('an altered invitation code', () => {
  it.each([
    altered(({ hub }) => {
      hub.host = 'a b; rm';
    }),
    altered(({ hub }) => {
      hub.port = 184_400;
    }),
  ])('a machine refuses an invitation code whose hub address is invalid', async (code) => {
    const { control } = controlWith({});
    expect(await control.join(code)).toEqual(DAMAGED);
  });

  it('an invitation whose founder key is invalid is refused and stays unused', async () => {
    let asked = 0;
    const { control } = controlWith({
      isPublicKey: () => false,
      requestJoin: () => {
        asked += 1;
        return Promise.resolve(admitted());
      },
    });
    expect(await control.join(aCode())).toEqual(DAMAGED);
    expect(asked).toBe(0);
  });

  it('if the hub finds that an invitation contradicts itself, the machine calls the invitation damaged', async () => {
    const { control, removedKeys } = controlWith({ requestJoin: () => Promise.reject(new InvitationDamaged('no')) });
    expect(await control.join(aCode())).toEqual(DAMAGED);
    expect(removedKeys()).toBe(1);
  });

  it('if the signature on the answer to a join request is wrong, the machine suggests a new invitation with `--replace`', async () => {
    const { control } = controlWith({ requestJoin: () => Promise.resolve(admitted()), verify: () => false });
    expect(await control.join(aCode())).toMatchObject({
      code: 'bad_signature',
      hint: 'Perhaps the hub already lists laptop as a machine of the fleet. Ask for a new invitation on the hub: baton fleet invite laptop --replace',
    });
  });
});
