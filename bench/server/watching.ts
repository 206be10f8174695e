import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import { ROOT } from '../../scripts/setup/paths.mjs';
import type { BenchOptions, PartResult } from '../frame/part.ts';
import { compare } from '../frame/rounds.ts';
import { startFloor } from './floor-program.ts';
import { childrenOf, cpuMs, rssMb } from './process-cost.ts';

const CLIENT = join(ROOT, 'bench/server/idle-client.sh');
/**
 * How long to wait before the measurement. By then all agents have started, and Node has compiled the code that Baton
 * and the floor prototype (a minimal program for comparison) run again and again.
 */
const SETTLE_MS = 30_000;
const READY_MS = 120_000;

/**
 * The CPU time of watching 100 idle agents (part P8). This time includes the server, its children and its tmux server,
 * but not the agents. Baton is compared with a minimal program that lists 100 panes in its own tmux server. Both
 * programs are measured at the same time, under the same load.
 */
export async function measureWatching({ rounds, short, say, profile }: BenchOptions): Promise<PartResult> {
  const panes = short ? 10 : 100;
  const windowMs = short ? 3_000 : 20_000;
  const folder = mkdtempSync(join(tmpdir(), 'bench-watch-'));
  const floorSocket = join(folder, 'tmux.sock');
  const baton = new BatonServer();
  let floor: Awaited<ReturnType<typeof startFloor>> | undefined;
  try {
    await startIdleAgents(baton, panes, profile);
    openPanes(floorSocket, panes);
    floor = await startFloor('watch.mjs', [floorSocket]);
    say(`  ${panes} agents are idle`);
    await pause(short ? 1_000 : SETTLE_MS);
    const product = baton.child?.pid ?? 0;
    const processes = {
      floor: [floor.pid, ...childrenOf(floor.pid), tmuxPid(floorSocket)],
      product: [product, ...childrenOf(product), tmuxPid(join(baton.home, 'tmux.sock'))],
    };
    const used = { floor: [] as number[], product: [] as number[], server: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const before = [processes.floor, processes.product, [product]].map(cpuMs);
      await pause(windowMs);
      const spent = [processes.floor, processes.product, [product]].map(
        (pids, at) => ((cpuMs(pids) - (before[at] ?? 0)) * 60_000) / windowMs,
      );
      used.floor.push(spent[0] ?? Number.NaN);
      used.product.push(spent[1] ?? Number.NaN);
      used.server.push(spent[2] ?? Number.NaN);
    }
    const compared = compare(used.floor, used.product);
    return {
      agents: panes,
      floor_ms: compared.floor,
      product_ms: compared.product,
      ratio: compared.ratio,
      server_ms: compare(used.floor, used.server).product,
      rss_mb: Math.round(rssMb(product)),
    };
  } finally {
    await floor?.stop();
    spawnSync('tmux', ['-S', floorSocket, 'kill-server']);
    await baton.cleanUp();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startIdleAgents(baton: BatonServer, count: number, profile: string | undefined): Promise<void> {
  const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const config = join(baton.folder, 'claude');
  mkdirSync(join(config, 'sessions'), { recursive: true });
  await baton.start({ BATON_CLAUDE: CLIENT, CLAUDE_CONFIG_DIR: config }, nodeOptions);
  const project = await baton.call('/api/projects', { path: baton.project });
  const { slug } = await baton.call('/api/personas/register', { name: 'Ann', role: 'developer' });
  const agent = { project_id: project.id, runtime: 'claude-code', persona: slug };
  for (let n = 0; n < count; n++) await baton.call('/api/agents', agent);
  const idle = async () => {
    const { agents } = await baton.call('/api/agents?limit=200');
    return agents.filter(({ state }: { state: string }) => state === 'idle').length;
  };
  for (const until = Date.now() + READY_MS; (await idle()) < count; await pause(250))
    if (Date.now() > until) throw new Error(`only ${await idle()} of ${count} agents became idle`);
}

/** Opens panes of the same size as Baton's panes, each in a separate tmux session. */
function openPanes(socket: string, count: number): void {
  for (let n = 0; n < count; n++) {
    const args = ['new-session', '-d', '-x', '180', '-y', '50', '-s', `idle-${n}`, CLIENT, '--floor'];
    const { status, stderr } = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`tmux could not open a pane: ${stderr}`);
  }
}

const tmuxPid = (socket: string): number =>
  Number(spawnSync('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], { encoding: 'utf8' }).stdout);
