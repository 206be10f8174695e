import type { LintResult, LintResults } from '../../contract/packages/lint.ts';
import type { WorkflowCheck } from '../../contract/packages/workflow.ts';
import type { HookSettings } from '../../contract/resources.ts';
import type { TeamEntry } from '../../contract/team.ts';
import type { MaintenanceDeps } from './maintenance-deps.ts';

/** Anything that text can be written to, such as process.stdout. */
export interface Writer {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Shell {
  /**
   * The agent that this process belongs to. Undefined if the process belongs to no agent of this Baton home. The
   * agent's id is null if the environment contains the agent's token but not its id.
   */
  readonly agent: { readonly id: number | null; readonly token: string } | undefined;
  /** True if the process runs in Baton's own tmux server, but not in the pane of a known agent. */
  readonly isInTmux: boolean;
  /** True if the environment names an agent of this home, but contains no token of the agent. */
  readonly isTokenless?: boolean;
  /**
   * The process ids of this process and of its ancestors. From these ids the server detects a shell that an agent
   * started.
   */
  readonly processes: readonly number[];
}

export interface CliDeps {
  readonly homePath: string;
  readonly version: string;
  /** The argv that starts this program, such as [node, dist/main/baton.js]. */
  readonly self: readonly string[];
  /** Runs the server in the foreground until the server ends; resolves to the server's exit code. */
  readonly startServer: (json: boolean) => Promise<number>;
  /**
   * Runs Baton's MCP server for one agent, on standard input and output. Resolves to the exit code when the agent's
   * client closes the connection.
   */
  readonly serveTools: () => Promise<number>;
  /**
   * Shows or changes Baton's hooks in the operator's own settings of each agent program. Returns one answer per
   * program.
   */
  readonly hooks: (wanted: {
    readonly wish: 'look' | 'install' | 'uninstall';
    readonly dryRun: boolean;
  }) => Promise<readonly HookSettings[]>;
  /**
   * Lints each of the given package files separately. A glob pattern stands for all files that it matches. Throws
   * CliFault if a file cannot be read.
   */
  readonly lint: (files: readonly string[]) => Promise<LintResult | LintResults>;
  /** Reads a YAML file as plain data. Throws CliFault with the reason if the file cannot be read or parsed. */
  readonly readYaml: (file: string) => Promise<unknown>;
  /**
   * Reads a team file for `baton up`. If the file has errors, throws a CliFault that names the line of the first error.
   */
  readonly readTeam: (file: string) => Promise<readonly TeamEntry[]>;
  /** Validates a workflow file without the server. Throws CliFault if the file cannot be read. */
  readonly checkWorkflow: (file: string) => Promise<WorkflowCheck>;
  /**
   * Adds Baton's package archive to the exclude file of the folder's git repository. Throws if the folder is in no
   * repository.
   */
  readonly excludeArchive: (
    folder: string,
  ) => Promise<{ readonly file: string; readonly pattern: string; readonly added: boolean }>;
  /** The maintenance operations on this machine: service, backup, purge and doctor. */
  readonly keep: () => Promise<MaintenanceDeps>;
  /**
   * Returns facts about the shell in which this command runs, such as the agent that the shell belongs to. The facts
   * are determined at the first call; every further call returns the same facts.
   */
  readonly shell: () => Shell;
  /**
   * The name of another machine of the fleet, if the command is for that machine; absent if the command is for this
   * machine.
   */
  readonly machine?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Writer;
  readonly stderr: Writer;
  /** Standard input; process.stdin unless a test passes another stream. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}
