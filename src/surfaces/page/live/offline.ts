import { createContext, useContext } from 'react';

/** True while the page has no connection to Baton. While it is true, buttons that send a request are disabled. */
export const Offline = createContext(false);

export const useIsOffline = (): boolean => useContext(Offline);
