import { describe, expect, it } from 'vitest';
import type { Store, Tx } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import type { NewSearchEntry, SearchFilter } from '../../../src/domain/search/search-entry.ts';
import { parseQuery } from '../../../src/domain/search/search-query.ts';
import { distinctWords } from '../../../src/domain/search/search-words.ts';

const at = (minute: number): Instant => `2026-11-15T08:${String(minute).padStart(2, '0')}:00.000Z` as Instant;

const anEntry = (key: string, over: Partial<NewSearchEntry> = {}): NewSearchEntry => ({
  kind: 'prompt',
  key,
  at: at(0),
  agentId: null,
  personaIds: [],
  projectId: null,
  runId: null,
  packageId: null,
  line: null,
  sha256: null,
  text: null,
  ...over,
});

const put = (tx: Tx, text: string, entry: NewSearchEntry): void =>
  tx.indexText({ ...entry, text }, distinctWords(text));

const found = (store: Store, text: string, filter: Partial<SearchFilter> = {}): readonly string[] => {
  const query = parseQuery(text);
  if (isRefusal(query)) throw new Error(query.sentence);
  return store.read((tx) => tx.searchTexts(query, { limit: 10, ...filter })).map(({ key }) => key);
};

/** Tests how a store searches texts. Every store must pass these tests. */
export function describeSearchStore(name: string, open: () => Store): void {
  describe(`the search in the ${name} store`, () => {
    it('the store finds the texts with all words of a query, newest first, in whatever order the texts were stored', async () => {
      const store = open();
      await store.write((tx) => {
        put(tx, 'The retry budget is three', anEntry('a', { at: at(1) }));
        put(tx, 'The budget for retry number two', anEntry('c', { at: at(3) }));
        put(tx, 'Another budget', anEntry('b', { at: at(2) }));
        put(tx, 'An older retry of the budget', anEntry('old', { at: at(0) }));
      });
      expect(found(store, 'retry budget')).toEqual(['c', 'a', 'old']);
      expect(found(store, 'BUDGET')).toEqual(['c', 'b', 'a', 'old']);
      expect(found(store, 'num* retry')).toEqual(['c']);
      expect(found(store, 'retr')).toEqual([]);
    });

    it('the store restricts a search to a kind, a persona, a project and a time', async () => {
      const store = open();
      await store.write((tx) => {
        put(tx, 'queue', anEntry('a', { personaIds: [1], projectId: 1, at: at(1) }));
        put(tx, 'queue', anEntry('b', { personaIds: [1, 11], projectId: 2, at: at(2), kind: 'decision' }));
        put(tx, 'queue', anEntry('c', { personaIds: [11], projectId: 1, at: at(3) }));
      });
      expect(found(store, 'queue', { personaId: 1 })).toEqual(['b', 'a']);
      expect(found(store, 'queue', { personaId: 11, projectId: 1 })).toEqual(['c']);
      expect(found(store, 'queue', { kind: 'decision' })).toEqual(['b']);
      expect(found(store, 'queue', { since: at(2) })).toEqual(['c', 'b']);
      expect(found(store, 'queue', { since: at(1), until: at(2) })).toEqual(['b', 'a']);
      expect(found(store, 'decision')).toEqual([]);
    });

    it('the store returns the hits of a search page by page, newest first', async () => {
      const store = open();
      await store.write((tx) => {
        for (let n = 0; n < 5; n++) put(tx, 'queue', anEntry(`k${n}`, { at: at(n) }));
      });
      const query = [[{ folded: 'queue', isPrefix: false }]];
      const page = store.read((tx) => tx.searchTexts(query, { limit: 2 }));
      expect(page.map(({ key }) => key)).toEqual(['k4', 'k3']);
      expect(found(store, 'queue', { limit: 2, before: page.at(-1)?.id })).toEqual(['k2', 'k1']);
    });

    it('a search does not find a text that was deleted from the store', async () => {
      const store = open();
      await store.write((tx) => {
        put(tx, 'queue', anEntry('a', { at: at(1) }));
        put(tx, 'queue', anEntry('b', { at: at(2) }));
      });
      await store.write((tx) => {
        tx.forgetText('a');
        tx.forgetText('unknown');
      });
      expect(found(store, 'queue')).toEqual(['b']);
    });

    it("a newer text replaces an older text with the same key in the search index, but keeps the older text's time", async () => {
      const store = open();
      await store.write((tx) => put(tx, 'first wording', anEntry('a', { at: at(1) })));
      await store.write((tx) => put(tx, 'second wording', anEntry('a', { at: at(9) })));
      expect(found(store, 'first')).toEqual([]);
      expect(found(store, 'second', { until: at(1) })).toEqual(['a']);
    });

    it('a transaction that fails leaves no text in the search index', async () => {
      const store = open();
      await expect(
        store.write((tx) => {
          put(tx, 'phantom', anEntry('a'));
          throw new Error('failed');
        }),
      ).rejects.toThrow('failed');
      expect(found(store, 'phantom')).toEqual([]);
    });

    it('the store finds a word in any script, with accents, ligatures, apostrophes or 300 letters', async () => {
      const store = open();
      const texts = ['straße', 'ﷺ', '部署完成', 'naïve', '½', 'ﬁle', "O'Brien", 'İstanbul', 'x'.repeat(300)];
      await store.write((tx) => {
        texts.forEach((text, index) => {
          put(tx, text, anEntry(`t${index}`));
        });
      });
      texts.forEach((text, index) => {
        expect(found(store, text), text).toEqual([`t${index}`]);
      });
    });

    it('the store lists a range of the log as not indexed until the last event of the range is indexed', async () => {
      const store = open();
      await store.write((tx) => tx.saveSearchBacklog({ next: 9, last: 1 }));
      await store.write((tx) => tx.saveSearchBacklog({ next: 20, last: 20 }));
      await store.write((tx) => tx.saveSearchBacklog({ next: 5, last: 1 }));
      expect(store.read((tx) => tx.searchBacklog()).map(({ next, last }) => [next, last])).toEqual([
        [20, 20],
        [5, 1],
      ]);
      await store.write((tx) => tx.saveSearchBacklog({ next: 19, last: 20 }));
      expect(store.read((tx) => tx.searchBacklog()).map(({ last }) => last)).toEqual([1]);
    });
  });
}
