/** The demo sends this prompt repeatedly, until the context window is nearly full after three steps of the plan. */
export const DEMO_STORY = { prompt: 'Do the next step of PLAN.md.', maxPrompts: 8, contextWindow: 9_000 } as const;

/** Settings of the practice agent in the sample project. */
export interface SamplePace {
  readonly thinkMs: number;
}

/** The content of a small realistic project by path. Its plan has more steps than fit into the context window. */
export const sampleFiles = (pace: SamplePace): Readonly<Record<string, string>> => ({
  'README.md': `# tally

Counts lines, words and characters of text files, and says which words come up most.

    node src/tally.mjs README.md
`,
  'PLAN.md': `# Plan for tally

- [ ] Count lines, words and characters of one file
- [ ] Read standard input when no file is named
- [ ] Print a total when several files are named
- [ ] List the ten most frequent words with --top
- [ ] Ignore case and punctuation when counting words
- [ ] Write a usage message and tests for wrong options
`,
  'src/tally.mjs': `import { readFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const text = readFileSync(path, 'utf8');
console.log(text.split('\\n').length, path);
`,
  // Slow writing makes the run stay in awaiting_document for a second: long enough to see or interrupt it.
  '.practice.json': `${JSON.stringify({ ...pace, contextWindow: DEMO_STORY.contextWindow, handoff: 'slow' })}\n`,
});
