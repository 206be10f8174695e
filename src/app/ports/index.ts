import type { ActiveStep } from '../../domain/handoffs/run.ts';
import type { DiskRoom } from '../../domain/maintenance/disk-room.ts';
import type { PackageTimers } from '../../domain/packages/package-facts.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';
import type { AgentFiles } from './files/agent-files.ts';
import type { PackageFiles } from './files/package-files.ts';
import type { ProjectFacts } from './files/project-facts.ts';
import type { Wording } from './files/wording.ts';
import type { WorkflowFiles } from './files/workflow-files.ts';
import type { Notifier } from './notifier.ts';
import type { SettingsStore } from './operator-settings.ts';
import type { KnownSecrets } from './secrets.ts';
import type { Spool } from './spool.ts';
import type { Store } from './store.ts';
import type { Terminal } from './terminal.ts';
import type { Worktrees } from './worktrees.ts';

/** Everything outside the application that the use cases need. Built once, in the composition root. */
export interface Ports {
  readonly store: Store;
  readonly terminal: Terminal;
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly files: AgentFiles;
  readonly environment: AgentEnvironment;
  readonly spool: Spool;
  readonly projects: ProjectFacts;
  readonly worktrees: Worktrees;
  readonly packageFiles: PackageFiles;
  readonly workflows: WorkflowFiles;
  readonly notifier: Notifier;
  readonly wording: Wording;
  readonly operatorSettings: SettingsStore;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly chance: Chance;
  /**
   * Returns the token with which an agent's hooks and its `baton ack` identify themselves. It is derived from the
   * session id, so a repeated launch has the same token.
   */
  readonly agentToken: (sessionUuid: string) => string;
  /** Does text typed into the terminal reach this process? Not if another program is in the foreground. */
  readonly ownsTerminal: (pid: number) => Promise<boolean>;
  /** Returns a mark that differs for a later process with the same pid; undefined if the process does not run. */
  readonly processMark: (pid: number) => Promise<string | undefined>;
  /** Returns when this process started, in milliseconds since 1970; undefined if it does not run. */
  readonly processStartedMs: (pid: number) => Promise<number | undefined>;
  /** Returns the programs that work in this folder or below it. Throws if they cannot be determined. */
  readonly processesIn: (folder: string) => Promise<readonly { readonly pid: number; readonly name: string }[]>;
  /** Returns why Baton's home is no longer the folder that Baton started with; undefined if it still is. */
  readonly homeProblem: () => Promise<string | undefined>;
  /** Returns the free space on the disk that contains Baton's home. */
  readonly diskRoom: () => Promise<DiskRoom>;
  /** Turns this folder of Baton into a git repository and commits all its files. Returns false if this fails. */
  readonly beginRepository: (folder: string) => Promise<boolean>;
  /** Identifies the current boot of the machine; null if unknown. */
  readonly bootId: string | null;
  readonly log: Log;
  readonly settings: Settings;
  /** Marks a named moment at which a test may kill the process; does nothing outside tests. */
  readonly checkpoint: (name: string) => void;
}

export interface Settings {
  readonly deadlines: Record<ActiveStep, number>;
  readonly packageTimers: Readonly<PackageTimers>;
  /** false: no packages are written into the project folder. */
  readonly packageArchive: boolean;
  readonly reconcileEveryMs: number;
  /** How long the sender of a message waits for its receipt. */
  readonly receiptMs: number;
  /** Identifies this server process when it claims effects. */
  readonly instance: string;
  readonly version: string;
}

/** Operational log. Must not contain payloads, prompts or tokens. */
export interface Log {
  info(message: string, about?: Readonly<Record<string, string | number>>): void;
  warn(message: string, about?: Readonly<Record<string, string | number>>): void;
  error(message: string, about?: Readonly<Record<string, string | number>>): void;
}
