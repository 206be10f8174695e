// Writes docs/PROTOCOL.md and docs/handoff-package.schema.json from the schema and the rules.
// `npm test` fails if these files are out of date.
//
//   npm run docs:protocol

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTypeScript } from './prove/load-typescript.mjs';
import { ROOT } from './setup/paths.mjs';

await loadTypeScript(async (load) => {
  const { protocolPage } = await load('/src/contract/packages/protocol-page.ts');
  const { packageJsonSchema } = await load('/src/contract/packages/package-schema.ts');
  writeFileSync(join(ROOT, 'docs/PROTOCOL.md'), protocolPage());
  writeFileSync(
    join(ROOT, 'docs/handoff-package.schema.json'),
    `${JSON.stringify(packageJsonSchema(), undefined, 2)}\n`,
  );
});
