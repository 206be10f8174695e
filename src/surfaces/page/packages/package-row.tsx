import { memo } from 'react';
import type { PackageRow as Row } from '../../../contract/packages/package-resources.ts';
import { usePartyNames } from '../api/party-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Ago, Countdown } from '../parts/time.tsx';
import { ToPackage } from '../parts/to.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';
import { FromTo, PackageState } from './package-state.tsx';
import { waiterInWords } from './package-words.ts';

/** One package in the list. The whole row leads to the package's page. */
export const PackageRow = memo(function PackageRow({ row }: { readonly row: Row }) {
  const waiter = waiterInWords(row, usePartyNames());
  return (
    <li className="relative px-4 py-3.5 hover:bg-sunken/60 has-[a:focus-visible]:bg-sunken">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1.5">
        <ToPackage id={row.id} className="min-w-0 font-semibold after:absolute after:inset-0">
          {row.id}
          <span className="font-normal text-muted">
            {' · '}
            <FromTo from={row.from} to={row.to} />
          </span>
        </ToPackage>
        <PackageState of={row} />
      </div>
      <p className="mt-1 line-clamp-2 text-sm wrap-anywhere">
        <ShortPaths text={row.summary} />
      </p>
      <div className="mt-1 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <p>
          {row.type} · <Ago at={row.created_at} />
        </p>
        {waiter !== null && (
          <p className="wrap-anywhere">
            waiting for {visible(waiter)}
            {row.deadline_at !== null && (
              <>
                {' · '}
                <Countdown to={row.deadline_at} after=" left" />
              </>
            )}
          </p>
        )}
      </div>
    </li>
  );
});
