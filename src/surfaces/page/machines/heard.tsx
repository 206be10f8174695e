import { createContext, useContext } from 'react';
import { Ago } from '../parts/time.tsx';

/** How current the knowledge about the other machine is that a part of the page shows. */
export interface Heard {
  /** True only while the reports of the machine arrive. Otherwise everything is its last known state. */
  readonly isLive: boolean;
  readonly at: string | null;
}

/** Null in parts of the page that show this machine. */
export const HeardContext = createContext<Heard | null>(null);

export const useHeard = (): Heard | null => useContext(HeardContext);

/** Shows for example "as of 3 min ago"; nothing for this machine. */
export function AsOf({ heard }: { readonly heard: Heard }) {
  return heard.at === null ? (
    'of unknown age'
  ) : (
    <>
      as of <Ago at={heard.at} />
    </>
  );
}
