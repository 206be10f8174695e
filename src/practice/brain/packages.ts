import type { PackageScript } from '../behaviour.ts';
import type { Action, Observation, TurnPlan } from './action.ts';
import type { Package, Received, Row } from './package-texts.ts';
import * as write from './package-texts.ts';

export type Announced =
  | { readonly what: 'waits' | 'approved'; readonly id: string }
  /** More than one waits; which, the inbox tells. */
  | { readonly what: 'several' };

const WAITS = /^Baton: package (HO-[\d-]+) \(\w+\) from \S+ waits for you/m;
const SEVERAL = /^Baton: \d+ packages wait for you/m;
const APPROVED = /^Baton: the operator approved your gate (HO-[\d-]+)/m;

export function findAnnouncement(prompt: string): Announced | undefined {
  const waits = WAITS.exec(prompt)?.[1];
  const approved = APPROVED.exec(prompt)?.[1];
  if (waits !== undefined) return { id: waits, what: 'waits' };
  if (SEVERAL.test(prompt)) return { what: 'several' };
  return approved === undefined ? undefined : { id: approved, what: 'approved' };
}

/** All of it through the tools of the server that the configuration names, as any client would. */
export function* handlePackage(announced: Announced, script: PackageScript): TurnPlan {
  yield { kind: 'say', text: yield* handle(announced, script) };
}

function* handle(announced: Announced, script: PackageScript): Part<string> {
  if (announced.what === 'several') return yield* workThroughInbox(script);
  const { what, id } = announced;
  return what === 'approved' ? yield* passGate(id, script) : yield* take(id, script);
}

/** The oldest first. What was taken by an earlier one may stand there no more. */
function* workThroughInbox(script: PackageScript): Part<string> {
  const { packages }: { packages: Row[] } = yield* use('handoff_inbox', {});
  const ends: string[] = [];
  for (const { id, type, state } of packages.toReversed()) {
    if (state === 'pending' || state === 'delivered') ends.push(yield* take(id, script));
    else if (state === 'accepted' && type === 'gate') ends.push(yield* passGate(id, script));
  }
  return ends.join(' ');
}

type Part<T> = Generator<Action, T, Observation>;

class Refused extends Error {}

/**
 * The answer's JSON is its last line. A call whose end is not known is made again, as each of ours may be: packages have a
 * key, the same acknowledgement counts once, and what is over already is as it should be.
 */
function* use<T>(tool: string, input: Readonly<Record<string, unknown>>): Part<T> {
  const call = { kind: 'mcp', server: 'baton', tool, input } as const;
  let seen = yield call;
  let repeated = 0;
  for (; repeated < 3 && !seen.ok && seen.text.includes('it is not known whether'); repeated++) seen = yield call;
  if (!seen.ok && repeated > 0 && tool === 'handoff_complete') return {} as T;
  if (!seen.ok) throw new Refused(seen.text);
  return JSON.parse(seen.text.split('\n').at(-1) ?? '') as T;
}

function* take(id: string, script: PackageScript): Part<string> {
  try {
    const { package: each }: Received = yield* use('handoff_receive', { id });
    yield { kind: 'think' };
    const { epoch }: Package = yield* use('handoff_ack', write.acknowledgement(each));
    return yield* workOn({ ...each, epoch }, script);
  } catch (problem) {
    return failed(problem, id);
  }
}

function* workOn(each: Package, script: PackageScript): Part<string> {
  switch (each.type) {
    case 'delegation':
      return yield* giveBack(each, script);
    case 'return':
      yield* use('handoff_complete', { id: each.id, epoch: each.epoch });
      return yield* goOn(each.id, script);
    default:
      return yield* begin(each, script);
  }
}

/** The specialist: writes its report, gives the results back, and ends what it was given. */
function* giveBack(each: Package, { writes }: PackageScript): Part<string> {
  yield { kind: 'write', path: writes, content: write.report(each) };
  const back: Package = yield* use('handoff_return', { id: each.id, ...write.returnOf(each, writes) });
  yield* use('handoff_complete', { id: each.id, epoch: each.epoch });
  return `I gave ${each.id} back with ${back.id}.`;
}

/** The one who answers for the whole: writes, and has it looked at if somebody is to look at it. */
function* begin(each: Package, script: PackageScript): Part<string> {
  yield { kind: 'write', path: script.writes, content: write.report(each) };
  const { delegateTo, writes } = script;
  if (delegateTo === undefined) return yield* finish(each, script);
  const sent: Package = yield* use('handoff_create', write.delegation(each, writes, delegateTo));
  return `I wrote ${writes} and asked ${delegateTo} with ${sent.id}.`;
}

/** What was delegated is back: on with the package that it was for. */
function* goOn(id: string, script: PackageScript): Part<string> {
  const own = yield* findOwn(id);
  return own === undefined ? `Nothing else waits behind ${id}.` : yield* finish(own, script);
}

function* finish(own: Package, { gate, writes }: PackageScript): Part<string> {
  if (gate === undefined) return yield* complete(own, writes);
  const raised: Package = yield* use('handoff_create', write.gate(own, writes, gate));
  return `I put the gate ${raised.id} before the operator.`;
}

function* passGate(id: string, { writes }: PackageScript): Part<string> {
  try {
    const { packages }: { packages: Row[] } = yield* use('handoff_inbox', {});
    const epoch = packages.find((row) => row.id === id)?.epoch;
    yield* use('handoff_complete', { id, epoch });
    const own = yield* findOwn(id);
    return own === undefined ? `The gate ${id} is passed.` : yield* complete(own, writes);
  } catch (problem) {
    return failed(problem, id);
  }
}

function* complete(own: Package, writes: string): Part<string> {
  const results = write.resultsOf(own, writes);
  yield* use('handoff_complete', { id: own.id, epoch: own.epoch, results });
  return `${own.id} is done.`;
}

/** By the chain, not by memory: what I took and have not ended. */
function* findOwn(id: string): Part<Package | undefined> {
  const { packages }: { packages: Row[] } = yield* use('handoff_lineage', { id });
  const self = packages.find((row) => row.id === id);
  const me = self?.type === 'gate' ? self.from : self?.to;
  const open = packages.find((row) => row.to === me && row.state === 'accepted' && row.type !== 'return');
  if (open === undefined) return undefined;
  const { package: each }: Received = yield* use('handoff_receive', { id: open.id });
  return each;
}

function failed(problem: unknown, id: string): string {
  if (!(problem instanceof Refused)) throw problem;
  return `I could not go on with ${id}: ${problem.message}`;
}
