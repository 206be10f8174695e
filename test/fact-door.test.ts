import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readSources, type SourceMap } from './support/layers.ts';
import { memberIn } from './support/pane-writers.ts';

/**
 * Only one module may write states. This module logs the facts in the same transaction, so that the log explains every
 * state. The test reads the source code to find writes in other modules. It misses a member that is accessed by a
 * computed name, so it guards only against mistakes.
 */
const DOOR = 'src/app/engine/record-facts.ts';

const WRITES: readonly string[] = [
  'appendEvent',
  'insertAgent',
  'saveAgent',
  'insertRun',
  'saveRun',
  'markRunDirty',
  'insertHandoff',
  'saveHandoff',
  'savePackage',
  'insertEffect',
];

/** For each write method of the store, the files besides record-facts.ts that may call it, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  appendEvent: {
    'src/app/inbox/append-notice.ts': 'logs lines for people; no state follows from them',
    'src/app/engine/acted-by.ts': 'adds the actor to events that the door logs',
    'src/adapters/stores/sqlite/upkeep/purge-history.ts': 'maintenance: logs that history was purged',
  },
  savePackage: {
    'src/app/packages/background/rebuild-packages.ts': 'maintenance: rebuilds rows from the log, so nothing happened',
  },
};

const sources = readSources(fileURLToPath(new URL('..', import.meta.url)));
const read = new Map<string, readonly string[]>();

function writesIn(file: string, text: string): readonly string[] {
  const key = `${file}\n${text}`;
  const known = read.get(key) ?? membersIn(file, text).filter((member) => WRITES.includes(member));
  read.set(key, known);
  return known;
}

function membersIn(file: string, text: string): readonly string[] {
  const members: string[] = [];
  const visit = (node: ts.Node): void => {
    const member = memberIn(node);
    if (member !== undefined) members.push(member);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return members;
}

const findWays = (all: SourceMap): string[] =>
  Object.entries(all).flatMap(([file, text]) =>
    writesIn(file, text)
      .filter((member) => file !== DOOR && EXCEPTIONS[member]?.[file] === undefined)
      .map((member) => `${file} names .${member}: only ${DOOR} may`),
  );

describe('writes to the log and to the state of agents, runs and packages', () => {
  it('only record-facts.ts and the files with a listed exception write events and states to the store', () => {
    expect(findWays(sources)).toEqual([]);
  });

  it.each(WRITES)('the file record-facts.ts uses the write method %s of the store', (member) => {
    expect(writesIn(DOOR, sources[DOOR] ?? '')).toContain(member);
  });

  it('every listed exception for a write to the store is still needed', () => {
    const stale = Object.entries(EXCEPTIONS).flatMap(([member, files]) =>
      Object.keys(files).filter((file) => !writesIn(file, sources[file] ?? '').includes(member)),
    );
    expect(stale).toEqual([]);
  });
});

/**
 * Shows that the check can fail. The first table lists lines that the check must report when a test adds them to the
 * real source.
 */
describe('the check for writes outside of record-facts.ts', () => {
  const plant = (file: string, line: string) => findWays({ ...sources, [file]: `${sources[file] ?? ''}\n${line}` });

  it.each([
    ['src/app/engine/reconcile.ts', 'tx.saveAgent({ ...agent, state });'],
    ['src/app/handoffs/acknowledge-handoff.ts', 'tx.saveRun(acknowledged);'],
    ['src/app/packages/record-package-fact.ts', 'const { savePackage } = tx;'],
    ['src/app/agents/start-agent.ts', "tx['insertEffect'](effect, now);"],
    ['src/app/inbox/append-notice.ts', 'tx.saveAgent(agent);'],
    ['src/surfaces/http/agents/views.ts', 'ports.store.write((tx) => tx.appendEvent(event));'],
    ['src/main/server.ts', 'store.write((tx) => tx.insertRun(run));'],
  ])('the check for writes outside of record-facts.ts fails if %s contains %s', (file, line) => {
    expect(sources[file]).toBeDefined();
    expect(plant(file, line)).toHaveLength(1);
  });

  it.each([
    ['src/app/engine/reconcile.ts', '// tx.saveAgent is for the door.'],
    ['src/app/engine/reconcile.ts', 'const agent = tx.agentById(1);'],
  ])('the check for writes outside of record-facts.ts passes if %s contains %s', (file, line) => {
    expect(plant(file, line)).toEqual([]);
  });
});
