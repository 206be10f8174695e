import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * All that a run keeps of the environment it was started in. A list of what to remove would never be complete: shells,
 * desktops, version managers, agents and CI services each bring variables of their own.
 */
const KEPT = [
  // Where programs are, who we are, where temporary files go.
  /^(PATH|LD_LIBRARY_PATH|USER|LOGNAME|TMPDIR)$/,
  // npm's way to its registry: one test installs our tarball.
  /^npm_(execpath|config_(registry|userconfig|cafile|cache|proxy|https_proxy|noproxy))$/,
  /^SSL_CERT_(FILE|DIR)$/,
  // The test runner's own, and the switches of our tests.
  /^(VITEST.*|TEST|NODE_ENV)$/,
  /^BATON_(PLANT|WALK)$/,
];

/** npm's own names for the proxies: under them they lead only npm, and nothing on loopback, through one. */
const PROXIES = {
  npm_config_https_proxy: 'https_proxy',
  npm_config_proxy: 'http_proxy',
  npm_config_noproxy: 'no_proxy',
};

/**
 * From here on this process and what it starts belong to somebody with an empty home, no desktop and no settings of
 * their own, in git neither. Agents get the operator's login environment: without this every proof would run the
 * operator's shell files (pyenv's wait for each other), and tell of practice agents on the operator's screen.
 *
 * @returns {() => void} removes the home
 */
export function sitAtStrangersDesk() {
  const home = mkdtempSync(join(tmpdir(), 'bt-desk-'));
  const desk = strangersEnvironment(process.env, home);
  for (const name of Object.keys(process.env)) if (desk[name] === undefined) delete process.env[name];
  Object.assign(process.env, desk);
  // A worker thread has the umask of its process, and may not set it.
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
  // Node warns about certificates that it cannot read, in each program's output.
  const certificates = own.NODE_EXTRA_CA_CERTS;
  return {
    ...Object.fromEntries([...kept, ...proxies]),
    ...(certificates && existsSync(certificates) && { NODE_EXTRA_CA_CERTS: certificates }),
    HOME: home,
    SHELL: '/bin/sh',
    // Debian has no en_US before somebody makes it, macOS no C.UTF-8.
    LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    TERM: 'xterm-256color',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
