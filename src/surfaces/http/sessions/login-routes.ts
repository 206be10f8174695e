import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { sessionIdOf } from '../../../domain/sessions/page-session.ts';
import { type HttpDeps, OPERATOR, type Route, route } from '../server/route.ts';

export const LOGIN_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: PATHS.loginCodes,
    summary: 'A login address for the page; it works once, for 60 seconds',
    body: requests.NewLoginCode,
    answer: resources.LoginAddress,
    status: 201,
    callers: OPERATOR,
    limit: 'login',
    handle: ({ deps, body: { host } }) =>
      host === undefined || deps.allowedHosts.includes(host)
        ? { url: deps.loginAddress(deps.logins.newCode(), host) }
        : ({
            code: 'host_not_allowed',
            sentence: `${JSON.stringify(host)} is not one of the allowed_hosts in config.json (${deps.allowedHosts.join(', ') || 'there are none'})`,
            hint: 'Add the host there and restart Baton; to reach Baton from another machine, see docs/REACH.md',
          } as const),
  }),
  route({
    method: 'POST',
    path: PATHS.login,
    summary: 'Exchange a login code for a token of this page',
    body: requests.Login,
    answer: requests.LoggedIn,
    status: 200,
    callers: ['operator', 'nobody'],
    limit: 'login',
    handle: async ({ deps, body }) => {
      const token = await deps.logins.redeem(body.code, body.device);
      return token === undefined
        ? ({
            code: 'unauthorized',
            sentence: 'This login code is no longer valid; get a new one with: baton open',
          } as const)
        : { token };
    },
  }),
  route({
    method: 'POST',
    path: PATHS.logout,
    summary: 'Log out this page, another device or all pages; their connections are closed',
    body: requests.Logout,
    answer: requests.LoggedOut,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, caller, body: { everywhere, device } }) => {
      const session = caller.kind === 'operator' ? caller.session : undefined;
      if (everywhere) return { ended: await deps.logins.end('all') };
      if (device !== undefined) return endDevice(deps, device);
      if (session === undefined)
        return {
          code: 'not_a_page',
          sentence:
            "Only a page can be logged out, but this request uses the operator's own token; to replace the token, delete the file `token` in Baton's home and restart Baton",
          hint: 'Log out all pages with: baton logout --everywhere, or one device with: baton logout DEVICE',
        } as const;
      return { ended: await deps.logins.end(session) };
    },
  }),
  route({
    method: 'GET',
    path: PATHS.devices,
    summary: 'The browsers that are logged in, the most recently used first',
    answer: resources.DeviceList,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps, caller }) => ({
      devices: deps.logins.list().map((session) => ({
        id: sessionIdOf(session),
        name: session.name,
        created_on: session.createdOn,
        used_on: session.usedOn,
        current: caller.kind === 'operator' && caller.session === session.tokenHash,
      })),
    }),
  }),
];

async function endDevice({ logins }: HttpDeps, device: string): Promise<{ ended: number } | Refusal> {
  const isListed = logins.list().some((session) => sessionIdOf(session) === device);
  if (isListed) return { ended: await logins.end(device) };
  return {
    code: 'not_found',
    sentence: `No device with the id ${JSON.stringify(device)} is logged in`,
    hint: 'List the devices with: baton devices',
  };
}
