// Completes package-lock.json, so that `npm ci` accepts the file everywhere. Adds entries for optional npm packages
// that are made for other platforms and that the registry in use does not serve. Also removes registry addresses. Run
// this script after npm install changed the file.
//
//   node scripts/complete-lock.mjs [--check]
//
// --check changes nothing and exits with 1 if the file is not complete; npm run check uses it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completePackages, problemsOf } from './lock/complete.mjs';
import { ROOT } from './setup/paths.mjs';

const LOCKFILE = join(ROOT, 'package-lock.json');

const text = readFileSync(LOCKFILE, 'utf8');
const lock = JSON.parse(text);

if (process.argv.includes('--check')) {
  const problems = problemsOf(lock.packages);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  const packages = completePackages(lock.packages);
  const completed = `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
  const added = Object.keys(packages).filter((path) => lock.packages[path] === undefined);
  if (completed === text) console.log('package-lock.json is complete.');
  else {
    writeFileSync(LOCKFILE, completed);
    console.log(`Wrote package-lock.json: ${added.length} optional packages added.`);
    for (const path of added) console.log(`  ${path} ${packages[path]?.version}`);
  }
}
