import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createScreenWatch } from '../../../app/engine/watch-screens.ts';
import { StoreFault } from '../../../app/ports/store.ts';
import { PATHS } from '../../../contract/routes.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { createScreenStreams } from '../agents/screen-stream.ts';
import { refuseFromAfar } from '../fleet/remote-routes.ts';
import { seqIn } from '../inbox/event-routes.ts';
import { createEventStreams } from '../inbox/event-stream.ts';
import { namedPath, resolveNames } from '../personas/resolve-names.ts';
import { actingAs } from './acting-as.ts';
import { refuseAgentsShell } from './agents-shell.ts';
import { answerFile, answerJson, answerRefusal, readBody } from './answer.ts';
import { boundConnections, refuseUnreadable } from './connections.ts';
import { callRoute, createRouter, type Match } from './find-route.ts';
import { type Address, type Caller, sameHash, validateHttp } from './guard.ts';
import { openApi } from './openapi.ts';
import { listPageFiles } from './page.ts';
import { createRateLimits } from './rate-limit.ts';
import { type HttpDeps, ID, type Route } from './route.ts';
import { ROUTES } from './routes.ts';

export interface HttpServer {
  /** Creates a server for loopback TCP. The server answers only requests to the addresses that `addresses` returns. */
  listener(addresses: () => readonly Address[]): Server;
  /** Creates a server for the Unix socket. Only the user who runs Baton can open the socket. */
  socketListener(): Server;
  closeStreams(): void;
  /** From now on, answers every new request with 503, so that no request waits for a server that is stopping. */
  refuseRequests(): void;
  /** Answers every open request with 503. Resolves when all these answers have been passed to the operating system. */
  answerOpenRequests(): Promise<void>;
}

