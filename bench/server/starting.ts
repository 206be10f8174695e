import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import { ROOT } from '../../scripts/setup/paths.mjs';
import type { BenchOptions, PartResult } from '../frame/part.ts';
import { compare } from '../frame/rounds.ts';
import { median, short as rounded } from '../frame/statistics.ts';
import { floorPath } from './floor-program.ts';
import { rssMb } from './process-cost.ts';

const PROGRAM = join(ROOT, 'dist/main/baton.js');
const ASK_EVERY_MS = 2;
const START_DEADLINE_MS = 30_000;
/** How long the bench waits after the start of a server before it reads the memory of the idle server. */
const IDLE_MS = 5_000;

/**
 * Measures the start of a server, the memory of an idle server and the duration of a command (part P9). The command is
 * compared with a Node program that makes one request. The home's tmux server already runs before each start, as after
 * a restart of Baton.
 */
export async function measureStarting({ rounds, short, say }: BenchOptions): Promise<PartResult> {
  const starts = Math.max(rounds, short ? 1 : 7);
  const commands = short ? 3 : 21;
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const baton = new BatonServer();
  try {
    await baton.start();
    await baton.kill('SIGTERM');
    const port = await freePort();
    writeFileSync(join(baton.home, 'config.json'), JSON.stringify({ port }));
    const token = readFileSync(join(baton.home, 'token'), 'utf8').trim();
    const times = { floor: [] as number[], product: [] as number[], ready: [] as number[] };
    for (let round = 0; round < starts; round++) {
      const floorPort = await freePort();
      const bare = spawn(process.execPath, [floorPath('server.mjs'), String(floorPort), join(folder, 'floor.db')]);
      times.floor.push(await firstAnswer(floorPort, '/', ''));
      await end(bare);
      const began = performance.now();
      const ready = baton.start().then(() => performance.now() - began);
      times.product.push(await firstAnswer(port, '/api/health', token));
      times.ready.push(await ready);
      if (round < starts - 1) await baton.kill('SIGTERM');
    }
    const start = compare(times.floor, times.product);
    await pause(short ? 500 : IDLE_MS);
    const rss = rssMb(baton.child?.pid ?? 0);
    say(`  start until the first answer: floor ${start.floor} ms, Baton ${start.product} ms`);
    const walls = { floor: [] as number[], list: [] as number[], version: [] as number[] };
    const env = { ...process.env, BATON_HOME: baton.home };
    for (let round = 0; round < commands; round++) {
      const socket = join(baton.home, 'baton.sock');
      walls.floor.push(wall([floorPath('request.mjs'), socket, token, '/api/agents'], env));
      walls.list.push(wall([PROGRAM, 'agent', 'list'], env));
      walls.version.push(wall([PROGRAM, '--version'], env));
    }
    const cli = compare(walls.floor, walls.list);
    return {
      floor_ms: start.floor,
      product_ms: start.product,
      ratio: start.ratio,
      ready_ms: rounded(median(times.ready)),
      rss_mb: Math.round(rss),
      cli_floor_ms: cli.floor,
      cli_ms: cli.product,
      cli_ratio: cli.ratio,
      cli_version_ratio: compare(walls.floor, walls.version).ratio,
    };
  } finally {
    await baton.cleanUp();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the milliseconds until the server answers a request with status 200. */
async function firstAnswer(port: number, path: string, token: string): Promise<number> {
  const began = performance.now();
  while (!(await isAnswered(port, path, token))) {
    if (performance.now() - began > START_DEADLINE_MS) throw new Error('the server did not answer');
    await pause(ASK_EVERY_MS);
  }
  return performance.now() - began;
}

function isAnswered(port: number, path: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200));
    });
    sent.once('error', () => resolve(false));
    sent.end();
  });
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function wall(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return performance.now() - began;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
