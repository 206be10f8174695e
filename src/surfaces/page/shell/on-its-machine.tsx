import { type AsyncRouteComponent, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Loading } from '../parts/spinner.tsx';

/** The code for pages about other machines. It is loaded only if the address names another machine. */
const MachineScope = lazy(() => import('../machines/machine-scope.tsx'));

/**
 * Shows a page about the machine that the address names with `?machine=`. If the address names no machine, the page is
 * about this machine.
 */
export function onItsMachine(Page: AsyncRouteComponent<object>): AsyncRouteComponent<object> {
  const Scoped = () => {
    const { machine } = useSearch({ strict: false });
    if (machine === undefined) return <Page />;
    return (
      <Suspense fallback={<Loading what="Loading page" />}>
        <MachineScope key={machine} name={machine}>
          <Page />
        </MachineScope>
      </Suspense>
    );
  };
  return Object.assign(Scoped, Page.preload && { preload: Page.preload });
}
