import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completePackages, type Packages, platformOf, problemsOf, satisfies } from '../scripts/lock/complete.mjs';
import { npmCommand } from '../scripts/setup/packages.mjs';
import { run } from './support/baton-process.ts';

const OURS: Packages = JSON.parse(
  readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8'),
).packages;

const served = (extra: object = {}) => ({ version: '1.0.0', integrity: 'sha512-x', ...extra });

/** Returns lock file entries in which the npm package `native` has the named npm packages as optional dependencies. */
const family = (names: readonly string[], entries: Packages = {}, parent: object = {}): Packages => ({
  '': { optionalDependencies: {} },
  'node_modules/native': served({
    ...parent,
    optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
  }),
  ...entries,
});

describe('optional npm packages that are missing in the lock file', () => {
  it('an npm package that the lock file lacks is added with the version from its parent package and the platform from its own name', () => {
    const packages = completePackages(family(['native-darwin-arm64']));
    expect(packages['node_modules/native-darwin-arm64']).toEqual({
      version: '1.0.0',
      cpu: ['arm64'],
      optional: true,
      os: ['darwin'],
    });
    expect(problemsOf(packages)).toEqual([]);
  });

  it("if the lock file lacks an npm package, an entry is added even if the package's parent is inside the folder of another npm package", () => {
    const packages = completePackages({
      ...family([]),
      'node_modules/native/node_modules/inner': served({ optionalDependencies: { 'inner-win32-x64-msvc': '2.0.0' } }),
    });
    expect(packages['node_modules/inner-win32-x64-msvc']).toMatchObject({ version: '2.0.0', os: ['win32'] });
  });

  it('an npm package that only development packages need is marked as a development package', () => {
    const dev = family(['native-darwin-x64'], {}, { dev: true });
    expect(completePackages(dev)['node_modules/native-darwin-x64']?.dev).toBe(true);
    const both = { ...dev, 'node_modules/other': served({ optionalDependencies: { 'native-darwin-x64': '1.0.0' } }) };
    expect(completePackages(both)['node_modules/native-darwin-x64']?.dev).toBeUndefined();
  });

  it('the entry added for a missing npm package has a libc field only if the entry of a similar npm package has a libc field', () => {
    const names = ['native-linux-x64-gnu', 'native-linux-x64-musl'];
    const gnu = { os: ['linux'], cpu: ['x64'], optional: true };
    const plain = family(names, { 'node_modules/native-linux-x64-gnu': served(gnu) });
    expect(completePackages(plain)['node_modules/native-linux-x64-musl']?.libc).toBeUndefined();
    const exact = family(names, { 'node_modules/native-linux-x64-gnu': served({ ...gnu, libc: ['glibc'] }) });
    expect(completePackages(exact)['node_modules/native-linux-x64-musl']?.libc).toEqual(['musl']);
  });

  it('if the lock file has another version of a missing npm package at the top level, the missing version is added in the folder of the parent package', () => {
    const packages = completePackages(
      family(['native-darwin-x64'], { 'node_modules/native-darwin-x64': served({ version: '0.9.0' }) }),
    );
    expect(packages['node_modules/native-darwin-x64']?.version).toBe('0.9.0');
    expect(packages['node_modules/native/node_modules/native-darwin-x64']?.version).toBe('1.0.0');
    expect(problemsOf(packages)).toEqual([]);
  });

  it('completing the lock file fails if the name of a missing npm package contains no platform', () => {
    expect(() => completePackages(family(['native-helper']))).toThrow(/native-helper .* does not tell which platform/);
  });

  it('completing the lock file fails if the parent of a missing npm package asks for a range of versions', () => {
    const packages = { 'node_modules/native': served({ optionalDependencies: { 'native-darwin-x64': '^1.0.0' } }) };
    expect(() => completePackages(packages)).toThrow(/native-darwin-x64 .* asks for \^1\.0\.0/);
  });
});

