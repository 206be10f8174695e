import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createScreenWatch } from '../../../app/engine/watch-screens.ts';
import { StoreFault } from '../../../app/ports/store.ts';
import { requestProblems } from '../../../contract/request-problems.ts';
import { PATHS } from '../../../contract/routes.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { createScreenStreams } from '../agents/screen-stream.ts';
import { seqIn } from '../inbox/event-routes.ts';
import { createEventStreams } from '../inbox/event-stream.ts';
import { actingAs } from './acting-as.ts';
import { refuseAgentsShell } from './agents-shell.ts';
import { answerFile, answerJson, answerRefusal, readBody } from './answer.ts';
import { boundConnections, refuseUnreadable } from './connections.ts';
import { createRouter, type Match } from './find-route.ts';
import { type Address, type Caller, sameHash, validateHttp } from './guard.ts';
import { openApi } from './openapi.ts';
import { listPageFiles } from './page.ts';
import { createRateLimits } from './rate-limit.ts';
import { type HttpDeps, ID, type Route } from './route.ts';
import { ROUTES } from './routes.ts';

export interface HttpServer {
  /** A server for loopback TCP that answers only requests to these addresses. */
  listener(addresses: () => readonly Address[]): Server;
  /** A server for the Unix socket, which only this user can open. */
  socketListener(): Server;
  closeStreams(): void;
}

export function createHttpServer(deps: HttpDeps, operatorToken: string): HttpServer {
  const streams = createEventStreams(deps.ports.store, deps.ports.clock.monotonicMs);
  const screens = createScreenStreams(createScreenWatch(deps.ports), deps.ports.clock.monotonicMs);
  let description: object | undefined;
  const callerOf = identifyBy(deps, operatorToken);
  const pageFiles = listPageFiles(deps.pageFolder);
  /** Only these paths work without a token: the page shell and the exchange of a login code. */
  const openPaths: ReadonlySet<string> = new Set([...pageFiles.keys(), PATHS.login]);
  deps.logins.onEnd((sessions) => {
    streams.closeFor(sessions);
    screens.closeFor(sessions);
  });
  const findRoute = createRouter(ROUTES);
  const limit = createRateLimits(deps.ports.clock.monotonicMs);

  const serve = async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://baton');
    const file = pageFiles.get(url.pathname);
    if (file !== undefined && request.method === 'GET') return answerFile(request, response, file);
    const match = findRoute(request.method ?? '', url.pathname);
    if (url.pathname === PATHS.openapi && caller.kind === 'operator') {
      // Built at the first request, because at the server's start it would take a quarter of the time.
      description ??= openApi(ROUTES, deps.ports.settings.version);
      return answerJson(response, 200, description);
    }
    if (match === undefined)
      return answerRefusal(response, { code: 'not_found', sentence: `Not found: ${url.pathname}` });
    if (!match.route.callers.includes(caller.kind)) return answerRefusal(response, wrongCaller(match.route));
    const misused = caller.kind === 'operator' ? refuseAgentsShell(deps, request) : undefined;
    if (misused !== undefined) return answerRefusal(response, misused);
    const limited = match.route.limit && limit(match.route.limit, nameOf(caller));
    if (limited !== undefined) return answerRefusal(response, limited);
    const live = request.headers.accept?.includes('text/event-stream');
    if (live && match.route.path === PATHS.events) {
      const after = seqIn(String(request.headers['last-event-id'] ?? url.searchParams.get('after') ?? ''));
      if (!streams.open(response, after, caller.kind === 'operator' ? caller.session : undefined))
        answerRefusal(response, { code: 'busy', sentence: 'Too many event streams are open' });
      return;
    }
    const result = await call(match, { request, url, caller, deps: actingAs(deps, caller) });
    if (isRefusal(result)) answerRefusal(response, result);
    else if (live && match.route.path === PATHS.screen(ID)) {
      if (!screens.open(response, match.id, caller.kind === 'operator' ? caller.session : undefined))
        answerRefusal(response, { code: 'busy', sentence: 'Too many screen streams are open' });
    } else answerJson(response, match.route.status, result);
  };

  const listen = (addresses: (() => readonly Address[]) | undefined): Server => {
    const server = createServer(
      // Idle connections are checked every second, because by default Node closes them up to half a minute late.
      { requestTimeout: 30_000, headersTimeout: 5_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 1_000 },
      (request, response) => {
        const caller = validateHttp(request, { addresses: addresses?.(), callerOf, openPaths });
        if (isRefusal(caller)) return answerRefusal(response, caller);
        if (caller.kind !== 'nobody') connections.proven(request.socket);
        serve(request, response, caller).catch((error: unknown) => failLoudly(deps, response, error));
      },
    );
    server.maxConnections = 512;
    const connections = boundConnections(server);
    refuseUnreadable(server);
    return server;
  };

  const closeStreams = (): void => {
    streams.closeAll();
    screens.closeAll();
  };
  return { listener: listen, socketListener: () => listen(undefined), closeStreams };
}

function identifyBy(deps: HttpDeps, operatorToken: string): (token: string) => Caller {
  const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
  const operatorHash = hash(operatorToken);
  return (token) => {
    const given = hash(token);
    if (sameHash(given, operatorHash)) return { kind: 'operator' };
    const session = deps.logins.sessionOf(token);
    if (session !== undefined) return { kind: 'operator', session };
    const agent = deps.ports.store.read((tx) => tx.agentByTokenHash(given));
    return agent === undefined ? { kind: 'nobody' } : { kind: 'agent', agentId: agent.id };
  };
}

const nameOf = (caller: Caller): string => (caller.kind === 'agent' ? `agent ${caller.agentId}` : caller.kind);

const wrongCaller = ({ callers }: Route): Refusal => ({
  code: 'forbidden',
  ...(callers.includes('agent')
    ? { sentence: 'Only the agent itself can do this, with its own token' }
    : {
        sentence: "An agent's token is not allowed to do this",
        hint: 'Ask your operator to do it in the page or on the command line.',
      }),
});

async function call(
  { route, id, slug, packageId, sessionId }: Match,
  { request, url, caller, deps }: { request: IncomingMessage; url: URL; caller: Caller; deps: HttpDeps },
): Promise<unknown> {
  let body: unknown;
  if (route.body !== undefined) {
    const read = await readBody(request);
    if (isRefusal(read)) return read;
    const parsed = route.body.safeParse(read.value);
    if (!parsed.success) {
      const problems = requestProblems(parsed.error.issues, read.value);
      return { code: 'bad_request', sentence: `The request is not valid: ${problems}` };
    }
    body = parsed.data;
  }
  return route.handle({ deps, caller, id, slug, packageId, sessionId, query: url.searchParams, body });
}

/** After a bug or a failed disk, logs the error for the operator, hides it from the caller and keeps serving. */
function failLoudly(deps: HttpDeps, response: ServerResponse, error: unknown): void {
  deps.ports.log.error(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (response.headersSent) response.destroy();
  else if (error instanceof StoreFault) {
    response.setHeader('retry-after', '5');
    answerJson(response, 503, {
      error: `Baton cannot use its store right now (${error.message}), so nothing was done. Fix the cause (another program that locks it, a full or read-only disk), then try again`,
      code: 'store_unavailable',
    });
  } else
    answerJson(response, 500, {
      error: 'Baton could not do this because of an internal error; see baton.log in its home',
      code: 'internal',
    });
}
