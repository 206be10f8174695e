import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Run } from '../../src/contract/resources.ts';
import type { Restore } from '../../src/contract/restore.ts';
import { Book } from './book.ts';
import { Desk } from './desk.ts';
import type { Finding } from './finding.ts';
import { judgeFiles, validateWritten } from './judge-files.ts';
import { judgeHandoff } from './judge-handoff.ts';
import { judgeAttention, judgeMessages, judgePrompts } from './judge-messages.ts';
import { judgeReturn } from './judge-return.ts';
import { readLogs } from './logs.ts';
import { endById, measureProcess, type Use, waitUntilGone } from './processes.ts';
import { work } from './work.ts';

const NAMES = ['ada', 'ben', 'con', 'dora', 'emil', 'fay', 'gil', 'hana'];
const ADOPTED = ['ina', 'jon'];
const HANDOFFS = 3;
/**
 * The share of the total time for each phase of the soak. The soak simulates two days. Memory and open file descriptors
 * at the end of a day are compared with the values after that day's warm-up.
 */
const SHARES = { warmUp: 0.15, day: 0.35, lastWords: 0.05, secondWarmUp: 0.1, secondDay: 0.35, silence: 0.02 };
/**
 * The pause without messages before each measurement. During this pause, the server closes its idle keep-alive
 * connections.
 */
const SILENCE_MS = 8_000;
/** How long a process may need to notice that its terminal has ended. */
const ENDING_MS = 15_000;

export interface Soak {
  readonly result: SoakResult;
  readonly findings: readonly Finding[];
  readonly breakdown: string | undefined;
}

export interface SoakResult {
  readonly minutes: number;
  readonly handoffs: number;
  readonly lost: number;
  readonly doubled: number;
  readonly rss_growth_mb: number;
  readonly fds_growth: number;
  readonly left_processes: number;
  readonly astray: number;
  readonly undone: number;
  readonly adoptions: number;
  readonly restored: number;
  readonly messages: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unconfirmed: number;
  readonly unanswered: number;
}

/**
 * The results so far. They are stored outside the script of the soak, so that they are not lost if the script breaks
 * down.
 */
class Notes {
  readonly runs: Run[] = [];
  readonly growths: Use[] = [];
  readonly findings: Finding[] = [];
  before: readonly Agent[] = [];
  told: Restore['agents'] = [];
}

export async function soak(minutes: number, tell: (line: string) => void): Promise<Soak> {
  const [desk, book, notes] = [new Desk(), new Book(), new Notes()];
  const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const played = await play({ desk, book, notes, ms: minutes * 60_000, tell }).catch(errorMessage);
  // Judge even after the script broke down, because the findings may explain the breakdown.
  const judged = await judge(desk, book, notes).catch(errorMessage);
  const breakdown = played ?? judged;
  await desk.close();
  const left = await waitUntilGone(desk.baton.home, ENDING_MS);
  for (const pid of left) endById(pid);
  for (const folder of [desk.project, ...[...desk.adopted.values()].map((session) => session.folder)])
    rmSync(folder, { recursive: true, force: true });
  return { result: resultOf({ minutes, desk, book, notes, left: left.length }), findings: notes.findings, breakdown };
}

interface Script {
  readonly desk: Desk;
  readonly book: Book;
  readonly notes: Notes;
  readonly ms: number;
  readonly tell: (line: string) => void;
}

async function play(script: Script): Promise<undefined> {
  const { desk, book, notes, ms, tell } = script;
  const [first = '', second = ''] = ADOPTED;
  await desk.open();
  await Promise.all(NAMES.map((name) => desk.hire(name)));
  await desk.adopt(first);
  tell(`${desk.places.length} agents are there`);
  await life(script, {
    warmUpMs: SHARES.warmUp * ms,
    warmUp: () => desk.adopt(second),
    dayMs: SHARES.day * ms,
    day: async () => {
      await handOver(script, 'ada');
      await pause(SHARES.day * 0.5 * ms);
      await handOver(script, first);
    },
  });
  notes.before = await desk.live();
  // Let the outage of the machine happen while messages are being sent to all agents.
  const outage = async (): Promise<void> => {
    await pause(SHARES.lastWords * ms);
    await desk.outage();
  };
  await work({ desk, book, ms: 0, meanwhile: outage });
  tell('the machine was started anew');
  book.life = 2;
  await desk.boot();
  notes.told = await desk.restore();
  tell(`${notes.told.filter(({ status }) => status === 'back').length} of ${notes.before.length} are back`);
  await life(script, {
    warmUpMs: SHARES.secondWarmUp * ms,
    warmUp: async () => undefined,
    dayMs: SHARES.secondDay * ms,
    day: () => handOver(script, 'ben'),
  });
}

