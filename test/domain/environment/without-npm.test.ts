import { expect, it } from 'vitest';
import { withoutNpm } from '../../../src/domain/environment/without-npm.ts';

const STARTED_BY_NPM = {
  npm_execpath: '/usr/lib/npm/bin/npm-cli.js',
  npm_lifecycle_event: 'start',
  npm_node_execpath: '/usr/bin/node',
  npm_config_cache: '/home/me/.npm',
  npm_package_json: '/src/baton/package.json',
  npm_package_name: 'baton',
  INIT_CWD: '/src/baton',
  NODE: '/usr/bin/node',
  COLOR: '1',
};

it('[U11] Baton removes the variables and PATH entries that npm added to its environment', () => {
  const PATH = [
    '/src/baton/node_modules/.bin',
    '/src/node_modules/.bin',
    '/node_modules/.bin',
    '/usr/lib/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
    '/home/me/.npm/_npx/1a2b/node_modules/.bin',
    '/home/me/tools/node_modules/.bin',
    '/usr/bin',
  ].join(':');
  expect(withoutNpm({ ...STARTED_BY_NPM, PATH, HOME: '/home/me', EDITOR: 'vim' })).toEqual({
    PATH: '/home/me/tools/node_modules/.bin:/usr/bin',
    HOME: '/home/me',
    EDITOR: 'vim',
  });
});

it('[U11] Baton leaves the environment unchanged if npm did not start Baton', () => {
  const own = { npm_config_registry: 'https://npm.example', INIT_CWD: '/x', PATH: '/src/node_modules/.bin:/bin' };
  expect(withoutNpm(own)).toEqual(own);
});
