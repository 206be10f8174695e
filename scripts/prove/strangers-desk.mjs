import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * The environment variables that a run of the tests or proofs is allowed to inherit. The opposite, a list of variables
 * to remove, would never be complete: shells, desktops, version managers, agents and CI services each add their own.
 */
const KEPT = [
  // Variables for finding programs, for the user name and for temporary files.
  /^(PATH|LD_LIBRARY_PATH|USER|LOGNAME|TMPDIR)$/,
  // npm's registry settings, because one test installs Baton's tarball.
  /^npm_(execpath|config_(registry|userconfig|cafile|cache|proxy|https_proxy|noproxy))$/,
  /^SSL_CERT_(FILE|DIR)$/,
  // The variables of the test runner, and the switches of Baton's tests.
  /^(VITEST.*|TEST|NODE_ENV)$/,
  /^BATON_(PLANT|WALK|RECORD|OLD_BUILD)$/,
];

/**
 * The proxy variables under the names that npm uses. Under these names they affect only npm, and npm uses no proxy for
 * loopback.
 */
const PROXIES = {
  npm_config_https_proxy: 'https_proxy',
  npm_config_proxy: 'http_proxy',
  npm_config_noproxy: 'no_proxy',
};

/**
 * Gives this process and its children an empty home, no desktop and no settings, not even for git. Otherwise, tests
 * would execute the operator's shell files, and would show notifications about practice agents on the operator's
 * desktop.
 *
 * @returns {() => void} removes the home
 */
export function sitAtStrangersDesk() {
  const home = mkdtempSync(join(tmpdir(), 'bt-desk-'));
  const desk = strangersEnvironment(process.env, home);
  for (const name of Object.keys(process.env)) if (desk[name] === undefined) delete process.env[name];
  Object.assign(process.env, desk);
  // Set the umask only in the main thread. A worker thread shares the umask of its process, and Node refuses to change
  // the umask there.
  if (isMainThread) process.umask(0o022);
  return () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/**
 * @param {NodeJS.ProcessEnv} own the environment of the person who started the run
 * @param {string} home
 * @returns {NodeJS.ProcessEnv}
 */
export function strangersEnvironment(own, home) {
  const kept = Object.entries(own).filter(([name]) => KEPT.some((pattern) => pattern.test(name)));
  const proxies = Object.entries(PROXIES).flatMap(([npms, name]) => {
    const proxy = own[npms] ?? own[name] ?? own[name.toUpperCase()];
    return proxy === undefined ? [] : [[npms, proxy]];
  });
  // Pass NODE_EXTRA_CA_CERTS only if the file that it names exists. Otherwise Node prints a warning into the output of
  // each program.
  const certificates = own.NODE_EXTRA_CA_CERTS;
  return {
    ...Object.fromEntries([...kept, ...proxies]),
    ...(certificates && existsSync(certificates) && { NODE_EXTRA_CA_CERTS: certificates }),
    HOME: home,
    SHELL: '/bin/sh',
    // Use a UTF-8 locale that exists: Debian has no en_US locale unless somebody generates it, and macOS has no
    // C.UTF-8.
    LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TERM: 'xterm-256color',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