describe('the rest of the lock file', () => {
  it('completing the lock file does not change its existing entries', () => {
    const { 'node_modules/native-darwin-arm64': _added, ...rest } = completePackages(family(['native-darwin-arm64']));
    expect(rest).toEqual(family(['native-darwin-arm64']));
    expect(Object.entries(completePackages(OURS))).toEqual(Object.entries(OURS));
  });

  it('addresses of a registry are removed from the lock file', () => {
    const packages = completePackages({
      'node_modules/a': served({ resolved: 'https://registry.example/a/-/a-1.0.0.tgz' }),
      'node_modules/b': served({ resolved: 'git+ssh://git@example.org/b.git#1234' }),
    });
    expect(packages['node_modules/a']).toEqual(served());
    expect(packages['node_modules/b']?.resolved).toContain('git+ssh');
  });
});

describe('npm run check on the lock file', () => {
  it('npm run check accepts our lock file', () => {
    expect(problemsOf(OURS)).toEqual([]);
  });

  it.each<[string, Packages, RegExp]>([
    ['a missing optional package', family(['native-darwin-x64']), /^Missing: native-darwin-x64@1\.0\.0/],
    [
      'an optional package in another version than its parent lists',
      family(['native-darwin-x64'], { 'node_modules/native-darwin-x64': served({ version: '1.0.1' }) }),
      /^Wrong version: .* as 1\.0\.1/,
    ],
    [
      'a registry address',
      { 'node_modules/a': served({ resolved: 'https://registry.example/a/-/a-1.0.0.tgz' }) },
      /^Registry address: node_modules\/a /,
    ],
    ['a package without a checksum', { 'node_modules/a': { version: '1.0.0' } }, /^No checksum: node_modules\/a /],
    [
      'a license that cannot be known',
      family(['native-darwin-x64'], {
        'node_modules/native-darwin-x64': { ...darwin(), license: 'MIT' } as Packages[string],
      }),
      /^Made up: .* license cannot be known/,
    ],
    [
      'a platform that is not the one in the name',
      family(['native-darwin-x64'], { 'node_modules/native-darwin-x64': { ...darwin(), os: ['linux'] } }),
      /^Made up: .*"os":\["linux"\]/,
    ],
  ])('npm run check reports %s in a lock file', (_, packages, problem) => {
    expect(problemsOf(packages)).toEqual([expect.stringMatching(problem)]);
  });
});

function darwin(): Packages[string] {
  return { version: '1.0.0', cpu: ['x64'], optional: true, os: ['darwin'] };
}

/**
 * npm packages from this repository's own lock file. The code under test has to derive each package's platform from its
 * name. fsevents is left out, because its name has no platform.
 */
const NAMED = Object.entries(OURS).filter(
  ([path, { optional, integrity, os, cpu }]) =>
    optional && integrity && (os ?? cpu) && path !== 'node_modules/fsevents',
);

it.each(NAMED)('the lock file limits the npm package %s to the platform in its name', (path, { os, cpu, libc }) => {
  const platform = platformOf(path, libc !== undefined);
  expect({ os, cpu, libc }).toEqual({
    os: platform.os && [platform.os],
    cpu: platform.cpu && [platform.cpu],
    libc: platform.libc && [platform.libc],
  });
});

it('the lock file has more than 30 npm packages with a platform in their name', () => {
  expect(NAMED.length).toBeGreaterThan(30);
});

it.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['2.3.4', '~2.3.3', true],
  ['2.3.2', '~2.3.3', false],
  ['2.4.0', '~2.3.3', false],
  ['1.9.0', '^1.2.3', true],
  ['1.2.2', '^1.2.3', false],
  ['2.0.0', '^1.2.3', false],
  ['0.3.9', '^0.3.1', true],
  ['0.4.0', '^0.3.1', false],
  ['0.0.4', '^0.0.3', false],
  ['1.0.0', '>=1 <2', false],
  [undefined, '1.0.0', false],
])('the check whether the version %s is in the range %s returns %s', (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected);
});

