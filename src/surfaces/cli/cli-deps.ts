import type { LintResult, LintResults } from '../../contract/packages/lint.ts';
import type { WorkflowCheck } from '../../contract/packages/workflow.ts';
import type { HookSettings } from '../../contract/resources.ts';
import type { MaintenanceDeps } from './maintenance-deps.ts';

/** Anything text can be written to; process.stdout fits. */
export interface Writer {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface Shell {
  /** The agent of this home that this process belongs to; its id is null where only its token is known. */
  readonly agent: { readonly id: number | null; readonly token: string } | undefined;
  /** The process runs in Baton's own tmux server, but in no pane of an agent that is known here. */
  readonly isInTmux: boolean;
  /** This process and its ancestors, by which the server detects a shell below an agent. */
  readonly processes: readonly number[];
}

export interface CliDeps {
  readonly homePath: string;
  readonly version: string;
  /** The argv that starts this very program, such as [node, dist/main/baton.js]. */
  readonly self: readonly string[];
  /** Runs the server in the foreground until it ends; resolves to the exit code. */
  readonly startServer: (json: boolean) => Promise<number>;
  /** Serves the tools of an agent on standard input and output until its client leaves; resolves to the exit code. */
  readonly serveTools: () => Promise<number>;
  /** The hooks in the operator's own settings, one answer for each agent program that can have them. */
  readonly hooks: (wanted: {
    readonly wish: 'look' | 'install' | 'uninstall';
    readonly dryRun: boolean;
  }) => Promise<readonly HookSettings[]>;
  /** Lints package files, each by itself; takes glob patterns too. Throws CliFault if a file cannot be read. */
  readonly lint: (files: readonly string[]) => Promise<LintResult | LintResults>;
  /** Reads a YAML file as plain data. Throws CliFault that names the rule it breaks. */
  readonly readYaml: (file: string) => Promise<unknown>;
  /** Validates a workflow file by itself. Throws CliFault if it cannot be read. */
  readonly checkWorkflow: (file: string) => Promise<WorkflowCheck>;
  /** Puts all files of the demo's project into a first commit. Resolves to false if git is missing or fails. */
  readonly beginRepository: (folder: string) => Promise<boolean>;
  /** Maintenance of Baton on this machine: service, backup, purge, doctor. */
  readonly keep: () => Promise<MaintenanceDeps>;
  /** The owner of this shell. Each use calls it again; the answer is the same for the life of the process. */
  readonly shell: () => Shell;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Writer;
  readonly stderr: Writer;
  /** process.stdin unless a test gives another. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}
