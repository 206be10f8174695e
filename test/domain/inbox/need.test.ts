import { describe, expect, it } from 'vitest';
import type { InboxItem } from '../../../src/domain/inbox/inbox.ts';
import { inboxCause } from '../../../src/domain/inbox/inbox-cause.ts';
import { severityOf, worstFirst } from '../../../src/domain/inbox/need.ts';

const item = (id: number, kind: InboxItem['kind'], key: string): InboxItem =>
  ({ id, kind, key, cause: inboxCause(key), openedAt: `2026-01-01T00:00:0${id}Z` }) as InboxItem;

describe('the severity of an inbox item', () => {
  it.each([
    ['failed', 'failure', 'run/1/failed/1'],
    ['failed', 'failure', 'package/HO-2026-001/not-started/none'],
    ['failed', 'notice', 'trouble/store'],
    ['question', 'question', 'agent/1/asks'],
    ['question', 'question', 'run/1/asks'],
    ['decision', 'decision', 'package/HO-2026-001/decide/1/0/0'],
    ['decision', 'decision', 'run/1/review'],
    ['lost', 'decision', 'restore/1-2'],
    ['lost', 'notice', 'agent/1/gone'],
    ['stuck', 'decision', 'package/HO-2026-001/late/pending/1'],
    ['stuck', 'decision', 'agent/1/turn-failed'],
    ['stuck', 'notice', 'agent/1/unknown'],
    ['handoff', 'notice', 'agent/1/near-threshold'],
    ['notice', 'notice', 'agent/1/finished'],
    ['notice', 'notice', 'run/1/unacknowledged'],
    ['notice', 'notice', 'event/3'],
  ] as const)(
    '[D9] the severity "%s" is given to an inbox item of the kind %s with the cause %s',
    (severity, kind, key) => {
      expect(severityOf({ cause: inboxCause(key), kind })).toBe(severity);
    },
  );

  it('[D9] a failed handoff and a permission question are sorted before an older stuck package', () => {
    const items = [
      item(1, 'decision', 'package/HO-2026-002/late/pending/1'),
      item(2, 'notice', 'agent/4/finished'),
      item(3, 'question', 'agent/6/asks'),
      item(4, 'question', 'agent/7/asks'),
      item(5, 'failure', 'run/1/failed/1'),
    ];
    expect(worstFirst(items).map(({ id }) => id)).toEqual([5, 3, 4, 1, 2]);
  });
});
