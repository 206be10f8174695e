import { Link, useRouterState } from '@tanstack/react-router';
import { classes } from '../parts/class-names.ts';
import { Icon } from './icon.tsx';
import { isUnderAgents, isUnderMore, MORE, type PageEntry, usePages } from './pages.ts';

const ACTIVE = { className: 'text-ink! font-semibold md:bg-panel md:shadow-card', 'aria-current': 'page' } as const;

/**
 * The navigation is at the side. On a phone it is at the bottom, with five tabs within reach of the thumb and the other
 * pages in More.
 */
export function Navigation({ waiting }: { readonly waiting: number }) {
  const pages = usePages();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  /** True if the shown page belongs to this entry, although the page's path does not begin with the entry's path. */
  const isParent = ({ to }: PageEntry): boolean =>
    (to === '/' && isUnderAgents(path)) || (to === MORE.to && isUnderMore(path));
  return (
    <nav
      aria-label="Pages"
      data-tab-bar=""
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:static md:border-0 md:bg-transparent"
    >
      <ul className="flex justify-between md:flex-col md:gap-0.5">
        {[...pages, MORE].map((page) => (
          <li key={page.to} className={classes('flex-1', page === MORE ? 'md:hidden' : !page.isTab && 'max-md:hidden')}>
            <Link
              to={page.to}
              activeOptions={{ exact: page.to === '/', includeSearch: false }}
              className={classes(
                'relative flex min-h-13 flex-col items-center justify-center gap-1 py-2 text-xs text-muted hover:text-ink',
                // Reduce the height of the navigation in a low window, such as one at a zoom of 200 %.
                '[@media(max-height:30rem)]:min-h-11 [@media(max-height:30rem)]:flex-row [@media(max-height:30rem)]:gap-2 [@media(max-height:30rem)]:py-0',
                'md:min-h-10 md:flex-row md:justify-start md:gap-3 md:rounded-lg md:px-3 md:text-[0.95rem]',
                isParent(page) && ACTIVE.className,
              )}
              activeProps={ACTIVE}
              {...(isParent(page) && { 'aria-current': ACTIVE['aria-current'] })}
            >
              <Icon name={page.icon} />
              <span>{page.title}</span>
              {page.to === '/inbox' && <Count of={waiting} />}
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
        '[@media(max-height:30rem)]:static [@media(max-height:30rem)]:ml-0 md:static md:ml-auto',
      )}
    >
      {count}
      <span className="sr-only"> {count === 1 ? 'item needs' : 'items need'} you</span>
    </span>
  );
