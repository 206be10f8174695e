import { capabilitiesOf } from '../../../app/engine/client/capabilities.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { OPERATOR, type Route, route } from '../server/route.ts';

export const RUNTIME_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.runtimes,
    summary: 'The agent types, what each of them can do, and why one cannot be started here',
    answer: resources.RuntimeList,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports } }) => ({
      runtimes: await Promise.all(
        [...ports.runtimes.values()].map(async (runtime) => {
          const why_unavailable = (await runtime.unavailableReason()) ?? null;
          const known = await runtime.standing?.();
          return {
            id: runtime.id,
            title: runtime.title,
            version: known?.version ?? null,
            standing: known?.standing ?? null,
            standing_sentence: known?.sentence ?? null,
            why_unavailable,
            capabilities: capabilitiesOf(runtime),
          };
        }),
      ),
    }),
  }),
];
