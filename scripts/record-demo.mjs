// Plays `baton demo` in a real terminal and records it as an animation: docs/pictures/demo.svg.
//
//   npm run record:demo

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw } from './record/draw-frames.mjs';
import { recordPane } from './record/record-pane.mjs';
import { ROOT } from './setup/paths.mjs';

const SIZE = { columns: 100, rows: 38 };

const frames = await recordPane([process.execPath, join(ROOT, 'dist/main/baton.js'), 'demo'], {
  ...SIZE,
  prompt: '$ npx baton demo',
});
const picture = draw(frames, SIZE);
writeFileSync(join(ROOT, 'docs/pictures/demo.svg'), picture);
console.log(
  `${frames.length} frames, ${((frames.at(-1)?.atMs ?? 0) / 1000).toFixed(1)} s, ${(picture.length / 1024).toFixed(0)} kB`,
);
