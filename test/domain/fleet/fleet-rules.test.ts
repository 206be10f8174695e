import { describe, expect, it } from 'vitest';
import { type CommandWorld, type FleetCommand, refuseCommand } from '../../../src/domain/fleet/command.ts';
import { compareLogs, haltFor } from '../../../src/domain/fleet/compare-logs.ts';
import { isMachineName, type Roster, withMember, withoutMember } from '../../../src/domain/fleet/member.ts';
import { presenceOf } from '../../../src/domain/fleet/presence.ts';
import { type Instant, after as later } from '../../../src/domain/instant.ts';

const NOON = '2026-11-15T12:00:00.000Z' as Instant;
const roster: Roster = {
  version: 3,
  members: [
    { name: 'hub', key: 'K-hub', role: 'operator', joinedAt: NOON },
    { name: 'laptop', key: 'K-laptop', role: 'operator', joinedAt: NOON },
    { name: 'tablet', key: 'K-tablet', role: 'viewer', joinedAt: NOON },
  ],
};
const command: FleetCommand = {
  id: '0b1f5a62-0000-4000-8000-000000000001',
  machine: 'hub',
  from: 'laptop',
  method: 'POST',
  route: '/api/agents/3/handoff',
  query: '',
  body: {},
  issued_at: NOON,
  expires_at: later(NOON, 120_000),
  operator: 'page',
};
const world: CommandWorld = {
  self: 'hub',
  roster,
  hubNow: later(NOON, 1_000),
  takesCommands: true,
  isSignedBy: (key) => key === 'K-laptop',
};
const codeOf = (changed: Partial<FleetCommand>, around: Partial<CommandWorld> = {}) =>
  refuseCommand({ ...command, ...changed }, { ...world, ...around })?.code;

describe('a command from another machine', () => {
  it('a valid, signed command of an operator from another machine is accepted', () => {
    expect(codeOf({})).toBeUndefined();
  });

  it.each([
    ['of a machine that is not in the list', { from: 'stranger' }, {}, 'not_a_member'],
    ['of a revoked machine', {}, { roster: withoutMember(roster, 'laptop') }, 'not_a_member'],
    ['with the signature of another machine', {}, { isSignedBy: (key: string) => key === 'K-tablet' }, 'bad_signature'],
    ['without a signature', {}, { isSignedBy: () => false }, 'bad_signature'],
    ['that is meant for another machine', { machine: 'tablet' }, {}, 'bad_signature'],
    ['of a viewer', { from: 'tablet' }, { isSignedBy: (key: string) => key === 'K-tablet' }, 'viewer_only'],
    ['to a machine that takes no commands', {}, { takesCommands: false }, 'commands_off'],
    ["to a machine that does not know the hub's time", {}, { hubNow: undefined }, 'hub_time_unknown'],
    ['that has expired by the millisecond', {}, { hubNow: later(NOON, 120_000) }, 'command_expired'],
    ['that was issued a minute in the future', {}, { hubNow: later(NOON, -60_000) }, 'command_expired'],
    ['that lives longer than ten minutes', { expires_at: later(NOON, 600_001) }, {}, 'command_expired'],
    ['that expires before it was issued', { expires_at: later(NOON, -1) }, {}, 'command_expired'],
    ['whose times cannot be read', { expires_at: 'never' as Instant }, {}, 'command_expired'],
  ])('a fleet command %s is refused', (_, changed, around, code) => {
    expect(codeOf(changed, around)).toBe(code);
  });

  it('the refusal of a command that is expired or has invalid times shows the times without seconds', () => {
    const sentenceOf = (changed: Partial<FleetCommand>, around: Partial<CommandWorld>) =>
      refuseCommand({ ...command, ...changed }, { ...world, ...around })?.sentence;
    expect(sentenceOf({}, { hubNow: later(NOON, 120_000) })).toContain('it expired at 2026-11-15 12:02 UTC.');
    expect(sentenceOf({ expires_at: later(NOON, -60_000) }, {})).toMatch(
      /issued at 2026-11-15 12:00 UTC, expires at 2026-11-15 11:59 UTC$/,
    );
  });

  it('a viewer may read from a machine that accepts no commands', () => {
    const looking = { from: 'tablet', method: 'GET' } as const;
    expect(codeOf(looking, { takesCommands: false, isSignedBy: (key) => key === 'K-tablet' })).toBeUndefined();
  });
});

