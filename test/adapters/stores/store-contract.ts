import { describe, expect, it } from 'vitest';
import { firstBrokenEvent } from '../../../prove/memory-store/first-broken-event.ts';
import type { AgentFilter } from '../../../src/app/agents/agent-filter.ts';
import { type Page, type Store, StoreConflict, type Tx } from '../../../src/app/ports/store.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { NEW_RUN, type Run, type RunState } from '../../../src/domain/handoffs/run.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import type { Message } from '../../../src/domain/messages/operator-message.ts';
import type { PromptText } from '../../../src/domain/messages/sent-prompt.ts';
import type { ExternalSession } from '../../../src/domain/sessions/external-session.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;

let uuids = 0;
export const anAgent = (over: Partial<Agent> = {}): Parameters<Tx['insertAgent']>[0] => ({
  sessionUuid: `0000000${++uuids}-0000-4000-8000-000000000000`,
  runtime: 'practice',
  runtimeSessionId: null,
  resumesSession: null,
  clientPid: null,
  projectId: 1,
  personaId: null,
  previousAgentId: null,
  tokenHash: `hash-${uuids}`,
  pane: null,
  transcriptPath: null,
  state: 'idle',
  stateReason: 'test',
  stateCause: null,
  turnPromptId: null,
  lastPrompt: null,
  context: null,
  priming: { status: 'none' },
  messages: [],
  question: null,
  answers: [],
  startedAt: AT,
  registeredAt: null,
  lastSeenAt: AT,
  endedAt: null,
  ...over,
});

export const aRun = (agentId: number, over: Partial<Run> = {}): Parameters<Tx['insertRun']>[0] => ({
  ...NEW_RUN,
  agentId,
  successorAgentId: null,
  handoffId: null,
  reason: 'context_limit',
  note: null,
  step: 'requested',
  failure: null,
  nonce: 'nonce',
  endToken: 'token',
  document: null,
  delivery: null,
  deadlineAt: null,
  safePointDeadlineAt: null,
  pausedAt: null,
  lookedAt: AT,
  retryAt: null,
  compactedSinceInstruction: false,
  warnings: [],
  acknowledgement: null,
  steps: [],
  createdAt: AT,
  updatedAt: AT,
  ...over,
});

const anItem = {
  kind: 'question',
  runId: null,
  sentence: 's',
  hint: 'h',
  openedAt: AT,
  current: true,
  resolvedAt: null,
  resolution: null,
  notifiedAt: null,
  notified: {},
} as const;

const event = (type: string, dedupeKey: string | null = null) => ({
  at: AT,
  agentId: null,
  runId: null,
  type,
  data: { n: 1 },
  dedupeKey,
});

