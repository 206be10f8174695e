import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getHealth } from '../client/look-up.ts';
import { operatorClient, WATCH_PATIENCE_MS } from '../client/operator-client.ts';
import { duration } from '../output/duration.ts';
import { ink, TICK, WARN } from '../output/ink.ts';
import { Output } from '../output/output.ts';
import { type DemoReport, demoReport } from './demo-report.ts';
import { DemoServer } from './demo-server.ts';
import { type Played, play } from './play.ts';
import { showEnd, showKept } from './show-end.ts';
import { cleanUp } from './stage/clean-up.ts';
import { makePlaces } from './stage/demo-places.ts';
import type { Stage } from './stage/stage.ts';
import { onStopSignals } from './stage/stop-signals.ts';

export interface DemoOptions {
  readonly keep: boolean;
  readonly kill: boolean;
  readonly here: boolean;
}

const START_MS = 20_000;
const MAX_MS_LENGTH = 180_000;
/** The demo kills the server in the first step. The second is too short for that, so the server kills itself. */
const KILL_IN = ['awaiting_document', 'creating_successor'];
const RESTARTS = [{ BATON_CRASH_AT: 'launch_agent:performed#1' }, {}];

export async function runDemo(cli: Cli, options: DemoOptions): Promise<number> {
  const { deps, json } = cli;
  if (options.here && options.kill) {
    throw new CliFault('--kill kills the server, so it cannot be combined with --here.', {
      code: 'usage',
      exitCode: EXIT.usage,
    });
  }
  if (options.here) await getHealth(operatorClient(deps));
  const startedAt = performance.now();
  const set = buildSet(cli, options, json ? new Output({ ...deps, stdout: deps.stderr }) : cli.out);
  const { out, places, server } = set;
  const { played, fault } = await playSafely(cli, set);
  const api = operatorClient(deps, { homePath: places.home });
  const left = await cleanUp({ places, server, api, keep: options.keep });
  const kills = options.kill ? server?.kills : undefined;
  const report = demoReport({ played, fault, left, kills, wallMs: performance.now() - startedAt });
  showEnd(out, report, fault);
  if (options.keep) showKept(out, places, deps.self, played?.run.id ?? 1);
  if (json) cli.out.jsonLine(report);
  set.forgetStops();
  return exitCodeFor(report, fault);
}

interface DemoSet extends Omit<Stage, 'api'> {
  readonly server: DemoServer | undefined;
  readonly killIn: readonly string[];
  readonly forgetStops: () => void;
}

function buildSet({ deps }: Cli, { here, kill }: DemoOptions, out: Output): DemoSet {
  const ending = new AbortController();
  const stop = (fault: CliFault) => ending.abort(fault);
  const { forget } = onStopSignals(stop);
  const tooLong = new CliFault(`The demo did not finish within ${duration(MAX_MS_LENGTH)}.`);
  const timer = setTimeout(() => stop(tooLong), MAX_MS_LENGTH);
  const places = makePlaces(here ? deps.homePath : undefined);
  const onKilled = () => out.print('  ', WARN, ' the server was killed with -9 and started again');
  const plan = { self: deps.self, env: deps.env, home: places.home, onKilled, onBroken: stop };
  return {
    out,
    places,
    beginRepository: deps.beginRepository,
    signal: ending.signal,
    server: here ? undefined : new DemoServer({ ...plan, restarts: kill ? RESTARTS : [] }),
    killIn: kill ? KILL_IN : [],
    forgetStops: () => {
      clearTimeout(timer);
      forget();
    },
  };
}

interface Outcome {
  readonly played: Played | undefined;
  readonly fault: CliFault | undefined;
}

/** Returns a failure instead of throwing it, so that the cleanup always runs before the failure is reported. */
async function playSafely(cli: Cli, set: DemoSet): Promise<Outcome> {
  try {
    return { played: await raiseAndPlay(cli, set), fault: undefined };
  } catch (error) {
    const fault = error instanceof CliFault ? error : new CliFault(`The demo failed: ${(error as Error).stack}`);
    return { played: undefined, fault };
  }
}

async function raiseAndPlay({ deps }: Cli, set: DemoSet): Promise<Played> {
  const { out, places, signal, server, killIn } = set;
  const homePath = places.home;
  out.print(ink('bold', 'Baton demo'), ink('dim', '  one agent hands its work to the next (no API key needed)'));
  out.print('');
  const startedAt = performance.now();
  server?.start();
  await getHealth(operatorClient(deps, { homePath, signal, patienceMs: START_MS }));
  out.print(TICK, ` Baton is running on ${homePath}`, ink('dim', `  ${duration(performance.now() - startedAt)}`));
  const api = operatorClient(deps, { homePath, signal, patienceMs: WATCH_PATIENCE_MS });
  const onStep = (step: string): void => {
    if (step === killIn[0] && server?.kills === 0) server.kill();
  };
  return play({ ...set, api }, { killIn, onStep });
}

function exitCodeFor({ completed, problems }: DemoReport, fault: CliFault | undefined): number {
  if (fault !== undefined) return fault.exitCode === EXIT.interrupted ? EXIT.interrupted : EXIT.failed;
  return completed && problems === undefined ? EXIT.done : EXIT.failed;
}
