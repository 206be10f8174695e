import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { BatonProcess } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { FleetProcesses, NATS_SERVER } from './fleet-processes.ts';

/**
 * Matches code of the fleet in a bundled file. The bundler adds a comment with the source path to each part of the
 * file.
 */
const OF_THE_FLEET = /src\/adapters\/fleet\/|node_modules\/@nats-io\//;

describe('the modules that a server loads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bt-modules-'));
  const list = join(folder, 'modules.txt');
  const fleet = new FleetProcesses();
  const alone = new BatonProcess();
  afterAll(async () => {
    await Promise.all([alone.cleanUp(), fleet.cleanUp()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a server with the option that makes Node write the URL of each loaded module into a file. */
  const recording = (): NodeJS.ProcessEnv => {
    const hook = join(folder, 'hook.mjs');
    writeFileSync(
      hook,
      `import { appendFileSync } from 'node:fs';
       export async function load(url, context, next) {
         appendFileSync(${JSON.stringify(list)}, url + '\\n');
         return next(url, context);
       }`,
    );
    const preload = join(folder, 'preload.mjs');
    writeFileSync(preload, `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hook))});`);
    writeFileSync(list, '');
    return { NODE_OPTIONS: `--import ${pathToFileURL(preload)}` };
  };
  const loaded = (): string[] =>
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:') && url.includes('/dist/'))
      .map((url) => fileURLToPath(url));
  const ofTheFleet = (): string[] => loaded().filter((file) => OF_THE_FLEET.test(readFileSync(file, 'utf8')));

  it('a server without a fleet loads neither the fleet transport nor NATS', async () => {
    await alone.start(recording());
    const agent = await alone.agent();
    expect((await alone.call('GET', '/api/machines')).status).toBe(200);
    expect((await alone.call('POST', `/api/machines/laptop/agents/${agent.id}/stop`, {})).status).toBe(409);
    expect(loaded().length).toBeGreaterThan(0);
    expect(ofTheFleet()).toEqual([]);
  });

  it('a server that founds a fleet loads the NATS modules', needs(NATS_SERVER), async () => {
    await fleet.found('hub', {}, recording());
    expect(ofTheFleet()).not.toEqual([]);
  });
});
