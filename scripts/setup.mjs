// Makes a fresh clone runnable. `npm start`, `npm test`, `npm run demo` and `npm run check` run it first, so it uses
// only node: modules (node_modules may not exist yet) and prints nothing when there is nothing to do.
//
//   node scripts/setup.mjs [--tmux] [--chromium] [--build]
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

// Import only here, so that an old Node prints the sentence above and not a syntax error in these files.
const { Stop } = await import('./setup/stop.mjs');
const { TOOLS, ensureTool } = await import('./setup/tools.mjs');
const { ensurePackages } = await import('./setup/packages.mjs');

const dryRun = process.env.BATON_SETUP_DRY_RUN === '1';

try {
  const flags = readFlags(process.argv.slice(2));
  for (const tool of flags.tools) await ensureTool(tool, { dryRun });
  await ensurePackages({ dryRun });
  if (flags.build) await buildUnlessDry();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** @param {string[]} args */
function readFlags(args) {
  const toolFlags = new Map(TOOLS.map((tool) => [`--${tool.name}`, tool]));
  const unknown = args.filter((arg) => arg !== '--build' && !toolFlags.has(arg));
  if (unknown.length > 0) {
    throw new Stop(`Unknown option ${unknown.join(' ')}. Known: ${[...toolFlags.keys(), '--build'].join(' ')}`);
  }
  return { tools: TOOLS.filter((tool) => args.includes(`--${tool.name}`)), build: args.includes('--build') };
}

async function buildUnlessDry() {
  // The build itself decides whether it has work, so a dry run cannot announce it.
  if (dryRun) return;
  const { build } = await import('./build.mjs');
  if (!(await build())) throw new Stop('The build failed; the messages above say where.');
}
