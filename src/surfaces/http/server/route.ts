import type { z } from 'zod';
import type { Demo } from '../../../app/agents/start-demo.ts';
import type { FleetControl } from '../../../app/fleet/fleet-control.ts';
import type { Rebuilt } from '../../../app/packages/background/rebuild-packages.ts';
import type { Ports } from '../../../app/ports/index.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { Logins } from '../sessions/logins.ts';
import type { Caller } from './guard.ts';
import type { RateLimit } from './rate-limit.ts';

/** Everything that the routes of the API need. */
export interface HttpDeps {
  readonly ports: Ports;
  readonly homePath: string;
  /** The folder of the built page. If the folder is missing, only the API is served. */
  readonly pageFolder: string;
  readonly tmuxSocket: string;
  readonly logins: Logins;
  readonly demo: Demo;
  readonly healthProblems: () => readonly string[];
  /** Stops the server after the answer was sent. Agents keep running. */
  readonly stopServer: () => void;
  readonly rebuildPackages: () => Promise<Rebuilt>;
  /** Returns the login link for this machine or for one of the allowed hosts. */
  readonly loginAddress: (code: string, host?: string) => string;
  readonly allowedHosts: readonly string[];
  /** Parses strict YAML, which includes JSON, into plain data. */
  readonly parseYaml: (text: string) => ParsedText;
  readonly fleet: FleetControl;
}

export type ParsedText =
  | { readonly problem: { readonly sentence: string; readonly line?: number } }
  | { readonly value: unknown; readonly lineOf: (path: readonly (string | number)[]) => number | undefined };

export interface Call<Body> {
  readonly deps: HttpDeps;
  readonly caller: Caller;
  /** The number in the path; 0 if the path has none. */
  readonly id: number;
  /** The persona's slug in the path; empty if the path has none. */
  readonly slug: string;
  /** The package's id in the path; empty if the path has none. */
  readonly packageId: string;
  /** The session's id in the path; empty if the path has none. */
  readonly sessionId: string;
  /** The machine's name in the path; empty if the path has none. */
  readonly machine: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Body;
}

/**
 * One route of the API. All routes are in one table of data, so that the router, the OpenAPI page, the guard and the
 * tests that attack every route use the same list.
 */
export interface Route<Body = unknown, Answer = unknown> {
  readonly method: 'GET' | 'POST';
  /**
   * `{id}` is a positive whole number, `{slug}` a persona's slug, `{package}` a package's id, `{session}` the id of an
   * agent program's session, `{machine}` the name of a machine. A path without parameters is matched first.
   */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  readonly answer: z.ZodType<Answer>;
  readonly status: 200 | 201;
  /** The kinds of callers (operator, agent) that may call this route. */
  readonly callers: readonly Caller['kind'][];
  /**
   * Whether the operator may use the route from another machine of the fleet; absent means no. `look`: the route
   * changes nothing. `command`: the route records a fact before it acts. `act`: the route acts before it records a
   * fact.
   */
  readonly afar?: 'look' | 'command' | 'act';
  /** The rate limit for the calls of this route, per caller. */
  readonly limit?: RateLimit;
  readonly handle: (call: Call<Body>) => Promise<Answer | Refusal> | Answer | Refusal;
}

/**
 * Returns a route unchanged, for the table of routes. The parameter's type lets the compiler check that the route's
 * handler fits its schemas. The table cannot do this check, because all its routes have the same type.
 */
export const route = <Body, Answer>(row: Route<Body, Answer>): Route => row as unknown as Route;

export const OPERATOR = ['operator'] as const;
export const ID = '{id}';
export const SLUG = '{slug}';
export const PACKAGE = '{package}';
export const SESSION = '{session}';
export const MACHINE = '{machine}';
export const MAX_PAGE = 1_000;

/** Maps the result of a use case to its view. Returns a refusal unchanged. */
export const mapped = <T, V>(result: T | Refusal, view: (value: T) => V): V | Refusal =>
  isRefusal(result) ? result : view(result);
