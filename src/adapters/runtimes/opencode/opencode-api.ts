import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The address and the password of one agent's opencode server. The server listens on loopback only. */
const Address = z.object({ url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/), password: z.string().min(16) });
export type Address = z.infer<typeof Address>;

/** The file in the agent's folder (mode 0600) in which the host leaves the address of the server that it started. */
export const ADDRESS_FILE = 'opencode-server.json';

/** Returns the address of an agent's server; undefined if the host has not started a server, or has ended it. */
export function addressIn(agentFolder: string): Address | undefined {
  try {
    return Address.safeParse(JSON.parse(readFileSync(join(agentFolder, ADDRESS_FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Thrown if opencode's server answered with an error status. */
export class ApiRefusal extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(`opencode's server answered with status ${status}: ${detail.slice(0, 200)}`);
    this.status = status;
  }
}

export interface Api {
  /**
   * Sends a GET request. Throws ApiRefusal if opencode's server refuses the request, and another error if the server
   * does not answer in time.
   */
  readonly get: (path: string, timeoutMs: number) => Promise<unknown>;
  readonly send: (method: 'POST' | 'PATCH', path: string, body: unknown, timeoutMs: number) => Promise<unknown>;
  /** Opens the stream of events of opencode's server. */
  readonly events: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
}

export function createApi({ url, password }: Address): Api {
  const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new ApiRefusal(response.status, text);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    get: (path, timeoutMs) => ask(path, { headers: { authorization }, signal: AbortSignal.timeout(timeoutMs) }),
    send: (method, path, body, timeoutMs) =>
      ask(path, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      }),
    events: async (signal) => {
      const response = await fetch(`${url}/event`, { headers: { authorization }, signal });
      if (!response.ok || response.body === null) throw new ApiRefusal(response.status, 'no events');
      return response.body;
    },
  };
}
