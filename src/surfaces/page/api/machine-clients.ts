import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { onMachine } from '../../../contract/routes.ts';
import { post } from './call.ts';
import { createQueryClient } from './query-client.ts';

/**
 * The query clients of the other machines. Each machine has its own client, because agent 3 of one machine is not agent
 * 3 of another. If a part of the page has such a client, all requests of this part go to the client's machine, under
 * /api/machines/NAME/….
 */
const clients = new Map<string, QueryClient>();
const machines = new WeakMap<QueryClient, string>();

export function clientOf(machine: string): QueryClient {
  const known = clients.get(machine);
  if (known !== undefined) return known;
  const client = createQueryClient();
  clients.set(machine, client);
  machines.set(client, machine);
  return client;
}

/** Returns the machine that a query client asks; null for this machine. */
export const machineOf = (client: QueryClient): string | null => machines.get(client) ?? null;

/** Returns the name of the other machine that this part of the page shows; null for this machine. */
export const useMachine = (): string | null => machineOf(useQueryClient());

/** Returns a text such as ` on laptop` for the names of buttons. For this machine the text is empty. */
export function useOnMachine(): string {
  const machine = useMachine();
  return machine === null ? '' : ` on ${machine}`;
}

/** Returns a function that sends a request to the machine that this part of the page shows. */
export function usePost(): typeof post {
  const client = useQueryClient();
  const machine = machineOf(client);
  if (machine === null) return post;
  return async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await post<T>(onMachine(machine, path), body);
    void client.invalidateQueries();
    return answer;
  };
}

/**
 * Fetches again everything that the page shows about a machine. Ignores failures, because each part of the page reports
 * the failure of its own request.
 */
export const refreshMachine = async (machine: string): Promise<void> => clients.get(machine)?.invalidateQueries();
