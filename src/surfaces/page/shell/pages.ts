import { useIsInFleet } from '../api/fleet-queries.ts';
import type { IconName } from './icon.tsx';

export interface PageEntry {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** True if the page has a tab of its own on a phone. The other pages are under the tab More. */
  readonly isTab: boolean;
  /** True if the page exists only while this Baton is in a fleet. */
  readonly isOfFleet?: boolean;
}

const PAGES: readonly PageEntry[] = [
  { to: '/', title: 'Agents', icon: 'agents', isTab: true },
  { to: '/inbox', title: 'Inbox', icon: 'inbox', isTab: true },
  { to: '/runs', title: 'Handoffs', icon: 'handoffs', isTab: true },
  { to: '/packages', title: 'Packages', icon: 'packages', isTab: true },
  { to: '/search', title: 'Search', icon: 'search', isTab: false },
  { to: '/machines', title: 'Machines', icon: 'machines', isTab: false, isOfFleet: true },
  { to: '/personas', title: 'Personas', icon: 'personas', isTab: false },
  { to: '/worktrees', title: 'Worktrees', icon: 'worktrees', isTab: false },
  { to: '/usage', title: 'Usage', icon: 'usage', isTab: false },
  { to: '/activity', title: 'Activity', icon: 'activity', isTab: false },
  { to: '/settings', title: 'Settings', icon: 'settings', isTab: false },
];

/** Returns the pages of this Baton. The page Machines is included only if this Baton is in a fleet. */
export function usePages(): readonly PageEntry[] {
  const isInFleet = useIsInFleet();
  return PAGES.filter(({ isOfFleet = false }) => isInFleet || !isOfFleet);
}

/** The fifth tab on a phone, with the pages that have no tab of their own. */
export const MORE: PageEntry = { to: '/more', title: 'More', icon: 'more', isTab: true };

/** True if this is the path of the page of an agent, which belongs to the page Agents. */
export const isUnderAgents = (path: string): boolean => path.startsWith('/agents/');

/** True if the page at the given path is one of the pages to which the tab More leads. */
export const isUnderMore = (path: string): boolean =>
  PAGES.some(({ to, isTab }) => !isTab && (path === to || path.startsWith(`${to}/`)));