/** Tests the behavior of a store. The use cases rely on this behavior, so every store must pass these tests. */
export function describeStore(name: string, open: () => Store): void {
  describe(`store contract: ${name}`, () => {
    const withProject = async (): Promise<Store> => {
      const store = open();
      await store.write((tx) => tx.insertProject({ name: 'p', path: '/p', createdAt: AT }));
      return store;
    };
    const withAgent = async (): Promise<Store> => {
      const store = await withProject();
      await store.write((tx) => tx.insertAgent(anAgent()));
      return store;
    };

    it('the store saves the default persona of a project', async () => {
      const store = await withProject();
      const wanted = { role: 'r', name: 'n', status: 'active', createdAt: AT } as const;
      const persona = await store.write((tx) => tx.insertPersona(wanted, (id) => `r-n-${id}`));
      const project = store.read((tx) => tx.projectById(1));
      expect(project).toMatchObject({ defaultPersonaId: null });
      if (project === undefined) return;
      for (const defaultPersonaId of [persona.id, null]) {
        await store.write((tx) => tx.saveProject({ ...project, name: 'other', defaultPersonaId }));
        expect(store.read((tx) => tx.projects())).toEqual([{ ...project, defaultPersonaId }]);
      }
    });

    it('the store saves and removes the list of runtimes of a persona and of a project', async () => {
      const store = await withProject();
      const wanted = { role: 'r', name: 'n', status: 'active', createdAt: AT } as const;
      const persona = await store.write((tx) => tx.insertPersona(wanted, (id) => `r-n-${id}`));
      const project = store.read((tx) => tx.projects())[0];
      if (project === undefined) return;
      const runsOn = [{ runtime: 'a', model: 'm', args: ['-x'] }, { runtime: 'b' }];
      for (const list of [{ runsOn }, {}]) {
        await store.write(
          (tx) => void [tx.savePersona({ ...persona, ...list }), tx.saveProject({ ...project, ...list })],
        );
        expect(store.read((tx) => [...tx.personas(), ...tx.projects()])).toEqual([
          { ...persona, ...list },
          { ...project, ...list },
        ]);
      }
    });

    it('the hash of each logged event depends on the previous event', async () => {
      const store = open();
      await store.write((tx) => void [tx.appendEvent(event('a')), tx.appendEvent(event('b'))]);
      const events = store.read((tx) => tx.eventsAfter(0, 10));
      expect(events.map((each) => [each.seq, each.type])).toEqual([
        [1, 'a'],
        [2, 'b'],
      ]);
      expect(new Set(events.map((each) => each.hash)).size).toBe(2);
      expect(store.read(firstBrokenEvent)).toBeUndefined();
      expect(store.read((tx) => tx.eventsAfter(1, 10)).map((each) => each.type)).toEqual(['b']);
      expect(store.read((tx) => tx.lastSeq())).toBe(2);
    });

    it('the store finds the last events of given types about one agent, oldest first', async () => {
      const store = open();
      await store.write((tx) => {
        for (const [agentId, type] of [
          [1, 'a'],
          [2, 'a'],
          [1, 'b'],
          [1, 'c'],
          [null, 'a'],
          [1, 'a'],
        ] as const)
          tx.appendEvent({ ...event(type), agentId });
      });
      const seqs = (types: string[], limit: number) =>
        store.read((tx) => tx.latestEventsOf(1, types, limit)).map(({ seq }) => seq);
      expect([seqs(['a', 'b'], 10), seqs(['a', 'b'], 2), seqs(['x'], 2)]).toEqual([[1, 3, 6], [3, 6], []]);
    });

    it('if several events have the same dedupe key, the store logs only the first', async () => {
      const store = open();
      const [first, second] = await store.write((tx) => [
        tx.appendEvent(event('a', 'k')),
        tx.appendEvent(event('a', 'k')),
      ]);
      expect(first).toBeDefined();
      expect(second).toBeUndefined();
      expect(await store.write((tx) => tx.appendEvent(event('a', 'k')))).toBeUndefined();
      expect(store.read((tx) => tx.lastSeq())).toBe(1);
    });

    it('if one of several transactions in a commit throws, the store still commits the others', async () => {
      const store = open();
      const results = await Promise.allSettled([
        store.write((tx) => tx.appendEvent(event('before', 'before'))),
        store.write((tx) => {
          tx.appendEvent(event('lost', 'lost'));
          tx.insertProject({ name: 'x', path: '/x', createdAt: AT });
          throw new Error('no');
        }),
        store.write((tx) => tx.appendEvent(event('after'))),
      ]);
      expect(results.map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(store.read((tx) => tx.eventsAfter(0, 10)).map((each) => each.type)).toEqual(['before', 'after']);
      expect(store.read((tx) => tx.projects())).toEqual([]);
      expect(await store.write((tx) => tx.appendEvent(event('lost', 'lost')))).toBeDefined();
      expect(store.read(firstBrokenEvent)).toBeUndefined();
    });

    it('the store notifies its listeners only after a commit, so that the listeners can read the change', async () => {
      const store = open();
      const seen: number[] = [];
      const end = store.onCommit(() => seen.push(store.read((tx) => tx.lastSeq())));
      await store.write((tx) => tx.appendEvent(event('a')));
      expect(seen).toEqual([1]);
      end();
      await store.write((tx) => tx.appendEvent(event('b')));
      expect(seen).toEqual([1]);
    });

    it('a listener of the store can add changes to a transaction before its commit', async () => {
      const store = open();
      const seen: number[] = [];
      store.onCommit(() => seen.push(store.read((tx) => tx.lastSeq())));
      const end = store.beforeCommit((tx) => void tx.appendEvent(event(`after ${tx.lastSeq()}`)));
      await Promise.all([
        store.write((tx) => tx.appendEvent(event('a'))),
        store.write((tx) => tx.appendEvent(event('b'))),
      ]);
      expect(store.read((tx) => tx.eventsAfter(0, 10)).map(({ type }) => type)).toEqual(['a', 'b', 'after 2']);
      expect(seen).toEqual([3]);
      end();
      await store.write((tx) => tx.appendEvent(event('c')));
      expect(seen).toEqual([3, 4]);
    });

    it('if a listener throws before the commit, the store still commits the writes of other callers', async () => {
      const store = open();
      store.beforeCommit((tx) => {
        tx.appendEvent(event('lost'));
        throw new Error('no');
      });
      await store.write((tx) => tx.appendEvent(event('a')));
      expect(store.read((tx) => tx.eventsAfter(0, 10)).map(({ type }) => type)).toEqual(['a']);
    });

    it('the store gives a persona a slug that contains the id of the persona', async () => {
      const store = open();
      const wanted = { role: 'developer', name: 'Con', status: 'active', createdAt: AT } as const;
      const persona = await store.write((tx) => tx.insertPersona(wanted, (id) => `developer-con-${id}`));
      expect(persona.slug).toBe('developer-con-1');
      expect(store.read((tx) => tx.personaBySlug('developer-con-1'))).toEqual(persona);
      expect(store.read((tx) => tx.personaById(1))).toEqual(persona);
    });

    it('the store never changes the slug of a persona', async () => {
      const store = open();
      const wanted = { role: 'developer', name: 'Con', status: 'active', createdAt: AT } as const;
      const [persona, other] = await store.write((tx) => [
        tx.insertPersona(wanted, (id) => `developer-con-${id}`),
        tx.insertPersona(wanted, (id) => `developer-con-${id}`),
      ]);
      const changed = { ...persona, name: 'Zoë', role: 'tester', status: 'archived' } as const;
      await store.write((tx) => tx.savePersona({ ...changed, slug: 'other' }));
      expect(store.read((tx) => tx.personas())).toEqual([changed, other]);
      expect(store.read((tx) => tx.personaBySlug('developer-con-1'))).toEqual(changed);
      await expect(
        store.write((tx) => {
          tx.savePersona(persona);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(store.read((tx) => tx.personaById(1))).toEqual(changed);
    });

    it('the store returns an agent as it was saved', async () => {
      const store = await withProject();
      const agent = await store.write((tx) => tx.insertAgent(anAgent()));
      const pane = { serverPid: 1, serverStartedAt: 2, paneId: '%3', panePid: 4, tag: 't' };
      const changed: Agent = {
        ...agent,
        state: 'ended',
        endedAt: AT,
        pane,
        context: { usedPercent: 5, usedTokens: 1, windowTokens: 2, measuredAt: AT },
      };
      await store.write((tx) => tx.saveAgent(changed));
      expect(store.read((tx) => tx.agentById(agent.id))).toEqual(changed);
      expect(store.read((tx) => tx.agentByTokenHash(agent.tokenHash))?.id).toBe(agent.id);
      expect(store.read((tx) => tx.liveAgents())).toEqual([]);
      expect(store.read((tx) => tx.agents())).toHaveLength(1);
    });

    it('the store finds the successors of an agent', async () => {
      const store = await withAgent();
      await store.write((tx) => {
        tx.insertAgent(
          anAgent({ sessionUuid: 'heir', tokenHash: 'heir', previousAgentId: 1, state: 'lost', worktreeId: 1 }),
        );
        const place = { branch: 'baton/x', path: '/w/x', folder: '/w/x', base: 'b', baseBranch: 'main' };
        const made = { projectId: 1, name: 'x', ...place, state: 'making', createdAt: AT, removedAt: null } as const;
        const worktree = tx.insertWorktree(made);
        expect(() => tx.insertWorktree(made)).toThrow(StoreConflict);
        tx.saveWorktree({ ...worktree, state: 'removed', removedAt: AT });
        tx.insertWorktree(made);
        tx.insertInboxItem({ ...anItem, cause: { of: 'outage', server: '1-2' }, agentId: null });
      });
      const seen = store.read((tx) => ({
        heirs: tx.successorsOf(1).map(({ id, worktreeId }) => [id, worktreeId]),
        lost: tx.agentsToRestore().map(({ id }) => id),
        worktrees: tx.worktrees().map(({ id, state }) => [id, state]),
        first: tx.worktreeById(1)?.state,
        items: tx.currentInboxItems({ of: 'outage' }).length,
      }));
      expect(seen).toEqual({ heirs: [[2, 1]], lost: [2], worktrees: [[2, 'making']], first: 'removed', items: 1 });
    });

    it('the store reads agents, runs and handoff records in pages by id', async () => {
      const store = await withProject();
      await store.write((tx) => {
        for (let count = 0; count < 5; count++) {
          const { id } = tx.insertAgent(anAgent());
          tx.insertRun(aRun(id, { step: 'completed' }));
          tx.insertHandoff({ agentId: id, reason: 'context_limit', filePath: 'd.md', injectionPrompt: 'p' });
        }
      });
      const ids = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);
      expect(store.read((tx) => ids(tx.agents({ limit: 2 })))).toEqual([4, 5]);
      expect(store.read((tx) => ids(tx.agents({ limit: 2, before: 4 })))).toEqual([2, 3]);
      await store.write((tx) => tx.saveAgent({ ...tx.agentById(4)!, state: 'ended', runtime: 'other' }));
      const found = (filter: AgentFilter) => store.read((tx) => ids(tx.agents({ limit: 9 }, filter)));
      expect(found({ states: ['ended'] })).toEqual([4]);
      expect(found({ projectId: 1, personaId: 99 })).toEqual([]);
      const none = { ids: [], personaIds: [], projectIds: [], runtimes: [] };
      expect(found({ anyOf: none })).toEqual([]);
      expect(found({ anyOf: { ...none, ids: [2], runtimes: ['other'] } })).toEqual([2, 4]);
      expect(found({ anyOf: { ...none, projectIds: [1] }, states: ['ended'] })).toEqual([4]);
      expect(store.read((tx) => ids(tx.runs({ limit: 2, before: 4 })))).toEqual([3, 2]);
      expect(store.read((tx) => ids(tx.handoffs({ limit: 9, before: 3 })))).toEqual([2, 1]);
    });

    it('a list of runs in one state contains no run in another state', async () => {
      const store = await withProject();
      const steps = ['failed', 'completed', 'instructing', 'cancelled', 'failed', 'verifying'] as const;
      await store.write((tx) => {
        for (const step of steps) tx.insertRun(aRun(tx.insertAgent(anAgent()).id, { step }));
      });
      const inState = (state: RunState, page: Page = { limit: 9 }) =>
        store.read((tx) => tx.runs(page, state).map(({ id }) => id));
      expect(inState('in_flight')).toEqual([6, 3]);
      expect(inState('failed')).toEqual([5, 1]);
      expect(inState('failed', { limit: 1, before: 5 })).toEqual([1]);
      expect(inState('completed')).toEqual([2]);
      expect(inState('cancelled')).toEqual([4]);
    });

    it('the store finds agents by current or earlier persona', async () => {
      const store = await withProject();
      const seen = await store.write((tx) => {
        const persona = (name: string): number =>
          tx.insertPersona({ role: 'r', name, status: 'active', createdAt: AT }, (id) => `r-${id}`).id;
        const [ann, bob] = [persona('Ann'), persona('Bob')];
        const message: Message = {
          ref: 'm',
          textHash: 'h',
          sentBy: 'me',
          sentAt: AT,
          transcript: null,
          ahead: 0,
          typing: null,
          submitted: null,
          verdict: null,
        };
        const verdict = { verdict: 'accepted', reason: null, sentence: 's' } as const;
        tx.insertAgent(anAgent({ personaId: bob, wore: [{ personaId: ann, until: AT }] }));
        const asked = tx.insertAgent(anAgent({ personaId: ann, messages: [message] }));
        tx.insertAgent(anAgent({ personaId: ann, restore: { status: 'closed', detail: 'd' }, state: 'lost' }));
        const before = tx.unsettledAgents().map(({ id }) => id);
        tx.saveAgent({ ...asked, messages: [{ ...message, verdict }] });
        return {
          all: tx.agentIdsOfPersona(ann),
          page: tx.agentIdsOfPersona(ann, { limit: 2, before: 3 }),
          latest: [tx.latestAgentOf({ personaId: ann })?.id, tx.latestAgentOf({ personaId: ann, projectId: 7 })?.id],
          unsettled: [before, tx.unsettledAgents()],
          lost: tx.agentsToRestore(),
        };
      });
      expect(seen).toEqual({
        all: [1, 2, 3],
        page: [1, 2],
        latest: [3, undefined],
        unsettled: [[2], []],
        lost: [],
      });
    });

    it('the state file of a project counts as outdated until the latest change is written to the file', async () => {
      const store = await withProject();
      const marks = await store.write((tx) => {
        tx.markStateStale(1, 5);
        tx.markStateStale(1, 3);
        tx.stateWritten(1, 4);
        const before = tx.staleStateFiles();
        tx.stateWritten(1, 5);
        return [before, tx.staleStateFiles()];
      });
      expect(marks).toEqual([[{ projectId: 1, seq: 5 }], []]);
    });

    it('[H3] the store allows one run in flight for each agent', async () => {
      const store = await withProject();
      const agent = await store.write((tx) => tx.insertAgent(anAgent()));
      const run = await store.write((tx) => tx.insertRun(aRun(agent.id)));
      await expect(store.write((tx) => tx.insertRun(aRun(agent.id)))).rejects.toThrow(StoreConflict);
      await store.write((tx) => tx.saveRun({ ...run, step: 'failed' }));
      const second = await store.write((tx) => tx.insertRun(aRun(agent.id)));
      expect(store.read((tx) => tx.runsInFlight()).map((each) => each.id)).toEqual([second.id]);
      expect(store.read((tx) => tx.runsOfAgent(agent.id))).toHaveLength(2);
      expect(store.read((tx) => tx.runs({ limit: 1 })).map((each) => each.id)).toEqual([second.id]);
      await expect(store.write((tx) => tx.saveRun({ ...run, step: 'verifying' }))).rejects.toThrow(StoreConflict);
    });

    it('if a run moves to another step, the store lists the run only at the new step', async () => {
      const store = await withProject();
      const agent = await store.write((tx) => tx.insertAgent(anAgent()));
      const run = await store.write((tx) => tx.insertRun(aRun(agent.id, { step: 'instructing' })));
      const listed = () =>
        store.read((tx) => [tx.runIdsAt('instructing'), tx.runIdsAt('verifying'), tx.runIdsAt('failed')]);
      expect(listed()).toEqual([[run.id], [], []]);
      const move = (step: Run['step']) => store.write((tx) => tx.saveRun({ ...(tx.runById(run.id) as Run), step }));
      await move('verifying');
      expect(listed()).toEqual([[], [run.id], []]);
      await move('instructing');
      expect(listed()).toEqual([[run.id], [], []]);
      await move('failed');
      expect(listed()).toEqual([[], [], [run.id]]);
    });

    it('the store lets only one runner claim an effect', async () => {
      const store = await withProject();
      const { id } = await store.write((tx) => tx.insertEffect({ kind: 'launch_agent', agentId: 1 }, AT));
      expect(await store.write((tx) => tx.claimEffect(id, 'one', AT))).toBe(true);
      expect(await store.write((tx) => tx.claimEffect(id, 'two', AT))).toBe(false);
      expect(store.read((tx) => tx.pendingEffects())).toEqual([]);
      expect(await store.write((tx) => tx.releaseEffectsNotOf('one'))).toBe(0);
      expect(await store.write((tx) => tx.releaseEffectsNotOf('two'))).toBe(1);
      expect(store.read((tx) => tx.pendingEffects())).toEqual([
        { id, effect: { kind: 'launch_agent', agentId: 1 }, attempts: 1 },
      ]);
      await store.write((tx) => tx.claimEffect(id, 'two', AT));
      await store.write((tx) => tx.releaseEffect(id));
      expect(store.read((tx) => tx.pendingEffects())).toHaveLength(1);
      await store.write((tx) => tx.finishEffect(id, AT));
      expect(store.read((tx) => tx.pendingEffects())).toEqual([]);
    });

    it('the store allows only one open inbox item for each cause', async () => {
      const store = await withAgent();
      const item = { ...anItem, agentId: 1, cause: { of: 'agent', agentId: 1, what: 'asks' } } as const;
      const first = await store.write((tx) => tx.insertInboxItem(item));
      await expect(store.write((tx) => tx.insertInboxItem(item))).rejects.toThrow(StoreConflict);
      expect(store.read((tx) => [tx.openInboxItems(), tx.currentInboxItems({ agentId: 1 })])).toEqual([
        [first],
        [first],
      ]);
      const dismissed = { ...first, resolvedAt: AT, resolution: 'dismissed', notifiedAt: AT, notified: { os: 'sent' } };
      await store.write((tx) => tx.saveInboxItem(dismissed));
      expect(store.read((tx) => [tx.openInboxItems(), tx.currentInboxItems({ agentId: 1 })])).toEqual([
        [],
        [dismissed],
      ]);
      await store.write((tx) => tx.saveInboxItem({ ...dismissed, current: false }));
      const second = await store.write((tx) => tx.insertInboxItem(item));
      expect(store.read((tx) => [tx.openInboxItems(), tx.unsentInboxItems()])).toEqual([[second], [second]]);
      await store.write((tx) => tx.saveInboxItem({ ...second, notifiedAt: AT }));
      expect(store.read((tx) => [tx.openInboxItems().length, tx.unsentInboxItems()])).toEqual([1, []]);
      await store.write((tx) => tx.saveInboxItem(second));
      const run = await store.write((tx) => tx.insertRun(aRun(1)));
      const failed = { of: 'run', runId: run.id, what: 'failed/1' } as const;
      const ofRun = await store.write((tx) => tx.insertInboxItem({ ...item, cause: failed, runId: run.id }));
      expect(store.read((tx) => tx.currentInboxItems({ runId: run.id }))).toEqual([ofRun]);
      expect(store.read((tx) => tx.currentInboxItems({ agentId: 1 }))).toEqual([second]);
    });

    it('the store lists the handoff records, newest first', async () => {
      const store = await withAgent();
      await store.write((tx) => tx.insertAgent(anAgent({ sessionUuid: 'b', tokenHash: 'b' })));
      for (const agentId of [1, 2])
        await store.write((tx) =>
          tx.insertHandoff({ agentId, reason: 'shift_end', filePath: null, injectionPrompt: null }),
        );
      expect(store.read((tx) => tx.handoffs({ limit: 10 })).map(({ agentId }) => agentId)).toEqual([2, 1]);
      expect(store.read((tx) => tx.handoffs({ limit: 1 })).map(({ agentId }) => agentId)).toEqual([2]);
    });

    it('the store finds events by agent, run, type and position, oldest or newest first', async () => {
      const store = open();
      await store.write((tx) => {
        for (const [agentId, runId, type] of [
          [1, null, 'a'],
          [1, 7, 'b'],
          [2, 7, 'a'],
          [null, null, 'c'],
          [1, 7, 'a'],
        ] as const)
          tx.appendEvent({ ...event(type), agentId, runId });
      });
      const seqs = (filter: Omit<Parameters<Tx['events']>[0], 'limit'>, limit = 10) =>
        store.read((tx) => tx.events({ ...filter, limit })).map(({ seq }) => seq);
      expect(seqs({})).toEqual([1, 2, 3, 4, 5]);
      expect(seqs({ after: 2 }, 2)).toEqual([3, 4]);
      expect(seqs({ before: 5, newestFirst: true }, 3)).toEqual([4, 3, 2]);
      expect(seqs({ agentId: 1 })).toEqual([1, 2, 5]);
      expect(seqs({ runId: 7, after: 2 })).toEqual([3, 5]);
      expect(seqs({ runId: 7, agentId: 1, types: ['a'] })).toEqual([5]);
      expect(seqs({ types: ['b', 'c'], newestFirst: true })).toEqual([4, 2]);
      expect(seqs({ agentId: 9 })).toEqual([]);
      await store.write((tx) => {
        for (const [type, packageId] of [
          ['package_read', 'HO-2026-001'],
          ['package_read', 'HO-2026-002'],
          ['inbox_opened', 'HO-2026-001'],
          ['package_decided', 'HO-2026-001'],
        ] as const)
          tx.appendEvent({ ...event(type), data: { packageId } });
      });
      expect(seqs({ packageId: 'HO-2026-001' })).toEqual([6, 9]);
      expect(seqs({ packageId: 'HO-2026-001', newestFirst: true }, 1)).toEqual([9]);
    });

    it('the store saves one page session for each token hash', async () => {
      const store = open();
      const session = (tokenHash: string, usedOn: string) => ({
        tokenHash,
        name: `Phone ${tokenHash}`,
        createdOn: '2026-11-01',
        usedOn,
      });
      const [a, b] = [session('a', '2026-11-03'), session('b', '2026-11-02')];
      await store.write((tx) => [a, b].map((each) => tx.savePageSession(each)));
      expect(store.read((tx) => tx.pageSessions())).toEqual([b, a]);
      const again = session('b', '2026-11-04');
      await store.write((tx) => tx.savePageSession(again));
      expect(store.read((tx) => [tx.pageSessions(), tx.pageSession('b'), tx.pageSession('c')])).toEqual([
        [a, again],
        again,
        undefined,
      ]);
      await store.write((tx) => tx.deletePageSession('a'));
      expect(store.read((tx) => tx.pageSessions())).toEqual([again]);
    });

    it('the store lists sent prompts in the order in which they were first saved', async () => {
      const store = await withAgent();
      const run = await store.write((tx) => tx.insertRun(aRun(1)));
      const text = (ref: string, over: Partial<PromptText> = {}): PromptText => ({
        ref,
        agentId: 1,
        runId: run.id,
        purpose: 'instruction',
        text: 'Write it.',
        outcome: null,
        at: null,
        ...over,
      });
      const [one, skill] = [text('b'), text('a', { runId: null, purpose: 'skill' })];
      await store.write((tx) => [one, skill].map((each) => tx.savePromptText(each)));
      const typed = text('b', { outcome: 'typed', at: AT, text: 'Write it now.' });
      await store.write((tx) => tx.savePromptText(typed));
      expect(store.read((tx) => tx.promptTextsOf({ agentId: 1 }))).toEqual([typed, skill]);
      expect(store.read((tx) => tx.promptTextsOf({ runId: run.id }))).toEqual([typed]);
      expect(store.read((tx) => [tx.promptText('a'), tx.promptText('c')])).toEqual([skill, undefined]);
      await expect(store.write((tx) => tx.savePromptText(text('x', { agentId: 99 })))).rejects.toThrow(StoreConflict);
    });

    it('the store saves one external session for each session id of a runtime, and lists the latest first', async () => {
      const store = open();
      const session = (sessionId: string, hour: number, over: Partial<ExternalSession> = {}): ExternalSession => ({
        runtime: 'practice',
        sessionId,
        folder: '/p',
        transcriptPath: null,
        pid: 42,
        tmux: { socket: '/tmp/s', pane: '%1' },
        firstSeenAt: AT,
        lastSeenAt: `2026-11-15T0${hour}:00:00.000Z` as Instant,
        endedAt: null,
        ...over,
      });
      const [a, b, other] = [session('a', 1), session('b', 2), session('a', 3, { runtime: 'other', tmux: null })];
      await store.write((tx) => [a, b, other].map((each) => tx.saveExternalSessionRow(each)));
      expect(store.read((tx) => tx.externalSessions())).toEqual([other, b, a]);
      const again = session('a', 4, { endedAt: AT, folder: null });
      await store.write((tx) => tx.saveExternalSessionRow(again));
      expect(store.read((tx) => tx.externalSessions())).toEqual([again, other, b]);
      await store.write((tx) => tx.deleteExternalSession(other));
      expect(store.read((tx) => tx.externalSessions())).toEqual([again, b]);
    });

    describe('the handoff record of specification 003', () => {
      const record = (agentId: number) =>
        ({ agentId, reason: 'context_limit', filePath: null, injectionPrompt: null }) as const;

      it('[003 Handoff created for agent] a handoff record is stored and refers to its agent', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(agent.id)));
        expect(store.read((tx) => tx.agentById(tx.handoffById(made.id)?.agentId ?? 0))).toEqual(agent);
        await expect(store.write((tx) => tx.insertHandoff(record(999)))).rejects.toThrow(StoreConflict);
      });

      it('[003 Handoff with reason] [003 Handoff with file path] [003 Handoff with injection prompt] a handoff record keeps the given reason, file path and prompt', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const filePath = 'data/personas/developer-con-1/handoffs/20260220T143025-4b6f8a2c.md';
        const made = await store.write((tx) =>
          tx.insertHandoff({ ...record(agent.id), filePath, injectionPrompt: 'Read it.\nGo on.' }),
        );
        const read = store.read((tx) => tx.handoffById(made.id));
        expect(read).toMatchObject({ reason: 'context_limit', filePath, injectionPrompt: 'Read it.\nGo on.' });
      });

      it('[S-3] [002 NFR3] a handoff record stays the same record when its document is updated', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(agent.id)));
        const newer = { ...made, filePath: 'data/newer.md', injectionPrompt: 'Read the newer one.' };
        await store.write((tx) => tx.saveHandoff({ ...newer, reason: 'shift_end' }));
        expect(store.read((tx) => tx.handoffs({ limit: 10 }))).toEqual([newer]);
      });

      it('[S-14] a handoff record is found by its persona, even if records of other personas are newer', async () => {
        const store = await withProject();
        const [mine, other] = await store.write((tx) =>
          ['con', 'ann'].map((name) =>
            tx.insertPersona(
              { role: 'r', name, status: 'active', createdAt: '2026-11-15T08:00:00.000Z' as Instant },
              (id) => `r-${name}-${id}`,
            ),
          ),
        );
        const made = await store.write((tx) => {
          const first = tx.insertAgent(anAgent({ personaId: mine?.id ?? 0 }));
          const kept = tx.insertHandoff(record(first.id));
          for (let count = 0; count < 5; count++)
            tx.insertHandoff(record(tx.insertAgent(anAgent({ personaId: other?.id ?? 0 })).id));
          return kept;
        });
        expect(store.read((tx) => tx.handoffs({ limit: 3 }, mine?.id))).toEqual([made]);
        expect(store.read((tx) => tx.handoffs({ limit: 3 }))).toHaveLength(3);
      });

      it('[003 Handoff without file path] a handoff record has the file path NULL if no path is given', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(agent.id)));
        expect(store.read((tx) => tx.handoffById(made.id))?.filePath).toBeNull();
      });

      it('[003 Handoff creation timestamp] a handoff record gets its creation time automatically, in UTC', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(agent.id)));
        expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Math.abs(Date.now() - Date.parse(made.createdAt))).toBeLessThan(60_000);
      });

      it('[003 Agent with handoff] [003 Agent without handoff] the handoff record of an agent can be looked up by the id of the agent', async () => {
        const store = await withProject();
        const one = await store.write((tx) => tx.insertAgent(anAgent()));
        const other = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(one.id)));
        expect(store.read((tx) => tx.handoffOfAgent(one.id))).toEqual(made);
        expect(store.read((tx) => tx.handoffOfAgent(other.id))).toBeUndefined();
        const ended = await store.write((tx) => tx.insertAgent(anAgent({ state: 'ended' })));
        await store.write((tx) => tx.insertHandoff(record(ended.id)));
        expect(store.read((tx) => tx.handoffsOfLiveAgents())).toEqual([made]);
      });

      it('[002 NFR3] [S-15] an agent has at most one handoff record', async () => {
        const store = await withProject();
        const agent = await store.write((tx) => tx.insertAgent(anAgent()));
        const made = await store.write((tx) => tx.insertHandoff(record(agent.id)));
        await expect(store.write((tx) => tx.insertHandoff(record(agent.id)))).rejects.toThrow(StoreConflict);
        expect(store.read((tx) => tx.handoffs({ limit: 10 }))).toEqual([made]);
      });
    });
  });
}
