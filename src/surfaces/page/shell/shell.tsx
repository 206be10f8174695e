import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react';
import { machinesQuery, useIsInFleet } from '../api/fleet-queries.ts';
import { inboxQuery } from '../api/queries.ts';
import { Keyboard } from '../keyboard/keyboard.tsx';
import { useLive } from '../live/live-context.tsx';
import { Offline } from '../live/offline.ts';
import { classes } from '../parts/class-names.ts';
import { LinkStatus, StaleBanner, TroubleBanner } from './link-status.tsx';
import { Navigation } from './navigation.tsx';
import { AnnounceAgents } from './news/announce-agents.tsx';
import { useAttention } from './news/use-attention.ts';
import { useHandoffToasts } from './news/use-handoff-toasts.ts';

const KEY = 'rounded border border-line-strong bg-panel px-1 py-px font-sans text-[0.7rem]';

/** The component that watches the other machines. It is loaded only if this Baton is in a fleet. */
const FleetFeed = lazy(() => import('../machines/fleet-feed.tsx'));

/** Returns how many items need the operator on the other machines of the fleet, according to their last reports. */
function useNeedsElsewhere(isInFleet: boolean): number {
  const { data } = useQuery({ ...machinesQuery, enabled: isInFleet });
  return (data?.machines ?? []).reduce((sum, { is_self, needs }) => sum + (is_self ? 0 : needs), 0);
}

export function Shell() {
  const { data: items } = useQuery(inboxQuery);
  const isInFleet = useIsInFleet();
  const waiting = (items?.length ?? 0) + useNeedsElsewhere(isInFleet);
  const navigate = useNavigate();
  const isOffline = useLive(({ status }) => status === 'cut_off');
  useAttention(
    waiting,
    useCallback((path: string) => void navigate({ to: path }), [navigate]),
    isOffline,
  );
  useHandoffToasts();
  const main = useFocusAfterNavigation();
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-panel focus:px-3 focus:py-2"
      >
        Skip to content
      </button>
      <header className="flex items-center justify-between gap-3 px-4 pt-3 md:sticky md:top-0 md:h-dvh md:w-56 md:shrink-0 md:flex-col md:items-stretch md:justify-start md:py-6">
        <Link to="/" className="flex items-center gap-2.5 text-lg font-semibold tracking-tight md:px-3 md:pb-4">
          <img src="/icon.svg" alt="" className="size-7" /> Baton
        </Link>
        <Navigation waiting={waiting} />
        <div className="md:mt-auto md:px-3">
          <p className="mb-2 text-xs text-muted max-md:hidden">
            <kbd className={KEY}>Ctrl K</kbd> go to <kbd className={classes(KEY, 'ml-2')}>?</kbd> shortcuts
          </p>
          <LinkStatus />
        </div>
      </header>
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="min-w-0 flex-1 px-4 pt-5 pb-28 outline-none md:px-8 md:pt-8 md:pb-12"
      >
        <StaleBanner />
        <TroubleBanner />
        <Offline value={isOffline}>
          <Outlet />
        </Offline>
      </main>
      <Keyboard />
      <AnnounceAgents />
      {isInFleet && (
        <Suspense>
          <FleetFeed />
        </Suspense>
      )}
    </div>
  );
}

/** Moves the focus from the pressed link to the new page, so that a screen reader announces the page. */
function useFocusAfterNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const first = useRef(path);
  useEffect(() => {
    if (first.current === path) return;
    first.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
