import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../judge.ts';
import type { Lane } from '../lane.ts';
import { Cast, Lost, Overdue, Refused } from './cast.ts';
import { judgeScene } from './judge.ts';
import { REBUILT } from './points.ts';
import { ACTS } from './scene.ts';

export interface Played {
  readonly verdict: Verdict;
  readonly packages: number;
  readonly kills: number;
  readonly notReached: readonly string[];
}

/** How long to wait, after an action of the script, until the server has died at all crash points of this action. */
const REACHED_MS = 15_000;

/**
 * Plays the whole script in one home. Kills the server during every action for which `points` contains a crash point.
 */
export async function playScene(lane: Lane, points: readonly string[]): Promise<Played> {
  const before = lane.kills;
  const notReached: string[] = [];
  const cast = new Cast(lane);
  const killedIn = async (act: string, play: () => Promise<void>): Promise<void> => {
    lane.arm(points.filter((each) => each.startsWith(`${act}/`)).map((each) => each.slice(act.length + 1)));
    try {
      await play();
      for (const end = performance.now() + REACHED_MS; lane.isArmed() && performance.now() < end; ) await pause(20);
      await within(act, cast.isArchived());
    } finally {
      notReached.push(...lane.disarm().map((point) => `${act}/${point}`));
    }
  };
  try {
    const after = await lane.now();
    await cast.begin();
    const verdict = await acted(async () => {
      for (const { name, play } of ACTS) await killedIn(name, () => within(name, play(cast)));
      await killedIn(REBUILT, async () => void (await lane.post('/api/packages/rebuild')));
    });
    // If the script stopped early, report the reason instead of the judge's verdict, unless the verdict is `doubled`,
    // which an early stop cannot cause.
    const judged = await judgeScene(cast, after);
    const packages = (await cast.packages()).length;
    const kills = lane.kills - before;
    return { verdict: judged.outcome === 'doubled' ? judged : (verdict ?? judged), packages, kills, notReached };
  } finally {
    for (const { id } of cast.everybody) await lane.try('POST', `/api/agents/${id}/stop`, { force: true });
    rmSync(cast.projectPath, { recursive: true, force: true });
  }
}

const within = (act: string, play: Promise<void>): Promise<void> =>
  play.catch((error: Error) => {
    error.message = `${act}: ${error.message}`;
    throw error;
  });

async function acted(play: () => Promise<void>): Promise<Verdict | undefined> {
  try {
    await play();
    return undefined;
  } catch (error) {
    if (error instanceof Lost) return { outcome: 'lost', why: error.message };
    if (error instanceof Overdue) return { outcome: 'silent', why: error.message };
    if (error instanceof Refused) return { outcome: 'halted_wrongly', why: error.message };
    throw error;
  }
}
