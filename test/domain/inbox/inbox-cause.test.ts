import { describe, expect, it } from 'vitest';
import { AGENT_TOPICS, type InboxCause, inboxCause, inboxKey } from '../../../src/domain/inbox/inbox-cause.ts';

const CAUSES: readonly [string, InboxCause][] = [
  ['run/7/failed/2', { of: 'run', runId: 7, what: 'failed/2' }],
  ['run/7/asks', { of: 'run', runId: 7, what: 'asks' }],
  ['package/HO-2026-001/decide/1/0/2', { of: 'package', packageId: 'HO-2026-001', what: 'decide/1/0/2' }],
  ['persona/con/lessons', { of: 'persona', slug: 'con', what: 'lessons' }],
  ['restore/12-1700000000', { of: 'outage', server: '12-1700000000' }],
  ['trouble/read a/b', { of: 'trouble', part: 'read a/b' }],
  ['event/9', { of: 'event', seq: 9, until: null }],
  ['event/9/until-ended', { of: 'event', seq: 9, until: 'ended' }],
  ['event/9/until-abc-message-1', { of: 'event', seq: 9, until: 'abc-message-1' }],
  ...AGENT_TOPICS.map((what): [string, InboxCause] => [`agent/3/${what}`, { of: 'agent', agentId: 3, what }]),
];

describe('the cause of an inbox item', () => {
  it.each(CAUSES)('the cause of an inbox item is stored as %s and read back unchanged', (key, cause) => {
    expect(inboxKey(cause)).toBe(key);
    expect(inboxCause(key)).toEqual(cause);
  });

  it.each(['agent/3/dances', 'persona/con/songs', 'agent/x/asks', 'weather/1', ''])(
    'the unknown cause %j in the store is read as the cause "other"',
    (key) => {
      expect(inboxCause(key)).toEqual({ of: 'other', key });
      expect(inboxKey(inboxCause(key))).toBe(key);
    },
  );
});
