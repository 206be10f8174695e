/** The prompt that the demo sends again and again. After three steps of the plan, the context window is nearly full. */
export const DEMO_STORY = { prompt: 'Do the next step of PLAN.md.', maxPrompts: 8 } as const;

/**
 * The settings of the practice agent in the demo. The agent thinks slowly, so that people can follow its work. It
 * writes its document slowly, so that people can see and interrupt the step `awaiting_document`.
 */
const PRACTICE = { thinkMs: 600, contextWindow: 9_000, handoff: 'slow' };

/**
 * The files of a small realistic project, by path. The project's plan has more steps than fit into the context window.
 */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
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
  '.practice.json': `${JSON.stringify(PRACTICE)}\n`,
};
