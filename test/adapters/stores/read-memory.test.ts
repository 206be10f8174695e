import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import type { Store, Tx } from '../../../src/app/ports/store.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { anAgent, aRun } from './store-contract.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;
const named = (tx: Tx, agent: Agent, lastPrompt: string): void => tx.saveAgent({ ...agent, lastPrompt });

let path = '';
let store: Store;

describe('agents and runs that the store has cached', () => {
  let agent: Agent;
  beforeEach(async () => {
    path = join(mkdtempSync(join(tmpdir(), 'baton-memory-')), 'baton.db');
    store = openSqliteStore(path, () => 'h');
    agent = await store.write((tx) => {
      tx.insertProject({ name: 'p', path: '/p', createdAt: AT });
      return tx.insertAgent(anAgent());
    });
  });
  afterEach(() => store.close());

  it('if a transaction saves an agent and then reads the agent, the transaction gets the saved values', async () => {
    const inside = await store.write((tx) => {
      tx.agentById(agent.id);
      named(tx, agent, 'second');
      return tx.agentById(agent.id);
    });
    expect(inside?.lastPrompt).toBe('second');
    expect(store.read((tx) => tx.agentById(agent.id))).toEqual(inside);
  });

  it('if a transaction changes an agent and then fails, the next transaction reads the agent without that change', async () => {
    const failing = store.write((tx) => {
      named(tx, agent, 'undone');
      throw new Error('failed');
    });
    const next = store.write((tx) => tx.agentById(agent.id)?.lastPrompt);
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe(agent.lastPrompt);
  });

  it('a transaction finds a run that the same transaction has stored', async () => {
    const runs = await store.write((tx) => {
      expect(tx.runsInFlightOf(agent.id)).toEqual([]);
      const { id } = tx.insertRun(aRun(agent.id));
      return { id, found: tx.runsInFlightOf(agent.id).map((run) => run.id) };
    });
    expect(runs.found).toEqual([runs.id]);
  });

  it('a duplicate event that the store leaves out causes no gap in the event numbers', async () => {
    const event = { at: AT, agentId: null, runId: null, type: 'x', data: {}, dedupeKey: 'once' };
    const numbers = await store.write((tx) =>
      [event, event, { ...event, dedupeKey: 'twice' }].map((each) => tx.appendEvent(each)?.seq),
    );
    const first = numbers[0] ?? 0;
    expect(numbers).toEqual([first, undefined, first + 1]);
  });

  it('the store discards its cached live agents after another connection wrote to the database', async () => {
    const live = () => store.read((tx) => tx.liveAgents().map(({ lastPrompt }) => lastPrompt));
    expect(live()).toEqual([agent.lastPrompt]);
    await store.write((tx) => named(tx, agent, 'second'));
    expect(live()).toEqual(['second']);
    const failing = store.write((tx) => {
      named(tx, agent, 'undone');
      expect(tx.liveAgents().map(({ lastPrompt }) => lastPrompt)).toEqual(['undone']);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(live()).toEqual(['second']);
    const other = new Database(path);
    other.exec("UPDATE agents SET state = 'ended'");
    other.close();
    expect(live()).toEqual([]);
  });

  it('a transaction reads the values of an agent that another connection has just saved', async () => {
    await store.write((tx) => named(tx, agent, 'second'));
    const other = new Database(path);
    other.exec("UPDATE agents SET detail = json_set(detail, '$.lastPrompt', 'elsewhere')");
    expect(store.read((tx) => tx.agentById(agent.id)?.lastPrompt)).toBe('elsewhere');
    other.exec("UPDATE agents SET detail = json_set(detail, '$.lastPrompt', 'again')");
    other.close();
    expect(await store.write((tx) => tx.agentById(agent.id)?.lastPrompt)).toBe('again');
  });

  it('the store lists an unfinished run both for the agent of the run and for the successor', async () => {
    const inFlight = (id: number) => store.write((tx) => tx.runsInFlightOf(id).map((run) => run.id));
    const [run, successor] = await store.write((tx) => [
      tx.insertRun(aRun(agent.id)),
      tx.insertAgent({ ...anAgent(), sessionUuid: 'successor', tokenHash: 'other', previousAgentId: agent.id }),
    ]);
    expect([await inFlight(agent.id), await inFlight(successor.id)]).toEqual([[run.id], []]);
    await store.write((tx) => tx.saveRun({ ...run, successorAgentId: successor.id }));
    expect([await inFlight(agent.id), await inFlight(successor.id)]).toEqual([[run.id], [run.id]]);
    await store.write((tx) => tx.saveRun({ ...run, successorAgentId: successor.id, step: 'completed' }));
    expect([await inFlight(agent.id), await inFlight(successor.id)]).toEqual([[], []]);
    expect(await store.write((tx) => tx.runsOfAgent(agent.id).map(({ step }) => step))).toEqual(['completed']);
  });

  it('the store finds a new successor of an agent even if an earlier search found none', async () => {
    expect(await store.write((tx) => tx.successorsOf(agent.id))).toEqual([]);
    const successor = await store.write((tx) =>
      tx.insertAgent({ ...anAgent(), sessionUuid: 'successor', tokenHash: 'other', previousAgentId: agent.id }),
    );
    await store.write((tx) => named(tx, successor, 'saved'));
    const found = await store.write((tx) => tx.successorsOf(agent.id));
    expect(found.map(({ id, lastPrompt }) => ({ id, lastPrompt }))).toEqual([
      { id: successor.id, lastPrompt: 'saved' },
    ]);
  });

  it('after the store is reopened, an agent and a run have their last saved values', async () => {
    const run = await store.write((tx) => tx.insertRun(aRun(agent.id)));
    await store.write((tx) => {
      tx.saveAgent({ ...agent, state: 'working', lastPrompt: 'one' });
      tx.saveRun({ ...run, step: 'instructing' });
    });
    await store.write((tx) => {
      tx.saveAgent({ ...agent, state: 'ended', endedAt: AT, lastPrompt: 'one' });
      tx.saveRun({ ...run, step: 'instructing', endToken: 'another' });
    });
    const read = () => store.read((tx) => [tx.agentById(agent.id), tx.runById(run.id)]);
    const before = read();
    store.close();
    store = openSqliteStore(path, () => 'h');
    expect(read()).toEqual(before);
    expect(before).toMatchObject([
      { state: 'ended', endedAt: AT },
      { step: 'instructing', endToken: 'another' },
    ]);
  });
});
