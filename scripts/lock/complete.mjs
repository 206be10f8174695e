// Finds the optional npm packages that package-lock.json lacks, and creates their entries. This file does no I/O;
// scripts/complete-lock.mjs reads and writes the lock file.

/**
 * @typedef {{
 *   version?: string, integrity?: string, resolved?: string, link?: boolean, dev?: boolean, optional?: boolean,
 *   cpu?: string[], os?: string[], libc?: string[], optionalDependencies?: Record<string, string>,
 * }} Entry
 * @typedef {Record<string, Entry>} Packages the `packages` of a lock file: path in the tree → entry
 * @typedef {{ path: string, name: string, range: string }} Wish an optional dependency and the entry that lists it
 */

/**
 * The only fields that are allowed in the lock file's entry for an npm package that the registry in use does not serve.
 */
const FIELDS_OF_UNSERVED = ['version', 'cpu', 'dev', 'libc', 'optional', 'os'];

/**
 * Adds an entry for each optional dependency that an npm package lists but that has no suitable entry in the lock file.
 * npm writes no entry for a package that its registry does not serve, and `npm ci` then refuses the lock file. The
 * version comes from the package that lists the missing one. The platform comes from the name of the missing package.
 *
 * @param {Packages} packages
 * @returns {Packages}
 */
export function completePackages(packages) {
  /** @type {Packages} */
  const complete = Object.fromEntries(Object.entries(packages).map(([path, entry]) => [path, withoutAddress(entry)]));
  for (const wish of wishesOf(packages)) {
    const path = resolve(complete, wish.path, wish.name);
    if (path !== undefined && satisfies(complete[path]?.version, wish.range)) continue;
    complete[placeFor(complete, wish)] = unservedEntry(packages, wish);
  }
  return sorted(complete);
}

/**
 * Returns one sentence for each entry that `npm ci` would refuse or that must not be in the file.
 *
 * @param {Packages} packages
 * @returns {string[]}
 */
export function problemsOf(packages) {
  const problems = [];
  for (const wish of wishesOf(packages)) {
    const path = resolve(packages, wish.path, wish.name);
    const asked = `${wish.name}@${wish.range}, an optional dependency of ${wish.path || 'this package'}`;
    if (path === undefined) problems.push(`Missing: ${asked}.`);
    else if (!satisfies(packages[path]?.version, wish.range))
      problems.push(`Wrong version: ${asked}, is there as ${packages[path]?.version}.`);
  }
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.link) continue;
    if (entry.resolved !== undefined) problems.push(`Registry address: ${path} is "resolved" to ${entry.resolved}.`);
    if (entry.integrity === undefined) problems.push(...problemsWithoutChecksum(packages, path, entry));
  }
  return problems;
}

/**
 * Returns the problems of a lock file entry without a checksum. Such an entry is allowed only for an optional npm
 * package that the registry did not serve, and only with fields that follow from the name of the npm package.
 *
 * @param {Packages} packages
 * @param {string} path
 * @param {Entry} entry
 */
function problemsWithoutChecksum(packages, path, entry) {
  const wish = wishesOf(packages).find((each) => resolve(packages, each.path, each.name) === path);
  if (wish === undefined || !entry.optional)
    return [`No checksum: ${path} is no optional package and has no "integrity".`];
  const unknown = Object.keys(entry).filter((field) => !FIELDS_OF_UNSERVED.includes(field));
  if (unknown.length > 0) return [`Made up: ${path} has no "integrity", so its ${unknown.join(', ')} cannot be known.`];
  const expected = unservedEntry(packages, wish);
  return JSON.stringify(entry) === JSON.stringify(expected)
    ? []
    : [`Made up: ${path} is ${JSON.stringify(entry)}; from its name follows ${JSON.stringify(expected)}.`];
}

/**
 * @param {Packages} packages
 * @returns {Wish[]}
 */
function wishesOf(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).map(([name, range]) => ({ path, name, range })),
  );
}

/**
 * Returns the path of the folder from which Node loads the package `name` for the package at the path `from`.
 *
 * @param {Packages} packages
 * @param {string} from
 * @param {string} name
 */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = under(folder, name);
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** @param {string} path */
const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));

/**
 * @param {string} folder
 * @param {string} name
 */
const under = (folder, name) => `${folder && `${folder}/`}node_modules/${name}`;

/**
 * Returns the path for the entry of a missing package. Like npm, chooses the top level, unless another version of the
 * same package is already there.
 *
 * @param {Packages} packages
 * @param {Wish} wish
 */
