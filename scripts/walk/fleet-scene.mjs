import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../bench/baton-server.mjs';

const DEADLINE_MS = 120_000;

/** @typedef {{ id: number, label: string, session_uuid: string, state: string, persona: { slug: string } }} Agent */

/**
 * Several Batons on this machine, each with its own home, in one fleet over loopback. The first Baton creates the fleet
 * and runs the hub.
 */
export class FleetScene {
  /** @type {Map<string, BatonServer>} */
  machines = new Map();

  /**
   * Starts the Batons and lets them join one fleet.
   * @param {readonly string[]} names
   */
  async begin(names) {
    const address = `127.0.0.1:${await freePort()}`;
    for (const name of names) {
      const baton = new BatonServer();
      this.machines.set(name, baton);
      const config = { port: 0, reconcile_every_ms: 300, fleet: { report_every_ms: 1_000 } };
      writeFileSync(join(baton.home, 'config.json'), JSON.stringify(config));
      if (!(await baton.start())) throw new Error(`Baton did not start for ${name}`);
    }
    const [first = '', ...others] = names;
    await this.baton(first).call('/api/fleet/hub', { name: first, address });
    for (const name of others) {
      const { code } = await this.baton(first).call('/api/fleet/invite', { name });
      await this.baton(name).call('/api/fleet/join', { code });
    }
    await until(async () => {
      const { machines } = await this.baton(first).call('/api/machines');
      return machines.filter((/** @type {{ live: boolean }} */ { live }) => live).length === names.length;
    }, 'all machines report');
    return address;
  }

  /**
   * @param {string} name
   * @returns {BatonServer}
   */
  baton(name) {
    const found = this.machines.get(name);
    if (found === undefined) throw new Error(`the scene has no machine ${name}`);
    return found;
  }

  /**
   * Starts a practice agent with a persona and waits until the agent is idle.
   *
   * @param {string} machine
   * @param {{ role: string, name: string, project?: string }} who
   * @returns {Promise<Agent>}
   */
  async agent(machine, { role, name, project = 'shop' }) {
    const baton = this.baton(machine);
    const path = join(baton.folder, project);
    mkdirSync(join(path, 'docs'), { recursive: true });
    writeFileSync(join(path, 'docs/api.md'), '# API\n\n12 endpoints\n');
    writeFileSync(join(path, '.practice.json'), JSON.stringify({ thinkMs: 20 }));
    const { id: project_id } = await baton.call('/api/projects', { path });
    const { slug } = await baton.call('/api/personas/register', { role, name });
    const { id } = await baton.call('/api/agents', { project_id, persona: slug });
    await until(async () => {
      const { state, skill_injected_at } = await baton.call(`/api/agents/${id}`);
      return state === 'idle' && skill_injected_at !== null;
    }, `${name} on ${machine} is idle`);
    return baton.call(`/api/agents/${id}`);
  }

  /**
   * Makes an agent create a gate that waits for a person's approval.
   *
   * @param {string} machine
   * @param {Agent} agent
   */
  async gate(machine, agent) {
    const baton = this.baton(machine);
    const secret = readFileSync(join(baton.home, 'secret'), 'utf8').trim();
    const authorization = `Bearer ${createHmac('sha256', secret).update(agent.session_uuid).digest('hex')}`;
    /**
     * @param {string} path
     * @param {object} body
     */
    const asAgent = async (path, body) => {
      const text = JSON.stringify(body);
      const headers = { authorization, 'content-length': String(Buffer.byteLength(text)) };
      const answer = await baton.ask(path, headers, 'POST', text);
      let json = '';
      for await (const chunk of answer.setEncoding('utf8')) json += chunk;
      if ((answer.statusCode ?? 0) >= 300) throw new Error(`${path}: ${json}`);
      return JSON.parse(json);
    };
    const { id } = await asAgent('/api/packages', {
      package: {
        from: { agent: agent.persona.slug },
        to: { agent: 'human', reason: 'BLOCKING gate reached' },
        gate: { type: 'blocking', name: 'API approved', step: 3, contact: 'lead' },
        context: {
          summary: 'API architecture defined in docs/api.md: 12 endpoints, JWT sessions.',
          artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
        },
        validation_request: {
          items: ['The 12 endpoints are complete'],
          options: { approve: 'Continue with step 4', reject: 'Adjust the API', question: 'Ask back' },
        },
      },
    });
    return String(id);
  }

  /** Ends the fleet, all servers, their agents and tmux servers, and removes the folders. */
  async cleanUp() {
    const [founder, ...others] = this.machines.values();
    await Promise.all(others.map((baton) => baton.cleanUp()));
    // The hub's server would outlive the demo, so the founder leaves the fleet before it stops, which ends the fleet
    // and the hub's server.
    await founder?.call('/api/fleet/leave', {}).catch(() => undefined);
    await founder?.cleanUp();
  }
}

/**
 * Waits until a condition holds. Throws when the time is up.
 *
 * @param {() => Promise<boolean>} holds
 * @param {string} what
 */
export async function until(holds, what) {
  for (const end = Date.now() + DEADLINE_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(100);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
