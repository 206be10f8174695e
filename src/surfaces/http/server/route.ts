import type { z } from 'zod';
import type { Demo } from '../../../app/agents/start-demo.ts';
import type { Rebuilt } from '../../../app/packages/background/rebuild-packages.ts';
import type { Ports } from '../../../app/ports/index.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { Logins } from '../sessions/logins.ts';
import type { Caller } from './guard.ts';
import type { RateLimit } from './rate-limit.ts';

/** Dependencies of every route. */
export interface HttpDeps {
  readonly ports: Ports;
  readonly homePath: string;
  /** The folder of the built page; if it is missing, only the API is served. */
  readonly pageFolder: string;
  readonly tmuxSocket: string;
  readonly logins: Logins;
  readonly demo: Demo;
  readonly healthProblems: () => readonly string[];
  readonly rebuildPackages: () => Promise<Rebuilt>;
  /** The login link for this machine, or for one of the allowed hosts. */
  readonly loginAddress: (code: string, host?: string) => string;
  readonly allowedHosts: readonly string[];
  /** Parses strict YAML, which includes JSON, into plain data. */
  readonly parseYaml: (text: string) => ParsedText;
}

export type ParsedText =
  | { readonly problem: { readonly sentence: string; readonly line?: number } }
  | { readonly value: unknown; readonly lineOf: (path: readonly (string | number)[]) => number | undefined };

export interface Call<Body> {
  readonly deps: HttpDeps;
  readonly caller: Caller;
  /** The number in the path; 0 where the path has none. */
  readonly id: number;
  /** The persona's slug in the path; empty where the path has none. */
  readonly slug: string;
  /** The package's id in the path; empty where the path has none. */
  readonly packageId: string;
  /** The session's id in the path; empty where the path has none. */
  readonly sessionId: string;
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
   * agent program's session. A path without parameters is matched first.
   */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  readonly answer: z.ZodType<Answer>;
  readonly status: 200 | 201;
  /** The kinds of callers that may call this route; an agent's token opens no other route. */
  readonly callers: readonly Caller['kind'][];
  /** The rate limit that counts these calls, per caller. */
  readonly limit?: RateLimit;
  readonly handle: (call: Call<Body>) => Promise<Answer | Refusal> | Answer | Refusal;
}

/** Lets the compiler compare each row's types with its schemas; the table itself does without these types. */
export const route = <Body, Answer>(row: Route<Body, Answer>): Route => row as unknown as Route;

export const OPERATOR = ['operator'] as const;
export const ID = '{id}';
export const SLUG = '{slug}';
export const PACKAGE = '{package}';
export const SESSION = '{session}';
export const MAX_PAGE = 1_000;
export const agentNotFound: Refusal = { code: 'agent_not_found', sentence: 'Agent not found' };

/** Maps the result of a use case to its view; returns a refusal as it is. */
export const mapped = <T, V>(result: T | Refusal, view: (value: T) => V): V | Refusal =>
  isRefusal(result) ? result : view(result);
