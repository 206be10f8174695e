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
   * Returns the token that identifies an agent's hooks and its `baton ack`. The token is derived from the session id,
   * so an agent that is launched a second time gets the same token.
   */
  readonly agentToken: (sessionUuid: string) => string;
  /**
   * Returns whether this process is in the foreground of its terminal, so that it receives the text that is typed
   * there.
   */
  readonly ownsTerminal: (pid: number) => Promise<boolean>;
  /**
   * Returns a value by which this process can be told apart from a later process with the same pid; undefined if the
   * process does not run.
   */
  readonly processMark: (pid: number) => Promise<string | undefined>;
  /** Returns the pids of the ancestors of this process, its parent first; empty if the process does not run. */
  readonly ancestorsOf: (pid: number) => readonly number[];
  /** Returns the start time of this process, in milliseconds since 1970; undefined if the process does not run. */
  readonly processStartedMs: (pid: number) => Promise<number | undefined>;
  /** Returns the processes whose working directory is this folder or below it. Throws if they cannot be determined. */
  readonly processesIn: (folder: string) => Promise<readonly { readonly pid: number; readonly name: string }[]>;
  /**
   * Returns an explanation if Baton's home is no longer the folder that Baton started with. Returns undefined if the
   * home is still that folder.
   */
  readonly homeProblem: () => Promise<string | undefined>;
  /** Returns how much space and how many inodes are free on the disk that contains Baton's home. */
  readonly diskRoom: () => Promise<DiskRoom>;
  /** Makes a folder in Baton's home a git repository and commits all its files. Returns false if this fails. */
  readonly beginRepository: (folder: string) => Promise<boolean>;
  /** Identifies the current boot of the machine; null if this is unknown. */
  readonly bootId: string | null;
  readonly log: Log;
  readonly settings: Settings;
  /** Marks a point at which a test may kill the process. Does nothing outside tests. */
  readonly checkpoint: (name: string) => void;
}

export interface Settings {
  readonly deadlines: Record<ActiveStep, number>;
  readonly packageTimers: Readonly<PackageTimers>;
  /** If false, no packages are written into the project folder. */
  readonly packageArchive: boolean;
  readonly reconcileEveryMs: number;
  /** How long the sender of a message waits for its receipt. */
  readonly receiptMs: number;
  /** Identifies this server process. It is stored, for example, with each effect that this server performs. */
  readonly instance: string;
  readonly version: string;
}

/** The log for operating Baton. The log must not contain payloads, prompts or tokens. */
export interface Log {
  info(message: string, about?: Readonly<Record<string, string | number>>): void;
  warn(message: string, about?: Readonly<Record<string, string | number>>): void;
  error(message: string, about?: Readonly<Record<string, string | number>>): void;
}
