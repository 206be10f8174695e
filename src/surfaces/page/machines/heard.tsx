import { createContext, useContext } from 'react';
import { Ago } from '../parts/time.tsx';

/** The age of the data that a part of the page shows about another machine. */
export interface Heard {
  /** True only while the reports of the machine arrive. Otherwise the page shows the machine's last known state. */
  readonly isLive: boolean;
  readonly at: string | null;
}

/** The age of the shown data; null in parts of the page about this machine. */
export const HeardContext = createContext<Heard | null>(null);

export const useHeard = (): Heard | null => useContext(HeardContext);

/** Shows the age of data from another machine, such as "as of 3 min ago". */
export function AsOf({ heard }: { readonly heard: Heard }) {
  return heard.at === null ? (
    'of unknown age'
  ) : (
    <>
      as of <Ago at={heard.at} />
    </>
  );
}