interface Life {
  readonly warmUpMs: number;
  readonly warmUp: () => Promise<void>;
  readonly dayMs: number;
  readonly day: () => Promise<void>;
}

/**
 * Plays one day, and measures memory and descriptors after the warm-up and at the end. Waits for idle agents before
 * each measurement, because momentary load would distort the result.
 */
async function life({ desk, book, notes, ms }: Script, { warmUpMs, warmUp, dayMs, day }: Life): Promise<void> {
  const measure = async (): Promise<Use> => {
    await desk.rest();
    await pause(Math.min(SHARES.silence * ms, SILENCE_MS));
    return measureProcess(desk.baton.pid);
  };
  await work({ desk, book, ms: warmUpMs, meanwhile: warmUp });
  const before = await measure();
  await work({ desk, book, ms: dayMs, meanwhile: day });
  const after = await measure();
  notes.growths.push({ rssMb: after.rssMb - before.rssMb, fds: after.fds - before.fds });
}

async function handOver({ desk, notes, tell }: Script, name: string): Promise<void> {
  const place = desk.places.find((each) => each.name === name);
  if (place === undefined) throw new Error(`no agent has the name ${name}`);
  const run = await desk.handOver(place);
  notes.runs.push(run);
  tell(`run ${run.id}: agent ${run.agent_id} to ${run.successor_agent_id}, ${run.step}`);
}

async function judge(desk: Desk, { sent }: Book, notes: Notes): Promise<undefined> {
  const remains = { home: desk.baton.home, agents: await desk.agents(), logs: readLogs(desk) };
  notes.findings.push(
    ...judgeMessages(sent, remains.logs),
    ...judgePrompts(remains.logs),
    ...judgeAttention(sent, desk.places),
    ...notes.runs.flatMap((run) => judgeHandoff(run, remains)),
    ...judgeReturn({ before: notes.before, told: notes.told, sent }, remains),
    ...judgeFiles(sent, desk.places, desk.project),
    ...validateWritten(sent, desk.places, remains.logs),
  );
}

interface Account extends Pick<Script, 'desk' | 'book' | 'notes'> {
  readonly minutes: number;
  readonly left: number;
}

function resultOf({ minutes, desk, book, notes, left }: Account): SoakResult {
  const of = (offence: Finding['offence']): number => notes.findings.filter((each) => each.offence === offence).length;
  return {
    minutes,
    handoffs: notes.runs.filter(({ step }) => step === 'completed').length,
    lost: of('lost'),
    doubled: of('doubled'),
    rss_growth_mb: Number(Math.max(...notes.growths.map(({ rssMb }) => rssMb)).toFixed(1)),
    fds_growth: Math.max(...notes.growths.map(({ fds }) => fds)),
    left_processes: left,
    astray: of('astray'),
    undone: of('undone'),
    adoptions: desk.adopted.size,
    restored: notes.told.filter(({ status }) => status === 'back').length,
    messages: book.sent.length,
    accepted: book.count('accepted'),
    refused: book.count('refused'),
    unconfirmed: book.count('unconfirmed'),
    unanswered: book.count('unanswered'),
  };
}

export const holds = ({ result, findings, breakdown }: Soak): boolean =>
  breakdown === undefined &&
  findings.length === 0 &&
  result.handoffs === HANDOFFS &&
  result.adoptions === ADOPTED.length &&
  result.restored === NAMES.length + ADOPTED.length &&
  result.left_processes === 0;