describe('npm ci itself', () => {
  const PLATFORMS = ['native-linux-x64-gnu', 'native-linux-x64-musl', 'native-darwin-arm64'];
  let folder: string;
  let registry: Server;
  let tarballs: Map<string, Buffer>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'btl-'));
    tarballs = new Map();
    registry = createServer(({ url = '' }, response) => {
      const [name = '', file] = url.slice(1).split('/-/');
      const tarball = tarballs.get(name);
      if (tarball === undefined) return response.writeHead(404).end('{}');
      response.end(file === undefined ? JSON.stringify(document(name, tarball)) : tarball);
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });

  afterEach(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

  function manifest(name: string) {
    const platform = name === 'native' ? {} : platformOf(name, true);
    const optional = Object.fromEntries(PLATFORMS.map((each) => [each, '1.0.0']));
    return {
      name,
      version: '1.0.0',
      ...Object.fromEntries(Object.entries(platform).map(([field, value]) => [field, [value]])),
      ...(name === 'native' && { optionalDependencies: optional }),
    };
  }

  const integrityOf = (tarball: Buffer) => `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

  function document(name: string, tarball: Buffer) {
    const dist = { tarball: `${address()}/${name}/-/${name}-1.0.0.tgz`, integrity: integrityOf(tarball) };
    return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { ...manifest(name), dist } } };
  }

  function serve(...names: string[]) {
    for (const name of names) {
      const parts = join(folder, 'packed', name);
      mkdirSync(join(parts, 'package'), { recursive: true });
      writeFileSync(join(parts, 'package/package.json'), JSON.stringify(manifest(name)));
      const { status } = spawnSync('tar', ['-czf', join(parts, 'it.tgz'), '-C', parts, 'package']);
      expect(status).toBe(0);
      tarballs.set(name, readFileSync(join(parts, 'it.tgz')));
    }
  }

  /**
   * Creates a lock file like Baton's own. In Baton's own lock file, npm entered only the npm package for Linux with
   * glibc. A script then added the npm packages for the other platforms.
   */
  function writeProject() {
    const project = join(folder, 'project');
    mkdirSync(project);
    const own = { name: 'project', version: '1.0.0', dependencies: { native: '1.0.0' } };
    const checksum = (name: string) => ({ integrity: integrityOf(tarballs.get(name) ?? Buffer.of()) });
    const { name: _, ...native } = manifest('native');
    const { name: __, version, ...glibc } = manifest('native-linux-x64-gnu');
    const packages = completePackages({
      '': own,
      'node_modules/native': { ...native, ...checksum('native') },
      'node_modules/native-linux-x64-gnu': { version, ...checksum('native-linux-x64-gnu'), ...glibc, optional: true },
    });
    writeFileSync(join(project, 'package.json'), JSON.stringify(own));
    writeFileSync(
      join(project, 'package-lock.json'),
      JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, packages }),
    );
    return project;
  }

  /** Runs npm ci isolated from this machine: with an empty home, an empty cache and the test registry. */
  async function npmCi(project: string, ...platform: string[]) {
    const [program = '', ...args] = npmCommand();
    const { code, stderr } = await run(
      program,
      [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${project}`, ...platform],
      {
        PATH: process.env.PATH,
        HOME: folder,
        npm_config_cache: join(folder, 'cache'),
        npm_config_registry: `${address()}/`,
        npm_config_update_notifier: 'false',
      },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return PLATFORMS.filter((name) => existsSync(join(project, 'node_modules', name)));
  }

  it('if the registry lacks npm packages for other platforms, npm ci still accepts the completed lock file', async () => {
    serve('native', 'native-linux-x64-gnu');
    const installed = await npmCi(writeProject(), '--os=linux', '--cpu=x64', '--libc=glibc');
    expect(installed).toEqual(['native-linux-x64-gnu']);
  });

  it('npm ci for another platform installs the npm package for that platform', async () => {
    serve('native', ...PLATFORMS);
    const installed = await npmCi(writeProject(), '--os=darwin', '--cpu=arm64');
    expect(installed).toEqual(['native-darwin-arm64']);
  });
});
