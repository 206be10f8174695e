import { type FleetRole, isMachineName } from '../../domain/fleet/member.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { HubAddress } from '../ports/fleet/fleet-link.ts';

/**
 * The content of an invitation code: the address of the hub, the data by which the joining machine recognizes the hub,
 * and a key that can be used only once.
 */
export interface InvitationCode {
  readonly id: string;
  readonly seed: string;
  readonly name: string;
  readonly role: FleetRole;
  readonly hub: HubAddress;
  readonly founder: { readonly name: string; readonly key: string };
  readonly expiresAt: Instant;
}

const HOST = /^[A-Za-z0-9.-]{1,253}$/;
const isPort = (port: number | undefined): boolean => port !== undefined && port >= 1 && port <= 65_535;

/** The refusal of an invitation code that is complete, but damaged or altered. */
export const invitationDamaged = (name: string): Refusal => ({
  code: 'bad_invitation',
  sentence: 'The invitation code is damaged or was altered',
  hint: `Copy the whole line that was printed on the hub, or ask for a new invitation on the hub: baton fleet invite ${isMachineName(name) ? name : 'NAME'}`,
});

const PREFIX = 'baton-fleet-1.';

export const writeCode = (invitation: InvitationCode): string =>
  PREFIX + Buffer.from(JSON.stringify(invitation)).toString('base64url');

export function readCode(code: string): InvitationCode | Refusal {
  const text = code.replace(/\s+/g, '');
  const said = text.startsWith(PREFIX) ? parsed(Buffer.from(text.slice(PREFIX.length), 'base64url').toString()) : {};
  const { id, seed, name, hub, founder, expiresAt } = said as Partial<InvitationCode>;
  const isWhole =
    [id, seed, name, expiresAt, hub?.host, founder?.name, founder?.key].every((part) => typeof part === 'string') &&
    Number.isInteger(hub?.port);
  if (isWhole && name !== undefined && (!HOST.test(hub?.host ?? '') || !isPort(hub?.port)))
    return invitationDamaged(name);
  if (isWhole) return said as unknown as InvitationCode;
  return {
    code: 'bad_invitation',
    sentence: 'This is not a complete invitation code',
    hint: 'Copy the whole line that `baton fleet invite` printed on the hub; it begins with baton-fleet-1.',
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
