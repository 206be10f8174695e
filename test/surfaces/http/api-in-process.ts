import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStrictYaml } from '../../../src/adapters/yaml/parse-strict-yaml.ts';
import { createDemo } from '../../../src/app/agents/start-demo.ts';
import { createFleetControl, type FleetControl } from '../../../src/app/fleet/fleet-control.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { createHttpServer, type HttpServer } from '../../../src/surfaces/http/server/create-server.ts';
import { createLogins, type Logins } from '../../../src/surfaces/http/sessions/logins.ts';
import { readJson } from '../../../src/surfaces/socket/read-answer.ts';
import { type Call, sendRequest } from '../../../src/surfaces/socket/send-request.ts';

/**
 * The fleet functions of a Baton that is in no fleet. The transport of the fleet is missing, so a test that needs the
 * transport fails.
 */
export const noFleet = (ports: Ports): FleetControl =>
  createFleetControl({
    ports,
    loadTransport: () => Promise.reject(new Error('this test has no fleet')),
    views: { current: () => [] },
    calls: {
      refuse: () => undefined,
      actsFirst: () => false,
      perform: () => Promise.reject(new Error('this test has no fleet')),
    },
    takesCommands: () => true,
  });

export const OPERATOR = 'operator-token-0123456789';

export interface Answered<T> {
  readonly status: number;
  readonly body: T;
}

/** The real routes, guard and streams on a simulated world with a controllable clock. */
export class ApiInProcess {
  readonly home = mkdtempSync(join(tmpdir(), 'bta-'));
  logins: Logins;
  /** How often the API was asked to stop the server. */
  stops = 0;
  private readonly ports: Ports;
  private readonly fleet: FleetControl;
  http: HttpServer;
  private server: Server;

  constructor(ports: Ports, fleet = noFleet(ports)) {
    this.ports = ports;
    this.fleet = fleet;
    this.logins = createLogins(ports);
    this.http = this.made();
    this.server = this.http.socketListener();
  }

  private made(): HttpServer {
    return createHttpServer(
      {
        ports: this.ports,
        homePath: this.home,
        pageFolder: '/no-page',
        tmuxSocket: '/tmux.sock',
        logins: this.logins,
        demo: createDemo(this.ports),
        healthProblems: () => [],
        stopServer: () => {
          this.stops += 1;
        },
        rebuildPackages: async () => ({ packages: 0, mended: 0, written: 0 }),
        loginAddress: (code) => `http://127.0.0.1:7421/#code=${code}`,
        allowedHosts: [],
        parseYaml: parseStrictYaml,
        fleet: this.fleet,
      },
      OPERATOR,
    );
  }

  /** How long the server waits for the headers of a request. */
  get headersTimeoutMs(): number {
    return this.server.headersTimeout;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(join(this.home, 'baton.sock'), resolve));
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** Restarts the server. Only the data in the store survives. */
  async restart(): Promise<void> {
    await this.close();
    this.logins = createLogins(this.ports);
    this.http = this.made();
    this.server = this.http.socketListener();
    await this.listen();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  async logIn(): Promise<string> {
    const { body } = await this.call<{ token: string }>(
      'POST',
      '/api/login',
      { code: this.logins.newCode() },
      OPERATOR,
    );
    return body.token;
  }

  async get<T>(path: string, token = OPERATOR): Promise<T> {
    return (await this.call<T>('GET', path, undefined, token)).body;
  }

  async call<T>(method: string, path: string, body: unknown = undefined, token = OPERATOR): Promise<Answered<T>> {
    const answer = await this.send({ method, path, body, token });
    return { status: answer.statusCode ?? 0, body: (await readJson(answer)) as T };
  }

  stream(token: string): Promise<IncomingMessage> {
    return this.send({ method: 'GET', path: '/api/events', token, headers: { accept: 'text/event-stream' } });
  }

  private send({ headers, ...call }: Call): Promise<IncomingMessage> {
    return sendRequest(this.home, { ...call, headers: { 'content-type': 'application/json', ...headers } });
  }
}
