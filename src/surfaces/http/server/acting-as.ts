import { actedBy } from '../../../app/engine/acted-by.ts';
import type { Doer } from '../../../domain/facts.ts';
import type { Caller } from './guard.ts';
import type { HttpDeps } from './route.ts';

/** Logs the changes that this caller makes under its name. */
export function actingAs(deps: HttpDeps, caller: Caller): HttpDeps {
  return caller.kind === 'nobody' ? deps : { ...deps, ports: actedBy(deps.ports, doerOf(caller)) };
}

/** The operator's own token is what the command line uses; a page has a session. */
function doerOf(caller: Exclude<Caller, { kind: 'nobody' }>): Doer {
  if (caller.kind === 'agent') return `agent/${caller.agentId}`;
  return caller.session === undefined ? 'operator/cli' : 'operator/page';
}
