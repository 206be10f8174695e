import { listMachineObjects } from '../../../app/fleet/list-machines.ts';
import { onMachine } from '../../../contract/routes.ts';
import { answerOn } from '../../../contract/words/machine-commands.ts';
import { isMachineName } from '../../../domain/fleet/member.ts';
import { isRefusal, REFUSAL_STATUS, type Refusal, type RefusalCode } from '../../../domain/refusals.ts';
import type { createRouter } from '../server/find-route.ts';
import { type Call, type HttpDeps, MACHINE, OPERATOR, type Route } from '../server/route.ts';

/**
 * For each route that may be used from another machine, returns a route under /api/machines/{machine}/…. The returned
 * route has the same schemas, but sends the request to the machine in the path, and returns the answer of that machine.
 */
export const remoteRoutes = (routes: readonly Route[]): readonly Route[] =>
  routes
    .filter(({ afar }) => afar !== undefined)
    .map(({ afar: _, ...row }) => ({
      ...row,
      path: onMachine(MACHINE, row.path),
      summary: `On another machine: ${row.summary}`,
      callers: OPERATOR,
      handle: (call) => askMachine(call, row.method),
    }));

async function askMachine(call: Call<unknown>, method: Route['method']): Promise<unknown> {
  const { deps, caller, machine, id, path, query, body } = call;
  const own = `/api${path.slice(onMachine(machine, '/api').length)}`;
  const answer = await deps.fleet.send(machine, {
    method,
    // If the path contains the agent's name, replace the name by the agent's number. When the other machine gets the
    // request, the name could already mean another agent.
    route: id === 0 ? own : own.replace(/^(\/api\/[^/]+)\/[^/]+/, `$1/${id}`),
    query: query.toString(),
    body: body ?? null,
    operator: caller.kind === 'operator' && caller.session !== undefined ? 'page' : 'cli',
  });
  if (isRefusal(answer)) return answer;
  const said = answerOn(machine, answer.body);
  return answer.status < 400 ? said : refusalOf(said, machine);
}

/** Turns the refusal of another machine into a refusal of this machine. Keeps the words of the other machine. */
function refusalOf(body: unknown, machine: string): Refusal {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const code = text(said.code);
  const hint = text(said.hint);
  return {
    code: code !== undefined && code in REFUSAL_STATUS ? (code as RefusalCode) : 'action_not_possible',
    sentence: text(said.error) ?? `${machine} refused the request and gave no reason`,
    ...(hint === undefined ? {} : { hint }),
    ...(typeof said.run_id === 'number' ? { runId: said.run_id } : {}),
    ...(text(said.status) === undefined ? {} : { runStep: String(said.status) }),
  };
}

const REMOTE_PATH = /^\/api\/machines\/(?<machine>[^/]+)(?<rest>\/.+)$/;

/** Refuses a request under /api/machines/{machine}/… if its route may be used only on the named machine itself. */
export function refuseFromAfar(
  deps: HttpDeps,
  findRoute: ReturnType<typeof createRouter>,
  { method, path }: { readonly method: string; readonly path: string },
): Refusal | undefined {
  const { machine = '', rest = '' } = REMOTE_PATH.exec(path)?.groups ?? {};
  const local = findRoute(method, `/api${rest}`);
  if (!isMachineName(machine) || local === undefined) return undefined;
  const known = listMachineObjects(deps, machine, 'agent');
  if (isRefusal(known)) return known;
  return {
    code: 'not_from_afar',
    sentence: `This request can be made only on ${machine} itself, not from another machine`,
    hint: `Use the page or the command line of Baton on ${machine}.`,
  };
}
