import type { PackageScript } from '../../behaviour.ts';
import type { Action, Observation, TurnPlan } from '../action.ts';
import type { Package, Received, Row } from './package-texts.ts';
import * as write from './package-texts.ts';

export type Announced =
  | { readonly what: 'waits' | 'approved' | 'rejected'; readonly id: string }
  /** Baton announced several packages at once, without their ids. The agent finds these packages in its inbox. */
  | { readonly what: 'several' };

const WAITS = /^Baton: package (HO-[\d-]+) \(\w+\) from \S+ waits for you/m;
const SEVERAL = /^Baton: \d+ packages (?:wait for you|are over)/m;
const DECIDED = /^Baton: the operator (approved|rejected) your gate (HO-[\d-]+)/m;

export function findAnnouncement(prompt: string): Announced | undefined {
  const waits = WAITS.exec(prompt)?.[1];
  if (waits !== undefined) return { id: waits, what: 'waits' };
  if (SEVERAL.test(prompt)) return { what: 'several' };
  const [, what, id] = DECIDED.exec(prompt) ?? [];
  return id === undefined ? undefined : { id, what: what as 'approved' | 'rejected' };
}

/**
 * Returns whether this prompt is Baton's announcement of a package. An announcement ends with a reference in brackets.
 */
export const isPackageNotice = (prompt: string): boolean => /^Baton: .*\[baton:package-/s.test(prompt);

/**
 * Answers the announcement of a package with a sentence and does nothing else, because an agent without a script leaves
 * packages and the project alone.
 */
export function* leavePackage(): TurnPlan {
  yield { kind: 'say', text: 'I leave the packages alone, because .practice.json does not say what to do with them.' };
}

/** Handles packages only with the tools of the configured MCP server, as any client would. */
export function* handlePackage(announced: Announced, script: PackageScript): TurnPlan {
  yield { kind: 'say', text: yield* handle(announced, script) };
}

function* handle(announced: Announced, script: PackageScript): Part<string> {
  if (announced.what === 'several') return yield* workThroughInbox(script);
  const { what, id } = announced;
  return yield* unlessRefused(id, what === 'waits' ? take(id, script) : goOnAfter(id, what, script));
}

/** Handles all waiting packages, the oldest first. */
function* workThroughInbox(script: PackageScript): Part<string> {
  const { packages }: { packages: Row[] } = yield* use('handoff_inbox', {});
  const ends: string[] = [];
  for (const { id, state } of packages.toReversed())
    if (state === 'pending') ends.push(yield* unlessRefused(id, take(id, script)));
  return ends.join(' ');
}

function* unlessRefused(id: string, part: Part<string>): Part<string> {
  try {
    return yield* part;
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return `I could not go on with ${id}: ${problem.message}`;
  }
}

type Part<T> = Generator<Action, T, Observation>;

class Refused extends Error {}

/**
 * Calls a tool and parses the line of JSON at the end of the answer. Repeats a call whose outcome is unknown. This is
 * safe for all tools used here: for example, packages have a key, and a repeated acknowledgment counts once.
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
  const { package: each }: Received = yield* use('handoff_receive', { id });
  // A return package is completed as soon as it is received, so this agent does not acknowledge it.
  if (each.type === 'return') return yield* goOn(id, script);
  yield { kind: 'think' };
  yield* use('handoff_ack', write.acknowledgement(each));
  return each.type === 'delegation' ? yield* giveBack(each, script) : yield* begin(each, script);
}

/** Plays a specialist: writes a report and returns it as the result, which ends the delegation. */
function* giveBack(each: Package, { writes }: PackageScript): Part<string> {
  yield { kind: 'write', path: writes, content: write.report(each) };
  const back: Package = yield* use('handoff_return', { id: each.id, ...write.returnOf(each, writes) });
  return `I gave ${each.id} back with ${back.id}.`;
}

/**
 * Plays the owner of the work. The owner writes the result, and asks a reviewer to check it if the script names one.
 */
function* begin(each: Package, script: PackageScript): Part<string> {
  yield { kind: 'write', path: script.writes, content: write.report(each) };
  const { delegateTo, writes } = script;
  if (delegateTo === undefined) return yield* finish(each, script);
  const sent: Package = yield* use('handoff_create', write.delegation(each, writes, delegateTo));
  return `I wrote ${writes} and sent ${sent.id}, which asks ${delegateTo} for a review.`;
}

/** Continues the package for which the agent had made a delegation. Called when that delegation has returned. */
function* goOn(id: string, script: PackageScript): Part<string> {
  const own = yield* findOwn();
  return own === undefined ? `No package of mine waits for ${id}.` : yield* finish(own, script);
}

function* finish(own: Package, { gate, writes, passOn }: PackageScript, round = ''): Part<string> {
  if (passOn !== undefined) yield* use('handoff_create', write.next(own, writes, passOn));
  if (gate === undefined) return yield* complete(own, writes);
  const raised: Package = yield* use('handoff_create', write.gate(own, writes, gate, round));
  return `I asked the operator to decide the gate ${raised.id}.`;
}

/** After an approval, completes the work. After a rejection, writes the result again and asks the operator again. */
function* goOnAfter(id: string, what: 'approved' | 'rejected', script: PackageScript): Part<string> {
  const own = yield* findOwn();
  if (own === undefined) return `No package of mine waits for ${id}.`;
  if (what === 'approved') return yield* complete(own, script.writes);
  const { package: gate }: Received = yield* use('handoff_receive', { id });
  const reason = gate.decision?.reason ?? '';
  yield { kind: 'write', path: script.writes, content: `${write.report(own)}\nAfter ${id}: ${reason}\n` };
  return yield* finish(own, script, `-after-${id}`);
}

function* complete(own: Package, writes: string): Part<string> {
  yield* use('handoff_complete', { id: own.id, results: write.resultsOf(own, writes) });
  return `${own.id} is done.`;
}

/**
 * Finds the package that this agent has accepted and still has to complete. Looks in the agent's inbox at Baton, not in
 * the agent's memory.
 */
function* findOwn(): Part<Package | undefined> {
  const { packages }: { packages: Row[] } = yield* use('handoff_inbox', {});
  const open = packages.find(({ state, type }) => state === 'accepted' && type !== 'return');
  if (open === undefined) return undefined;
  const { package: each }: Received = yield* use('handoff_receive', { id: open.id });
  return each;
}
