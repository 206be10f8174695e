import { createContext, useContext } from 'react';

/** True while the page has no connection to Baton. Buttons that send a request are then disabled. */
export const Offline = createContext(false);

export const useIsOffline = (): boolean => useContext(Offline);
