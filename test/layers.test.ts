import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  findBrokenDirections,
  findConfigFiles,
  findLeakedRuntimeNames,
  importsOf,
  LAYERS,
  readProject,
  readSources,
} from './support/layers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sorted = (names: Iterable<string>) => [...names].sort();

describe('the source tree', () => {
  const sources = readSources(root);

  it('the list of source files is not empty', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(0);
  });

  it('source files import only in the allowed directions', () => {
    expect(findBrokenDirections(importsOf(sources))).toEqual([]);
  });

  it('source files name an agent program only in the folder of that program and in the list of runtimes', () => {
    expect(findLeakedRuntimeNames(sources)).toEqual([]);
  });
});

describe('the setup of the compiler', () => {
  const projects = findConfigFiles(root).map((file) => readProject(root, file));

  it('each layer has its own TypeScript project', () => {
    expect(projects.map(({ layer }) => layer).sort()).toEqual(sorted(Object.keys(LAYERS)));
  });

  it.each(projects)('the layer $layer references exactly the layers that it may import', ({ layer, references }) => {
    expect(sorted(references)).toEqual(sorted(LAYERS[layer] ?? []));
  });

  it('the domain has neither the types of Node nor the types of a browser', () => {
    const domain = projects.find(({ layer }) => layer === 'domain');
    expect(domain?.options.types).toEqual([]);
    expect(domain?.options.lib).toEqual(['lib.es2022.d.ts']);
  });

  it('each compiler project is limited to the files in its own folder', () => {
    // The rootDir must be the layer's own folder. With a wider rootDir, a project could compile the files of another
    // project instead of referencing that project.
    for (const { layer, options } of projects) expect(options.rootDir).toBe(`${root}src/${layer}`);
  });

  it('the compiler checks the types of every layer', () => {
    const text = readFileSync(`${root}tsconfig.json`, 'utf8');
    const { references } = ts.parseConfigFileTextToJson('tsconfig.json', text).config as {
      references: { path: string }[];
    };
    const layers = references.map(({ path }) => path).filter((path) => path.startsWith('src/'));
    expect(sorted(layers)).toEqual(sorted(Object.keys(LAYERS).map((layer) => `src/${layer}`)));
  });
});

