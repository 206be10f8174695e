import type { z } from 'zod';
import type { Rebuilt } from '../../app/packages/rebuild-packages.ts';
import type { Demo } from '../../app/start-demo.ts';
import type { Ports } from '../../app/world.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Caller } from './guard.ts';
import type { Logins } from './logins.ts';
import type { RateLimit } from './rate-limit.ts';

/** What every route has at hand. */
export interface HttpDeps {
  readonly ports: Ports;
  readonly homePath: string;
  /** Where the built page lies; without it there is an API and no page. */
  readonly pageFolder: string;
  readonly tmuxSocket: string;
  readonly logins: Logins;
  readonly demo: Demo;
  readonly troubles: () => readonly string[];
  readonly rebuildPackages: () => Promise<Rebuilt>;
  /** At this machine itself, or at one of the allowed hosts. */
  readonly loginAddress: (code: string, host?: string) => string;
  readonly allowedHosts: readonly string[];
  /** Strict YAML, and so JSON as well, as plain data. */
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
 * One row of the API. The table is data, so that the router, the OpenAPI page, the guard and the tests that attack
 * every route all read the same list; a new route is in all of them by being in it.
 */
export interface Route<Body = unknown, Answer = unknown> {
  readonly method: 'GET' | 'POST';
  /** `{id}` stands for a positive whole number, `{slug}` for a persona's slug, `{package}` for a package's id, `{session}` for an agent program's session. A path without any comes first. */
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  readonly answer: z.ZodType<Answer>;
  readonly status: 200 | 201;
  /** Who may call it; agents' tokens open nothing else. */
  readonly callers: readonly Caller['kind'][];
  /** Counted with these, for each caller. */
  readonly limit?: RateLimit;
  readonly handle: (call: Call<Body>) => Promise<Answer | Refusal> | Answer | Refusal;
}

/** Keeps body and answer in step with their schemas while a row is written; the table forgets the types. */
export const route = <Body, Answer>(row: Route<Body, Answer>): Route => row as unknown as Route;

export const OPERATOR = ['operator'] as const;
export const ID = '{id}';
export const SLUG = '{slug}';
export const PACKAGE = '{package}';
export const SESSION = '{session}';
export const LONGEST_PAGE = 1_000;
export const agentNotFound: Refusal = { code: 'agent_not_found', sentence: 'Agent not found' };

/** Translate, call one use case, translate back. */
export const mapped = <T, V>(result: T | Refusal, view: (value: T) => V): V | Refusal =>
  isRefusal(result) ? result : view(result);
