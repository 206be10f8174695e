import { DemoStarted } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import type { CliDeps } from '../cli-deps.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getAgent, getHealth, lastSeq } from '../client/look-up.ts';
import { operatorClient, WATCH_PATIENCE_MS } from '../client/operator-client.ts';
import { duration } from '../output/duration.ts';
import { ink, TICK, WARN } from '../output/ink.ts';
import { Output } from '../output/output.ts';
import { type DemoReport, demoReport } from './demo-report.ts';
import { DemoServer } from './demo-server.ts';
import { showEnd, showKept } from './show-end.ts';
import { cleanUp } from './stage/clean-up.ts';
import { type DemoPlaces, makePlaces } from './stage/demo-places.ts';
import type { Stage } from './stage/stage.ts';
import { onStopSignals } from './stage/stop-signals.ts';
import { type Begun, type Watched, watchDemo } from './watch-demo.ts';

export interface DemoOptions {
  readonly keep: boolean;
  readonly kill: boolean;
  readonly here: boolean;
}

const START_MS = 20_000;
const MAX_MS_LENGTH = 180_000;
/**
 * The server is killed in these two steps of the handoff. In the first step, the demo kills the server. The second step
 * is too short for the demo to react in time, so a variable in RESTARTS makes the server kill itself in the second
 * step.
 */
const KILL_IN = ['awaiting_document', 'creating_successor'];
const RESTARTS = [{ BATON_CRASH_AT: 'launch_agent:performed#1' }, {}];

export async function runDemo(cli: Cli, options: DemoOptions): Promise<number> {
  const { deps, json } = cli;
  if (options.here && options.kill) {
    throw new CliFault('--kill kills the server, so it cannot be combined with --here, which uses your own server.', {
      code: 'usage',
      exitCode: EXIT.usage,
    });
  }
  if (options.here) await getHealth(operatorClient(deps));
  const startedAt = performance.now();
  const set = buildSet(cli, options, json ? new Output({ ...deps, stdout: deps.stderr }) : cli.out);
  const { out, places, server } = set;
  const { watched, fault } = await watchSafely(cli, set);
  const api = operatorClient(deps, { homePath: places.home });
  const left = await cleanUp({ places, server, api, keep: options.keep });
  const kills = options.kill ? server?.kills : undefined;
  const report = demoReport({ watched, fault, left, kills, wallMs: performance.now() - startedAt });
  showEnd(out, report, fault);
  if (options.keep) showKept(out, places, deps.self, watched?.run.id ?? 1);
  if (json) cli.out.jsonLine(report);
  set.forgetStops();
  return exitCodeFor(report, fault);
}

interface DemoSet extends Pick<Stage, 'out' | 'signal'> {
  readonly places: DemoPlaces;
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
  const places = here ? { home: deps.homePath } : makePlaces();
  const onKilled = () => out.print('  ', WARN, ' the server was killed with -9 and started again');
  const plan = { self: deps.self, env: deps.env, home: places.home, onKilled, onBroken: stop };
  return {
    out,
    places,
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
  readonly watched: Watched | undefined;
  readonly fault: CliFault | undefined;
}

/**
 * Watches the demo. A failure is returned and not thrown, so that the cleanup always runs before the failure is
 * reported.
 */
async function watchSafely(cli: Cli, set: DemoSet): Promise<Outcome> {
  try {
    return { watched: await raiseAndWatch(cli, set), fault: undefined };
  } catch (error) {
    const fault = error instanceof CliFault ? error : new CliFault(`The demo failed: ${(error as Error).stack}`);
    return { watched: undefined, fault };
  }
}

async function raiseAndWatch({ deps }: Cli, set: DemoSet): Promise<Watched> {
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
  const begun = await beginDemo(deps, places);
  return watchDemo({ out, signal, api, home: homePath, project: begun.project }, begun, { killIn, onStep });
}

/**
 * Asks the server to play the demo. Ctrl-C does not abort these requests, because the cleanup needs their answers,
 * which name the demo's project.
 */
async function beginDemo(deps: CliDeps, places: DemoPlaces): Promise<Begun> {
  const api = operatorClient(deps, { homePath: places.home, signal: AbortSignal.timeout(START_MS) });
  const after = await lastSeq(api);
  const { agent_id } = (await api.post(PATHS.demo, {}, DemoStarted)).data;
  const { project } = (await getAgent(api, agent_id)).data;
  places.project = project.path;
  return { agentId: agent_id, project: project.path, after };
}

function exitCodeFor({ completed, problems }: DemoReport, fault: CliFault | undefined): number {
  if (fault !== undefined) return fault.exitCode === EXIT.interrupted ? EXIT.interrupted : EXIT.failed;
  return completed && problems === undefined ? EXIT.done : EXIT.failed;
}
