import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { AgentsPage } from '../agents/agents-page.tsx';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { DialogHost } from '../parts/dialogs/dialog-host.tsx';
import { Empty } from '../parts/panel.tsx';
import { Broken } from './broken.tsx';
import { Shell } from './shell.tsx';

/**
 * The address of a page is after the #. So the server answers only a closed list of files without a token, and a path
 * that looks like a page never reaches the API's guard.
 */
const root = createRootRoute({
  component: () => (
    <DialogHost>
      <Shell />
    </DialogHost>
  ),
  notFoundComponent: () => (
    <Empty title="Page not found">
      <Link to="/" className="text-accent underline">
        Go to Agents
      </Link>
    </Empty>
  ),
});

const numbered = (params: Record<string, string>) => ({ id: Number(params.id) });

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: AgentsPage }),
  createRoute({ getParentRoute: () => root, path: '/inbox', component: InboxPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    component: lazyRouteComponent(() => import('../handoffs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$id',
    params: { parse: numbered, stringify: ({ id }) => ({ id: String(id) }) },
    component: lazyRouteComponent(() => import('../handoffs/run/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages',
    validateSearch: ({ agent }: Record<string, unknown>): { agent?: string } =>
      typeof agent === 'string' ? { agent } : {},
    component: lazyRouteComponent(() => import('../packages/packages-page.tsx'), 'PackagesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/new',
    component: lazyRouteComponent(() => import('../packages/new/new-package-page.tsx'), 'NewPackagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/packages/$id',
    component: lazyRouteComponent(() => import('../packages/package-page.tsx'), 'PackagePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/agents/$id',
    params: { parse: numbered, stringify: ({ id }) => ({ id: String(id) }) },
    component: lazyRouteComponent(() => import('../terminal/agent-page.tsx'), 'AgentPage'),
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
  // The error is shown inside the shell, so that the navigation stays visible.
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
