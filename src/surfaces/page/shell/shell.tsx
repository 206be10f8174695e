import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { inboxQuery } from '../api/queries.ts';
import { classes } from '../parts/class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { LinkStatus, StaleBanner, TroubleBanner } from './link-status.tsx';
import { useAttention } from './use-attention.ts';

const PAGES: readonly { readonly to: string; readonly title: string; readonly icon: IconName }[] = [
  { to: '/', title: 'Agents', icon: 'agents' },
  { to: '/inbox', title: 'Inbox', icon: 'inbox' },
  { to: '/runs', title: 'Handoffs', icon: 'handoffs' },
  { to: '/packages', title: 'Packages', icon: 'packages' },
  { to: '/personas', title: 'Personas', icon: 'personas' },
  { to: '/activity', title: 'Activity', icon: 'activity' },
  { to: '/settings', title: 'Settings', icon: 'settings' },
];

export function Shell() {
  const { data: items } = useQuery(inboxQuery);
  const navigate = useNavigate();
  useAttention(
    items?.length ?? 0,
    useCallback(() => void navigate({ to: '/inbox' }), [navigate]),
  );
  const main = useFocusAfterNavigation();
  return (
    <div className="mx-auto flex min-h-dvh max-w-[110rem] flex-col md:flex-row">
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
        <Navigation waiting={items?.length ?? 0} />
        <div className="md:mt-auto md:px-3">
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
        <Outlet />
      </main>
    </div>
  );
}

/** The navigation is at the side, or on a phone at the bottom, within reach of the thumb. */
function Navigation({ waiting }: { readonly waiting: number }) {
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:static md:border-0 md:bg-transparent"
    >
      <ul className="flex justify-between md:flex-col md:gap-0.5">
        {PAGES.map(({ to, title, icon }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              activeOptions={{ exact: to === '/' }}
              className="group relative flex flex-col items-center gap-1 py-2 text-[0.7rem] text-muted hover:text-ink md:flex-row md:gap-3 md:rounded-lg md:px-3 md:text-[0.95rem]"
              activeProps={{ className: 'text-ink! font-semibold md:bg-panel md:shadow-card', 'aria-current': 'page' }}
            >
              <Icon name={icon} />
              {/* On a very narrow screen only the current page has its word, or the last link would not fit. */}
              <span className="max-[22rem]:sr-only max-[22rem]:group-aria-[current=page]:not-sr-only">{title}</span>
              {to === '/inbox' && <Count of={waiting} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Count = ({ of: count }: { readonly of: number }) =>
  count === 0 ? null : (
    <span
      className={classes(
        'absolute top-1 left-1/2 ml-1.5 min-w-5 rounded-full bg-red px-1.5 text-center text-xs leading-5 font-semibold text-panel',
        'md:static md:ml-auto',
      )}
    >
      {count}
      <span className="sr-only"> {count === 1 ? 'item needs' : 'items need'} you</span>
    </span>
  );

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
