import { QueryClient } from '@tanstack/react-query';
import { Refused } from './call.ts';

// Send requests even if the browser reports that it is offline. Baton runs on this machine or behind a tunnel, so it
// may be reachable without an internet connection.
const always = { networkMode: 'always' } as const;
/** Sends a request a second time if no answer came or the server failed. A refusal such as 404 is final. */
const retry = (failures: number, error: unknown): boolean =>
  failures < 1 && !(error instanceof Refused && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { ...always, retry, refetchOnWindowFocus: false }, mutations: always },
  });
