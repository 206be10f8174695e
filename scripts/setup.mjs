// Makes a fresh clone runnable. `npm start`, `npm test`, `npm run demo` and `npm run check` run this script first. It
// uses only node: modules, because node_modules may not exist yet. It prints nothing when there is nothing to do.
//
//   node scripts/setup.mjs [--tmux] [--chromium] [--nats-server] [--try-nats-server] [--build]
//
// BATON_SETUP_DRY_RUN=1 prints what would be done and changes nothing.

const NEEDED_NODE = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1])) {
  console.error(
    `Baton needs Node ${NEEDED_NODE.join('.')} or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'Install Node 24 (https://nodejs.org, or `nvm install 24`) and run the same command again.',
  );
  process.exit(1);
}

// Import the setup files only after the check of Node's version. Otherwise an old Node would print a syntax error
// instead of the message about its version.
const { Stop } = await import('./setup/stop.mjs');
const { TOOLS, ensureTool, tryTool } = await import('./setup/tools.mjs');
const { ensurePackages } = await import('./setup/packages.mjs');

const dryRun = process.env.BATON_SETUP_DRY_RUN === '1';

try {
  const flags = readFlags(process.argv.slice(2));
  for (const tool of flags.tools) await ensureTool(tool, { dryRun });
  for (const tool of flags.tried) await tryTool(tool, { dryRun });
  await ensurePackages({ dryRun });
  if (flags.build) await buildUnlessDry();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** @param {string[]} args */
function readFlags(args) {
  const known = [...TOOLS.map(({ name }) => `--${name}`), ...TOOLS.map(({ name }) => `--try-${name}`), '--build'];
  const unknown = args.filter((arg) => !known.includes(arg));
  if (unknown.length > 0) throw new Stop(`Unknown option ${unknown.join(' ')}. Known: ${known.join(' ')}`);
  return {
    tools: TOOLS.filter((tool) => args.includes(`--${tool.name}`)),
    tried: TOOLS.filter((tool) => args.includes(`--try-${tool.name}`)),
    build: args.includes('--build'),
  };
}

async function buildUnlessDry() {
  // In a dry run, do not build and do not announce a build, because only the build itself knows whether there is work
  // to do.
  if (dryRun) return;
  const { build } = await import('./build.mjs');
  if (!(await build())) throw new Stop('The build failed; the messages above say where.');
}
