type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Folders that npm puts on the PATH of a script: `node_modules/.bin` of the npm package and of its parent folders, and
 * node-gyp.
 */
const OF_NPM = /\/(?:node_modules\/\.bin|@npmcli\/run-script\/lib\/node-gyp-bin)$/;

/**
 * Returns the environment without the variables and PATH entries that npm adds for a script (`npm start`, `npx`). With
 * these entries, npm in the agent's project would use the configuration and programs of Baton's own npm package.
 */
export function withoutNpm<Env extends Variables>(env: Env): Env {
  if (env.npm_execpath === undefined && env.npm_lifecycle_event === undefined) return env;
  const isOfNpm = ([name, value]: [string, string | undefined]): boolean =>
    name.startsWith('npm_') ||
    name === 'INIT_CWD' ||
    name === 'COLOR' ||
    (name === 'NODE' && value === env.npm_node_execpath);
  const kept = Object.entries(env).filter((entry) => !isOfNpm(entry));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'PATH' ? value && ownFolders(value, env) : value]),
  ) as Env;
}

/**
 * Removes the PATH folders that npm added: `node_modules/.bin` of the npm package whose script runs, of the folders
 * above this npm package, and of the npx cache. Any other `node_modules/.bin` stays, because the operator put it on the
 * PATH.
 */
const ownFolders = (path: string, env: Variables): string =>
  path
    .split(':')
    .filter((folder) => !OF_NPM.test(folder) || !isAround(folder, env))
    .join(':');

function isAround(folder: string, { npm_package_json: file, npm_config_cache: cache }: Variables): boolean {
  if (folder.endsWith('/node-gyp-bin')) return true;
  const owner = folder.slice(0, -'node_modules/.bin'.length);
  return (file?.startsWith(owner) ?? true) || (cache !== undefined && owner.startsWith(`${cache}/_npx/`));
}