describe("the log of a machine, compared with the hub's copy of that log", () => {
  const own = (hashes: readonly string[]) => (hub: { seq: number; hash: string }) =>
    compareLogs(hub, { lastSeq: hashes.length }, (seq) => hashes[seq - 1]);
  const log = own(['a', 'b', 'c']);

  it('a machine sends the part of its log that the hub does not have', () => {
    expect(log({ seq: 2, hash: 'b' })).toEqual({ is: 'continues', after: 2 });
    expect(log({ seq: 3, hash: 'c' })).toEqual({ is: 'continues', after: 3 });
  });

  it('a machine sends its whole log to a hub that has no events of the machine', () => {
    expect(log({ seq: 0, hash: '' })).toEqual({ is: 'continues', after: 0 });
  });

  it("if the hub has later events than the machine's own log, the log counts as restored from an older copy", () => {
    const relation = log({ seq: 5, hash: 'e' });
    expect(relation).toEqual({ is: 'went_back', hubSeq: 5, ownSeq: 3 });
    expect(haltFor('laptop', relation, false)).toMatchObject({ code: 'log_went_back' });
    expect(haltFor('laptop', relation, false)?.sentence).toContain('restored from an older copy');
  });

  it("a home counts as a copy if its log differs from the hub's log and another Baton reports for the same machine", () => {
    const relation = log({ seq: 2, hash: 'x' });
    expect(relation).toEqual({ is: 'differs', seq: 2 });
    expect(haltFor('laptop', relation, true)).toMatchObject({ code: 'identity_in_use' });
  });
});

describe('the list of members', () => {
  it('each change of the list of fleet members increases the version of the list', () => {
    const added = withMember(roster, { name: 'new', key: 'K', role: 'viewer', joinedAt: NOON });
    expect([added.version, added.members.length]).toEqual([4, 4]);
    expect(withoutMember(added, 'new')).toEqual({ version: 5, members: roster.members });
  });

  it('a new fleet member replaces the member with the same name', () => {
    const changed = withMember(roster, { name: 'laptop', key: 'K-new', role: 'viewer', joinedAt: NOON });
    expect(changed.members.filter(({ name }) => name === 'laptop')).toMatchObject([{ key: 'K-new' }]);
  });

  it.each(['laptop', 'box-2', '0'])('%s can be the name of a machine', (name) =>
    expect(isMachineName(name)).toBe(true),
  );
  it.each(['', 'Laptop', 'a.b', 'a/b', '*', '>', '-a', 'a b', '_fleet', 'x'.repeat(32), 'a\n'])(
    '%j cannot be the name of a machine',
    (name) => expect(isMachineName(name)).toBe(false),
  );
});

describe('the presence of another machine', () => {
  it('a machine of the fleet is shown as up only while its reports arrive', () => {
    expect(presenceOf({ ageMs: 5_000, isConnected: true, isWhole: true })).toBe('up');
    expect(presenceOf({ ageMs: 31_000, isConnected: true, isWhole: true })).toBe('away');
  });

  it('[T26] a machine of the fleet is not shown as up while a part of the state that it reported has not arrived', () => {
    expect(presenceOf({ ageMs: 0, isConnected: true, isWhole: false })).toBe('unknown');
  });

  it('without a connection to the hub, a machine shows no other machine as up or away', () => {
    expect(presenceOf({ ageMs: 0, isConnected: false, isWhole: true })).toBe('unknown');
    expect(presenceOf({ ageMs: 31_000, isConnected: false, isWhole: true })).toBe('unknown');
    expect(presenceOf({ ageMs: null, isConnected: true, isWhole: true })).toBe('unknown');
  });
});
