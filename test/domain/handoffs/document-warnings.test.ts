import { describe, expect, it } from 'vitest';
import { newDelivery } from '../../../src/domain/handoffs/prompts/prompt-delivery.ts';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { PANE, T0, Turntable } from './handoff-kit.ts';

describe('a document that Baton read but could not store', () => {
  it('[H17] if Baton cannot store its copy of a document, the failure message says so instead of calling the document unreadable', () => {
    const table = new Turntable().upTo('verifying');
    table.fact({ type: 'effect_failed', runId: 7, doing: 'check_document', detail: 'EROFS: read-only file system' });
    expect(table.run.failure).toMatchObject({
      code: 'document_not_kept',
      sentence: expect.stringMatching(
        /could not store its copy of .* document .*\.md: EROFS: read-only file system\.$/,
      ),
    });
    expect(table.offered()[0]).toBe('check_again');
  });
});

describe('an agent that stays idle without a document', () => {
  it('[H51] if an agent is idle when the deadline for its document passes, the failure message says that the agent is idle', () => {
    const table = new Turntable().upTo('awaiting_document').fact({ type: 'agent_seen_idle', agentId: 1 });
    table.wait(11 * 60_000);
    expect(table.run.failure).toMatchObject({
      code: 'document_timeout',
      sentence: expect.stringContaining(' is idle, but Baton has'),
    });
  });
});

describe('a document that replaces an earlier one', () => {
  it("[H52] when a new document is verified, the warning about the old document's end marker disappears", () => {
    const table = new Turntable({}, { review: 'wanted', warnings: [] }).upTo('verifying');
    const result = { verdict: 'good', sha256: 'abc', bytes: 10, markerFound: false, markerAdded: true } as const;
    table.fact({ type: 'document_checked', runId: 7, result });
    expect(table.run.warnings.join()).toContain('did not end with its end marker');
    table.run = { ...table.run, step: 'verifying' };
    table.fact({ type: 'document_checked', runId: 7, result: { ...result, markerFound: true } });
    expect(table.run.warnings).toEqual([]);
  });
});

describe('a document that was changed after Baton verified it', () => {
  it('[H55] if a verified document was changed, the inbox item about a missing acknowledgment reports the change and names the verified version', () => {
    const table = new Turntable().upTo('creating_successor');
    table.addAgent(2, { personaId: 1, pane: PANE, state: 'idle', registeredAt: T0 });
    const delivery = { ...newDelivery('nonce-injection'), isOverUnacknowledged: true };
    table.run = { ...table.run, successorAgentId: 2, step: 'awaiting_acknowledgement', delivery };
    table.fact({ type: 'document_found_otherwise', runId: 7, found: 'changed' });
    const item = inboxEntriesForRun(table.run, table.world).find(({ sentence }) =>
      sentence.includes('without acknowledging'),
    );
    expect(item).toMatchObject({
      sentence: expect.stringContaining('The document was changed after Baton verified it.'),
      hint: expect.stringContaining('baton handoff show 7 --document'),
    });
  });
});
