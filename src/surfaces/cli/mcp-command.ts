import type { Kit } from './command-kit.ts';

/** Adds `baton mcp`. An agent's client starts this command and talks to it with the Model Context Protocol. */
export function addMcpCommand({ program, run }: Kit): void {
  program
    .command('mcp')
    .description('serve the package tools of an agent over MCP (Baton configures this for its agents)')
    .addHelpText('after', '\nExample (in the configuration of a client that runs inside an agent):\n  $ baton mcp')
    .action(() => run(({ deps }) => deps.serveTools()));
}
