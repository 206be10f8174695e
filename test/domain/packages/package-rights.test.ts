import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PackageInput } from '../../../src/domain/packages/content/package.ts';
import {
  chainIsWhole,
  type Sealing,
  sealNow,
  sealOf,
  sealPackage,
} from '../../../src/domain/packages/content/seal-package.ts';
import { type PackageCaller, partIn } from '../../../src/domain/packages/package-parties.ts';
import { ownerOf, type PackageRecord } from '../../../src/domain/packages/record.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import {
  acknowledged,
  CHANGED,
  decided,
  FULL,
  fresh,
  gatePackage,
  NOON,
  outcome,
  play,
  SEAL,
  sealed,
  worldAt,
} from './package-kit.ts';

const pending = () => play(fresh(), [sealed()]);
const waiting = (record: PackageRecord = gatePackage()) => play(record, [sealed()]);
const OTHERS = ['sender', 'operator', 'host'] as const;

describe('rights on a package', () => {
  it.each(OTHERS)('[package P17] the %s cannot acknowledge a package for the receiver', (by) => {
    expect(outcome(pending(), { type: 'acknowledged', by, acknowledgement: FULL })).toBe('forbidden');
  });

  it.each(OTHERS)('[package P14] the %s cannot decline a package for the receiver', (by) => {
    expect(outcome(pending(), { type: 'declined', by, code: 'overload' })).toBe('forbidden');
  });

  it.each(['sender', 'receiver', 'operator'] as const)(
    '[package P26] the %s cannot mark a package as failed before it was accepted',
    (by) => {
      expect(outcome(pending(), { type: 'failed', by, cause: 'no' })).toBe('package_not_possible');
    },
  );

  it('[package P15] the agent that sent a continuation package cannot also receive the package', () => {
    const stored = {
      record: { ...pending(), from: 'con', to: 'con' },
      senderAgentId: 1,
      receiverAgentId: null,
    } as StoredPackage;
    const caller = (agentId: number): PackageCaller => ({
      kind: 'agent',
      names: ['con', `agent-${agentId}`],
      agentId,
      session: '',
      persona: 'con',
      projectId: 1,
    });
    const part = (agentId: number) => partIn(stored, caller(agentId), ['receiver'], () => true);
    expect([part(1), part(2)]).toEqual([undefined, 'receiver']);
  });
});

describe('package transitions', () => {
  it('[package P15] if the receiver marks a package as failed, the sender has to act next', () => {
    const failed = play(pending(), [acknowledged(), { type: 'failed', by: 'receiver', cause: 'no access' }]);
    expect([failed.state, ownerOf(failed)]).toEqual(['failed', 'sender']);
  });

  it('[package P20] a question about a gate cancels the approvals that items of the gate already have', () => {
    const half = play(waiting(), [decided({ items: [0] })]);
    const asked = play(half, [decided({ option: 'question', reason: 'Which API?' })]);
    expect(asked.approvedItems).toEqual([]);
    const answered = asked.questions.map(({ id }) => id);
    const again = play(asked, [{ type: 'answered', by: 'sender', answered, seal: CHANGED }]);
    expect(play(again, [decided({ items: [1], seal: CHANGED })])).toMatchObject({
      state: 'pending',
      approvedItems: [1],
    });
  });

  it("[package P22] when the deadline that is written in a gate's package passes, a non-blocking gate fails, but a blocking gate stays pending", () => {
    const late = (kind: 'blocking' | 'non_blocking') =>
      play(waiting({ ...gatePackage(kind), expiresAt: NOON }), [{ type: 'clock_ticked' }], worldAt(1)).state;
    expect([late('blocking'), late('non_blocking')]).toEqual(['pending', 'failed']);
  });
});

describe('the seal of a package', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const content: PackageInput = {
    from: { agent: 'con' },
    to: { agent: 'ann', reason: 'Need a review' },
    context: {
      summary: 'Two files',
      artifacts: [
        { path: 'a.md', sha256: 'said', bytes: 1 },
        { path: 'gone.md', sha256: 'said', bytes: 1 },
      ],
    },
  };
  const sealing = (revision: number, previous: string | null): Sealing => ({
    id: 'HO-2026-001',
    uid: 'U',
    revision,
    type: 'delegation',
    content,
    from: content.from,
    lineage: { parent: null, root: 'HO-2026-001', hop: 0, supersedes: null, returnsFor: null },
    answersFor: undefined,
    seen: { 'a.md': { kind: 'file', sha256: 'seen', bytes: 42 } },
    repo: { head: null, branch: null, changed: null, untracked: null, ahead: null, behind: null, unknown: null },
    at: NOON,
    by: 'con',
    previous,
  });
  const first = sealPackage(sealing(1, null), sha256);
  const second = sealPackage(sealing(2, first.integrity.content_sha256), sha256);

  it('[package P1] a seal contains the hashes that Baton computed, not the hashes that the author wrote', () => {
    expect(first.context.artifacts).toEqual([{ path: 'a.md', sha256: 'seen', bytes: 42 }, { path: 'gone.md' }]);
    expect(sealOf(first).artifacts).toEqual({ 'a.md': 'seen' });
  });

  it('[package P16] if an earlier revision of a package was altered, the seals of the package reveal the change', () => {
    expect(chainIsWhole([first, second], sha256)).toBe(true);
    expect(chainIsWhole([{ ...first, to: { agent: 'eve', reason: '' } }, second], sha256)).toBe(false);
    expect(chainIsWhole([first, sealPackage(sealing(2, sha256('another')), sha256)], sha256)).toBe(false);
  });

  it('[package P21] if an artifact is missing, a new seal of the package marks the artifact as missing', () => {
    expect(sealNow(SEAL, { 'docs/api.md': { kind: 'file', sha256: 'a1', bytes: 1 } })).toEqual(SEAL);
    expect(sealNow(SEAL, {}).artifacts).toEqual({ 'docs/api.md': 'missing' });
  });
});