function placeFor(packages, { path, name }) {
  const top = under('', name);
  return packages[top] === undefined ? top : under(path, name);
}

/**
 * @param {Packages} packages
 * @param {Wish} wish
 * @returns {Entry}
 */
function unservedEntry(packages, { path, name, range }) {
  if (!EXACT.test(range)) {
    throw new Error(
      `${name} is not in package-lock.json, and ${path || 'this package'} asks for ${range}: which version that is only a ` +
        'registry knows. Run npm install against one that serves it.',
    );
  }
  const lists = wishesOf(packages).filter((wish) => wish.name === name);
  const dev = lists.every((wish) => packages[wish.path]?.dev);
  const { cpu, libc, os } = platformOf(name, namesLibc(packages, path));
  return {
    version: range,
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * Reads the platform from the name of a native package: `<package>-<os>-<cpu>[-<abi>]`, or `<package>-wasm32-wasi`. The
 * names of systems and processors are those that Node uses, because npm compares them with the names that Node reports.
 *
 * @param {string} name
 * @param {boolean} withLibc whether packages of this family say which C library they need; not all do
 * @returns {{ os?: string, cpu?: string, libc?: 'glibc' | 'musl' }}
 */
export function platformOf(name, withLibc) {
  const words = name.split(/[/-]/);
  const at = words.findLastIndex((word) => PROCESSORS.includes(word));
  const cpu = words[at];
  const os = SYSTEMS.find((system) => system === words[at - 1]);
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(
      `${name} is not in package-lock.json, and its name does not tell which platform it is for, so npm would try to ` +
        'install it everywhere. Run npm install against a registry that serves it.',
    );
  }
  if (os === undefined) return { cpu };
  const libc = withLibc && os === 'linux' ? libcOf(words[at + 1]) : undefined;
  return { os, cpu, ...(libc && { libc }) };
}

/**
 * Returns the C library that an ABI name stands for. Returns undefined for 32-bit ARM (`gnueabihf`), because packages
 * for it declare no C library.
 *
 * @param {string | undefined} abi
 */
function libcOf(abi) {
  if (abi === 'musl') return 'musl';
  return abi === undefined || abi === 'gnu' ? 'glibc' : undefined;
}

/**
 * Returns whether an optional dependency of this npm package names a C library. Ignores entries that this script itself
 * added to the lock file, because they do not come from a registry.
 *
 * @param {Packages} packages
 * @param {string} path
 */
function namesLibc(packages, path) {
  return Object.keys(packages[path]?.optionalDependencies ?? {}).some((name) => {
    const sibling = packages[resolve(packages, path, name) ?? ''];
    return sibling?.integrity !== undefined && sibling.libc !== undefined;
  });
}

/** @param {Entry} entry */
function withoutAddress({ resolved, ...entry }) {
  const isOfRegistry = resolved === undefined || /^https?:.*\/-\/[^/]+\.tgz$/.test(resolved);
  return isOfRegistry ? entry : { ...entry, resolved };
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

/**
 * Returns whether a version is in a range. Supports the ranges that optional dependencies use: exact, `~` and `^`.
 *
 * @param {string | undefined} version
 * @param {string} range
 */
export function satisfies(version, range) {
  if (version === range) return true;
  const wanted = /^([~^])(\d+)\.(\d+)\.(\d+)$/.exec(range);
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? '');
  if (!wanted || !found) return false;
  const [major, minor, patch] = wanted.slice(2).map(Number);
  const [foundMajor = 0, foundMinor = 0, foundPatch = 0] = found.slice(1).map(Number);
  if (foundMajor !== major) return false;
  // `^0.3.1` allows 0.3.x from 0.3.1 on; `^0.0.3` allows only 0.0.3.
  const isFixedMinor = wanted[1] === '~' || major === 0;
  if (wanted[1] === '^' && major === 0 && minor === 0) return foundMinor === 0 && foundPatch === patch;
  if (isFixedMinor) return foundMinor === minor && foundPatch >= (patch ?? 0);
  return foundMinor > (minor ?? 0) || (foundMinor === minor && foundPatch >= (patch ?? 0));
}

/**
 * Sorts the entries in npm's own order, so that the next `npm install` does not reorder the file.
 *
 * @param {Packages} packages
 * @returns {Packages}
 */
function sorted(packages) {
  return Object.fromEntries(Object.entries(packages).sort(([left], [right]) => left.localeCompare(right, 'en')));
}
