import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { isMachineName } from '../../../contract/words/machine-commands.ts';
import { AgentsPage } from '../agents/agents-page.tsx';
import type { SearchRequest } from '../api/search-query.ts';
import { DialogHost } from '../parts/dialogs/dialog-host.tsx';
import { PageTitle } from '../parts/panel.tsx';
import { Broken } from './broken.tsx';
import { onItsMachine } from './on-its-machine.tsx';
import { Shell } from './shell.tsx';

/**
 * The address of a page is the part of the URL after the #, which browsers do not send. The server therefore serves
 * only a fixed list of files without a token, and no address of a page can be mistaken for a path of the API.
 */
const root = createRootRoute({
  component: () => (
    <DialogHost>
      <Shell />
    </DialogHost>
  ),
  notFoundComponent: () => (
    <>
      <PageTitle title="Page not found" back={{ to: '/', title: 'Agents' }} />
      <p className="text-muted">The address may be incomplete, or the page has moved.</p>
    </>
  ),
});

/** Reads the name of another machine from the address; absent for this machine. */
const machineIn = ({ machine }: Record<string, unknown>): { machine?: string } =>
  typeof machine === 'string' && isMachineName(machine) ? { machine } : {};

const numbered = (params: Record<string, string>) => ({ id: Number(params.id) });

/**
 * Reads the search from the address of the page. The router reads a text such as "42" as a number, so this function
 * converts numbers back to text.
 */
function searchIn(given: Record<string, unknown>): Partial<SearchRequest> {
  const names = ['q', 'kind', 'persona', 'project', 'since', 'until'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    }),
  );
}

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: (given: Record<string, unknown>): { tab?: 'ended'; machine?: string } => ({
      ...(given.tab === 'ended' ? { tab: 'ended' } : {}),
      ...machineIn(given),
    }),
    component: AgentsPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    validateSearch: machineIn,
    component: lazyRouteComponent(() => import('../inbox/inbox-page.tsx'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    validateSearch: machineIn,
    component: lazyRouteComponent(() => import('../handoffs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/search',
    validateSearch: searchIn,
    component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$id',
    validateSearch: (given: Record<string, unknown>): { line?: number; machine?: string } => ({
      ...(Number.isSafeInteger(given.line) ? { line: Number(given.line) } : {}),
      ...machineIn(given),
    }),
    params: { parse: numbered, stringify: ({ id }) => ({ id: String(id) }) },
    component: onItsMachine(lazyRouteComponent(() => import('../handoffs/run/run-page.tsx'), 'RunPage')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages',
    validateSearch: (given: Record<string, unknown>): { agent?: string; machine?: string } => ({
      ...(typeof given.agent === 'string' ? { agent: given.agent } : {}),
      ...machineIn(given),
    }),
    component: lazyRouteComponent(() => import('../packages/packages-page.tsx'), 'PackagesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/new',
    component: lazyRouteComponent(() => import('../packages/new/new-package-page.tsx'), 'NewPackagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/workflows',
    component: lazyRouteComponent(() => import('../workflows/workflows-page.tsx'), 'WorkflowsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/$id',
    validateSearch: machineIn,
    component: onItsMachine(lazyRouteComponent(() => import('../packages/package-page.tsx'), 'PackagePage')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/agents/$id',
    validateSearch: machineIn,
    params: { parse: numbered, stringify: ({ id }) => ({ id: String(id) }) },
    component: onItsMachine(lazyRouteComponent(() => import('../terminal/agent-page.tsx'), 'AgentPage')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/more',
    component: lazyRouteComponent(() => import('./more-page.tsx'), 'MorePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/machines',
    component: lazyRouteComponent(() => import('../machines/machines-page.tsx'), 'MachinesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/machines/$name',
    component: lazyRouteComponent(() => import('../machines/machine-page.tsx'), 'MachinePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/usage',
    component: lazyRouteComponent(() => import('../usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/worktrees',
    component: lazyRouteComponent(() => import('../worktrees/worktrees-page.tsx'), 'WorktreesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/personas',
    component: lazyRouteComponent(() => import('../personas/personas-page.tsx'), 'PersonasPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/personas/$slug',
    validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'lessons' } => (tab === 'lessons' ? { tab } : {}),
    component: lazyRouteComponent(() => import('../personas/persona-page.tsx'), 'PersonaPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/personas/$slug/lineage',
    component: lazyRouteComponent(() => import('../lineage/lineage-page.tsx'), 'LineagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/activity',
    validateSearch: ({ agent }: Record<string, unknown>): { agent?: number } =>
      Number.isSafeInteger(agent) ? { agent: Number(agent) } : {},
    component: lazyRouteComponent(() => import('../activity/activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  defaultPreload: 'intent',
  // Show the error inside the shell, so that the navigation stays visible.
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