export function createHttpServer(deps: HttpDeps, operatorToken: string): HttpServer {
  const streams = createEventStreams(deps.ports.store, deps.ports.clock.monotonicMs);
  const screens = createScreenStreams(createScreenWatch(deps.ports), deps.ports.clock.monotonicMs);
  let description: object | undefined;
  const callerOf = identifyBy(deps, operatorToken);
  const pageFiles = listPageFiles(deps.pageFolder);
  /**
   * The only paths that need no token: the files of the page, and the path where a login code is exchanged for a token.
   */
  const openPaths: ReadonlySet<string> = new Set([...pageFiles.keys(), PATHS.login]);
  deps.logins.onEnd((sessions) => {
    streams.closeFor(sessions);
    screens.closeFor(sessions);
  });
  const findRoute = createRouter(ROUTES);
  let isStopping = false;
  /** The responses to requests that the server has not answered yet. */
  const unanswered = new Set<ServerResponse>();
  const limit = createRateLimits(deps.ports.clock.monotonicMs);

  const serve = async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://baton');
    const file = pageFiles.get(url.pathname);
    if (file !== undefined && request.method === 'GET') return answerFile(request, response, file);
    const direct = findRoute(request.method ?? '', url.pathname);
    const named = direct === undefined ? namedPath(url.pathname) : undefined;
    const found = direct ?? (named && findRoute(request.method ?? '', named.path));
    if (url.pathname === PATHS.openapi && caller.kind === 'operator') {
      // The OpenAPI description is built at the first request for it. Building it at the start would take a quarter of
      // the server's start time.
      description ??= openApi(ROUTES, deps.ports.settings.version);
      return answerJson(response, 200, description);
    }
    if (found === undefined)
      return answerRefusal(
        response,
        refuseFromAfar(deps, findRoute, { method: request.method ?? '', path: url.pathname }) ?? notFound(url),
      );
    if (!found.route.callers.includes(caller.kind)) return answerRefusal(response, wrongCaller(found.route));
    const misused = caller.kind === 'operator' ? refuseAgentsShell(deps, request) : undefined;
    if (misused !== undefined) return answerRefusal(response, misused);
    const limited = found.route.limit && limit(found.route.limit, nameOf(caller));
    if (limited !== undefined) return answerRefusal(response, limited);
    const match = resolveNames(deps, found, named?.name);
    const reader = caller.kind === 'agent' ? 'agent' : 'operator';
    if (isRefusal(match)) return answerRefusal(response, match, reader);
    const live = request.headers.accept?.includes('text/event-stream');
    if (live && match.route.path === PATHS.events) {
      const after = seqIn(String(request.headers['last-event-id'] ?? url.searchParams.get('after') ?? ''));
      if (!streams.open(response, after, caller.kind === 'operator' ? caller.session : undefined))
        answerRefusal(response, { code: 'busy', sentence: 'Too many event streams are open', hint: CLOSE_ONE });
      return;
    }
    const result = await call(match, { request, url, caller, deps: actingAs(deps, caller) });
    if (isRefusal(result)) answerRefusal(response, result, reader);
    else if (live && match.route.path === PATHS.screen(ID)) {
      if (!screens.open(response, match.id, caller.kind === 'operator' ? caller.session : undefined))
        answerRefusal(response, { code: 'busy', sentence: 'Too many screen streams are open', hint: CLOSE_ONE });
    } else answerJson(response, match.route.status, result);
  };

  const listen = (addresses: (() => readonly Address[]) | undefined): Server => {
    const server = createServer(
      // Every second, look for connections whose request has not arrived in time. By default, Node closes such
      // connections up to half a minute late. The limits are long, because Node also counts the time in which Baton
      // itself cannot read: each write to a locked store blocks the event loop for five seconds.
      {
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: REQUEST_TIMEOUT_MS,
        maxHeaderSize: 16_384,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => {
        const caller = validateHttp(request, { addresses: addresses?.(), callerOf, openPaths });
        if (isRefusal(caller)) return answerRefusal(response, caller);
        if (caller.kind !== 'nobody') connections.proven(request.socket);
        if (isStopping) return answerStopping(response, 'stopping', NOT_BEGUN);
        unanswered.add(response);
        response.once('close', () => unanswered.delete(response));
        serve(request, response, caller).catch((error: unknown) => {
          // While the server stops, ignore the error of a request that `answerOpenRequests` has already answered.
          if (!isStopping || !response.writableEnded) failLoudly(deps, response, error);
        });
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
  const refuseRequests = (): void => {
    isStopping = true;
  };
  const answerOpenRequests = async (): Promise<void> => {
    const open = [...unanswered].filter(({ headersSent, destroyed }) => !headersSent && !destroyed);
    await Promise.all(
      open.map(
        (response) =>
          new Promise<void>((resolve) => {
            for (const event of ['finish', 'close']) response.once(event, () => resolve());
            answerStopping(response, 'stopped', CUT_OFF);
          }),
      ),
    );
  };
  return {
    listener: listen,
    socketListener: () => listen(undefined),
    closeStreams,
    refuseRequests,
    answerOpenRequests,
  };
}

/** How long a client may take to send a whole request. */
const REQUEST_TIMEOUT_MS = 60_000;

const NOT_BEGUN = 'Baton is stopping, so nothing was done. Agents keep running. Start Baton again, then try again';
const CUT_OFF =
  'Baton stopped before this request was answered, so the request may have been carried out or not. Start Baton again, and check the result before you repeat the request';

/**
 * Answers a request while the server stops. The code `stopping` means that the request was not begun. The code
 * `stopped` means that the request may or may not have been carried out.
 */
function answerStopping(response: ServerResponse, code: 'stopping' | 'stopped', error: string): void {
  response.setHeader('connection', 'close');
  answerJson(response, 503, { error, code, hint: 'Start Baton: baton start' });
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

const notFound = ({ pathname }: URL): Refusal => ({ code: 'not_found', sentence: `Not found: ${pathname}` });

const CLOSE_ONE = 'Close a page, or end a command such as baton events --follow, then try again.';

const nameOf = (caller: Caller): string => (caller.kind === 'agent' ? `agent ${caller.agentId}` : caller.kind);

const wrongCaller = ({ callers }: Route): Refusal => ({
  code: 'forbidden',
  ...(callers.includes('agent')
    ? { sentence: 'Only the agent itself can make this request, with its own token' }
    : {
        sentence: "This request is not allowed with an agent's token",
        hint: 'Ask your operator to make this request on the page or on the command line.',
      }),
});

async function call(
  match: Match,
  { request, url, caller, deps }: { request: IncomingMessage; url: URL; caller: Caller; deps: HttpDeps },
): Promise<unknown> {
  const read = match.route.body === undefined ? { value: undefined } : await readBody(request);
  return isRefusal(read) ? read : callRoute(match, { url, caller, deps, given: read.value });
}

/**
 * Handles an error that is a bug or a fault of the disk: logs the error for the operator, hides the details from the
 * caller and keeps serving.
 */
function failLoudly(deps: HttpDeps, response: ServerResponse, error: unknown): void {
  deps.ports.log.error(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (response.headersSent) response.destroy();
  else if (error instanceof StoreFault) {
    response.setHeader('retry-after', '5');
    answerJson(response, 503, {
      error: `Baton cannot use its store right now (${error.message}), so nothing was done. Fix the cause (another program that locks the store, a full or read-only disk), then try again`,
      code: 'store_unavailable',
    });
  } else
    answerJson(response, 500, {
      error: 'Baton could not perform the request because of an internal error; see baton.log in its home',
      code: 'internal',
    });
}
