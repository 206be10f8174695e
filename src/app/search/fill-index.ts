import type { LoggedEvent } from '../../domain/facts.ts';
import type { SearchBacklog } from '../../domain/search/search-entry.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { INDEXED_EVENTS, indexEvent, indexPackage } from './index-texts.ts';

/**
 * Adds texts that are missing in the search index, for example texts from a time before Baton had a search. Works in
 * small steps, so that the rest of Baton does not have to wait.
 */
export interface IndexFiller {
  wake(): void;
  stop(): Promise<void>;
}

/** The number of texts that one step indexes. A step must not block Baton for more than about 50 ms. */
const STEP = 8;
/** The pause between two steps, in which other work goes on. */
const PAUSE_MS = 5;

export function createIndexFiller(ports: Ports): IndexFiller {
  let stopped = false;
  let working: Promise<void> | undefined;
  let cancelPause: (() => void) | undefined;

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = ports.clock.after(PAUSE_MS, resolve);
      cancelPause = () => {
        cancel();
        resolve();
      };
    });
  const fill = async (): Promise<void> => {
    while (!stopped && (await fillStep(ports))) await pause();
  };
  return {
    wake: () => {
      if (stopped || working !== undefined || ports.store.read((tx) => tx.searchBacklog()).length === 0) return;
      working = fill()
        .catch((error: unknown) => ports.log.error(`could not index older texts: ${errorMessage(error)}`))
        .finally(() => {
          working = undefined;
        });
    },
    stop: async () => {
      stopped = true;
      cancelPause?.();
      await working;
    },
  };
}

/** Indexes the next few texts of the backlog. Returns false if the backlog is empty. */
export async function fillStep(ports: Pick<Ports, 'store' | 'files' | 'secrets' | 'log'>): Promise<boolean> {
  const [part] = ports.store.read((tx) => tx.searchBacklog());
  if (part === undefined) return false;
  const events = ports.store.read((tx) =>
    tx.events({
      after: part.last - 1,
      before: part.next + 1,
      types: INDEXED_EVENTS,
      newestFirst: true,
      limit: STEP,
    }),
  );
  const documents = await Promise.all(events.map((event) => documentOf(ports, event)));
  await ports.store.write((tx) => {
    events.forEach((event, index) => {
      const stored = event.type === 'package_created' ? tx.packageById(String(event.data.packageId)) : undefined;
      if (stored !== undefined) indexPackage(tx, ports, stored);
      else if (event.type !== 'document_checked' || documents[index] !== undefined)
        indexEvent(tx, ports, event, documents[index]);
    });
    tx.saveSearchBacklog({ next: nextIn(part, events), last: part.last });
  });
  return true;
}

const nextIn = ({ last }: SearchBacklog, events: readonly LoggedEvent[]): number =>
  events.length < STEP ? last - 1 : (events.at(-1)?.seq ?? last) - 1;

/**
 * Reads the document that an event is about. If Baton's copy of the document is missing or damaged, the search cannot
 * find the document.
 */
async function documentOf(
  { store, files, log }: Pick<Ports, 'store' | 'files' | 'log'>,
  { type, runId }: LoggedEvent,
): Promise<string | undefined> {
  const run = type === 'document_checked' && runId !== null ? store.read((tx) => tx.runById(runId)) : undefined;
  const sha256 = run?.document?.sha256;
  if (!sha256) return undefined;
  try {
    return (await files.keptDocument(sha256)).text;
  } catch (error) {
    log.warn(`could not index a document: ${errorMessage(error)}`, { run: runId ?? 0 });
    return undefined;
  }
}
