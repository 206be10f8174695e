import type { SearchHit } from '../../../contract/history/search.ts';

export const KIND_WORDS: Readonly<Record<SearchHit['kind'], string>> = {
  document: 'Document',
  decision: 'Decision',
  package: 'Package',
  prompt: 'Prompt',
  answer: 'Answer',
  lesson: 'Lesson',
};