describe('the setup of the linter', () => {
  /**
   * Writes the given files into a temporary folder and lints them there with the project's own configuration. Returns
   * the findings for each file.
   */
  function lint(files: Record<string, string>): Record<string, string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'baton-lint-'));
    try {
      cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
      cpSync(join(root, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      return diagnosticsIn(folder, Object.keys(files));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  function diagnosticsIn(folder: string, files: string[]): Record<string, string[]> {
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const command = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'src'];
    const { stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    const found = JSON.parse(stdout) as { diagnostics: { message: string; location: { path: string } }[] };
    return Object.fromEntries(
      files.map((file) => [
        file,
        found.diagnostics.filter(({ location }) => location.path === file).map(({ message }) => message),
      ]),
    );
  }

  it('the linter reports code in the domain that uses the clock, randomness, Node or an npm package', () => {
    const planted = {
      'src/domain/now.ts': 'export const at = Date.now();',
      'src/domain/clock.ts': 'export const clock = Date.now;',
      'src/domain/date.ts': 'export const at = new Date();',
      'src/domain/text.ts': 'export const at = Date();',
      'src/domain/chance.ts': 'export const id = Math.random();',
      'src/domain/package.ts': "import { z } from 'zod';\nexport const schema = z;",
      'src/domain/node.ts': "import { join } from 'node:path';\nexport const path = join;",
      'src/domain/deep/up.ts': "import { open } from '../../app/open.ts';\nexport const up = open;",
      'src/domain/global.ts': 'export const at = globalThis.Date.now();',
    };
    const messages = Object.entries(lint(planted)).map(([file, [first]]) => `${file}: ${first?.split(/[.:]/)[0]}`);
    expect(messages).toEqual([
      'src/domain/now.ts: The domain has no clock',
      'src/domain/clock.ts: The domain has no clock',
      'src/domain/date.ts: The domain has no clock',
      'src/domain/text.ts: The domain has no clock',
      'src/domain/chance.ts: The domain has no randomness',
      'src/domain/package.ts: The domain imports no package and no node module',
      'src/domain/node.ts: The domain imports no package and no node module',
      'src/domain/deep/up.ts: The domain imports only the domain',
      'src/domain/global.ts: Do not use the global variable globalThis',
    ]);
  });

  it('the linter reports a forbidden import in every layer', () => {
    const planted = Object.entries(LAYERS).flatMap(([layer, allowed]) =>
      Object.keys(LAYERS)
        .filter((other) => other !== layer && !allowed.includes(other) && layer !== 'main')
        .map((other) => {
          const up = '../'.repeat(layer.split('/').length);
          const name = `src/${layer}/to-${other.replace('/', '-')}.ts`;
          return [name, `import { it } from '${up}${other}/it.ts';\nexport const leak = it;`] as const;
        }),
    );
    const silent = Object.entries(lint(Object.fromEntries(planted))).filter(([, messages]) => messages.length !== 1);
    expect(silent).toEqual([]);
  });

  it('the linter accepts code without forbidden imports', () => {
    const fine = {
      'src/domain/date.ts': "export const at = new Date('2026-01-01T00:00:00Z').getTime() + Date.parse('2026-01-01');",
      'src/domain/deep/up.ts': "import { slug } from '../slug.ts';\nexport const up = Math.floor(slug);",
      'src/adapters/runtimes/list.ts': "import { it } from './practice/it.ts';\nexport const list = [it];",
      'src/adapters/tmux/at.ts': 'export const at = Date.now();',
    };
    expect(Object.values(lint(fine)).flat()).toEqual([]);
  });
});

/**
 * Shows that the check can fail. Each rule is tested with a forbidden import and with a similar import that is allowed.
 */
describe('the check of imports and names', () => {
  const reads = (file: string, text: string) => findBrokenDirections(importsOf({ [file]: text }));

  it.each([
    ['src/domain/run.ts', "import { open } from '../app/open.ts';"],
    ['src/domain/run.ts', "import type { View } from '../contract/view.ts';"],
    ['src/domain/run.ts', "import { readFile } from 'node:fs';"],
    ['src/domain/run.ts', "import { z } from 'zod';"],
    ['src/domain/run.ts', '/// <reference types="node" />'],
    ['src/domain/agent/run.ts', "const late = await import('../../adapters/tmux/terminal.ts');"],
    ['src/contract/view.ts', "export * from '../app/open.ts';"],
    ['src/app/open.ts', "import { sqlite } from '../adapters/stores/sqlite/store.ts';"],
    ['src/app/open.ts', "import { view } from '../contract/view.ts';"],
    ['src/adapters/tmux/terminal.ts', "import { view } from '../../contract/view.ts';"],
    ['src/adapters/tmux/terminal.ts', "import { app } from '../../surfaces/http/app.ts';"],
    ['src/surfaces/http/app.ts', "import { store } from '../../adapters/stores/sqlite/store.ts';"],
    ['src/surfaces/http/app.ts', "import { cli } from '../cli/cli.ts';"],
    ['src/surfaces/http/app.ts', "import { sendRequest } from '../socket/send-request.ts';"],
    ['src/surfaces/page/api/call.ts', "import { sendRequest } from '../../socket/send-request.ts';"],
    ['src/surfaces/socket/send-request.ts', "import { cli } from '../cli/cli.ts';"],
    ['src/surfaces/cli/cli.ts', "import { run } from '../../domain/run.ts';"],
    ['src/surfaces/cli/cli.ts', "import { open } from '../../app/open.ts';"],
    ['src/practice/main.ts', "import { run } from '../domain/run.ts';"],
    ['src/app/open.ts', "import { baton } from '../main/baton.ts';"],
    ['src/main/baton.ts', "import { agent } from '../practice/main.ts';"],
    ['src/app/open.ts', "import { fixture } from '../../test/support/fixture.ts';"],
    ['src/drawer/utils.ts', ''],
  ])('the check of imports fails if %s contains %s', (file, text) => {
    expect(reads(file, text)).toHaveLength(1);
  });

  it.each([
    ['src/domain/run.ts', "import { slug } from './persona/slug.ts';"],
    ['src/contract/view.ts', "import { z } from 'zod'; import type { Run } from '../domain/run.ts';"],
    ['src/app/open.ts', "import { run } from '../domain/run.ts';"],
    [
      'src/adapters/tmux/terminal.ts',
      "import { spawn } from 'node:child_process'; import '../../app/ports/terminal.ts';",
    ],
    [
      'src/surfaces/http/app.ts',
      "import '../../app/open.ts'; import '../../contract/view.ts'; import '../../domain/run.ts';",
    ],
    ['src/surfaces/cli/cli.ts', "import '../../contract/view.ts'; import '../socket/send-request.ts';"],
    ['src/main/baton.ts', "import '../surfaces/cli/cli.ts'; import '../adapters/runtimes/list.ts';"],
  ])('the check of imports passes if %s contains %s', (file, text) => {
    expect(reads(file, text)).toEqual([]);
  });

  it.each([
    ['src/adapters/tmux/terminal.ts', '../files/persona-files.ts'],
    ['src/adapters/stores/sqlite/store.ts', '../memory/store.ts'],
    ['src/adapters/runtimes/codex/runtime.ts', '../gemini/runtime.ts'],
    ['src/adapters/tmux/terminal.ts', '../runtimes/list.ts'],
    ['src/adapters/tmux/terminal.ts', '../runtimes/practice/runtime.ts'],
    ['src/main/baton.ts', '../adapters/runtimes/practice/runtime.ts'],
  ])('the check of imports fails on an import between sibling folders: %s → %s', (file, target) => {
    expect(reads(file, `import '${target}';`)).toHaveLength(1);
  });

  it.each([
    ['src/adapters/runtimes/list.ts', './practice/runtime.ts'],
    ['src/adapters/runtimes/codex/runtime.ts', '../hook-settings.ts'],
    ['src/adapters/runtimes/codex/runtime.ts', './screen.ts'],
    ['src/adapters/tmux/terminal.ts', './parts/pane.ts'],
  ])(
    'the check of imports passes if a file imports from its own folder or from a folder above or below: %s → %s',
    (file, target) => {
      expect(reads(file, `import '${target}';`)).toEqual([]);
    },
  );

  it('the check of imports fails on an import cycle, even if the cycle contains a type import', () => {
    const problems = findBrokenDirections(
      importsOf({
        'src/domain/a.ts': "import { b } from './b.ts';",
        'src/domain/b.ts': "import type { C } from './c.ts';",
        'src/domain/c.ts': "import { a } from './a.ts';",
      }),
    );
    expect(problems).toEqual([
      'These files import each other in a circle: src/domain/a.ts → src/domain/b.ts → src/domain/c.ts → src/domain/a.ts',
    ]);
  });

  it('if two import paths lead to the same file, the check of imports finds no cycle', () => {
    const diamond = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
    const imports = Object.fromEntries(
      Object.entries(diamond).map(([file, to]) => [`src/domain/${file}.ts`, to.map((name) => `src/domain/${name}.ts`)]),
    );
    expect(findBrokenDirections(imports)).toEqual([]);
  });

  it.each([
    ['src/app/launch.ts', "if (runtime === 'codex') start();"],
    ['src/adapters/tmux/terminal.ts', 'const home = process.env.CODEX_HOME;'],
    ['src/adapters/runtimes/gemini/runtime.ts', "const other = 'opencode';"],
    ['src/main/baton.ts', 'const all = [claudeCodeRuntime];'],
    ['src/contract/agent.ts', "z.enum(['claude-code']);"],
  ])('the check of names fails if a file outside the allowed folders names an agent program: %s %s', (file, text) => {
    expect(findLeakedRuntimeNames({ [file]: text })).toHaveLength(1);
  });

  it.each([
    ['src/adapters/runtimes/codex/runtime.ts', "export const id = 'codex';"],
    ['src/adapters/runtimes/list.ts', "import { codex } from './codex/runtime.ts'; export const all = [codex];"],
    [
      'src/adapters/tmux/terminal.ts',
      '// Codex 0.40 swallows an Enter that follows a paste too soon.\nexport const settleMs = 80;',
    ],
  ])(
    'the check of names passes if the name of an agent program is in an allowed file or in a comment: %s',
    (file, text) => {
      expect(findLeakedRuntimeNames({ [file]: text })).toEqual([]);
    },
  );
});
