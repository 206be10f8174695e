import { actedBy } from '../../../app/engine/acted-by.ts';
import type { Doer } from '../../../domain/facts.ts';
import type { Caller } from './guard.ts';
import type { HttpDeps } from './route.ts';

/** Returns ports that write this caller into the log as the author of every change. */
export function actingAs(deps: HttpDeps, caller: Caller): HttpDeps {
  return caller.kind === 'nobody' ? deps : { ...deps, ports: actedBy(deps.ports, doerOf(caller)) };
}

/**
 * Returns the caller's name in the log. If the operator has no page session, the request counts as a request from the
 * command line.
 */
function doerOf(caller: Exclude<Caller, { kind: 'nobody' }>): Doer {
  if (caller.kind === 'agent') return `agent/${caller.agentId}`;
  const channel = caller.session === undefined ? 'operator/cli' : 'operator/page';
  return caller.machine === undefined ? channel : `${channel} on ${caller.machine}`;
}
