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

/** Everything outside that the use cases need. Built once, in the composition root. */
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
   * The token that an agent's hooks and its `baton ack` carry. Derived from the session, so a launch can be repeated.
   */
  readonly agentToken: (sessionUuid: string) => string;
  /** Does typed text reach this process? Not if it left a shell in the foreground of its terminal. */
  readonly ownsTerminal: (pid: number) => Promise<boolean>;
  /** Distinguishes this process from a later one with the same pid; undefined if it does not run. */
  readonly processMark: (pid: number) => Promise<string | undefined>;
  /** When this process began, in milliseconds since 1970; undefined if it does not run. */
  readonly processStartedMs: (pid: number) => Promise<number | undefined>;
  /** Programs that work in this folder or below it; throws if that cannot be determined. */
  readonly processesIn: (folder: string) => Promise<readonly { readonly pid: number; readonly name: string }[]>;
  /** Why Baton's home is no longer the one it started with; undefined: it is. */
  readonly homeProblem: () => Promise<string | undefined>;
  /** Free space on the disk with Baton's home. */
  readonly diskRoom: () => Promise<DiskRoom>;
  /** Makes this folder of Baton's a git repository with all files committed; false if that fails. */
  readonly beginRepository: (folder: string) => Promise<boolean>;
  /** Identifies this boot of the machine; null if unknown. */
  readonly bootId: string | null;
  readonly log: Log;
  readonly settings: Settings;
  /** Named moments at which a test may kill the process; does nothing otherwise. */
  readonly checkpoint: (name: string) => void;
}

export interface Settings {
  readonly deadlines: Record<ActiveStep, number>;
  readonly packageTimers: Readonly<PackageTimers>;
  /** false: packages are not written into the project. */
  readonly packageArchive: boolean;
  readonly reconcileEveryMs: number;
  /** How long the sender of a message waits for its receipt. */
  readonly receiptMs: number;
  /** Names this server process as the claimant of effects. */
  readonly instance: string;
  readonly version: string;
}

/** Operational log; never carries payloads, prompts or tokens. */
export interface Log {
  info(message: string, about?: Readonly<Record<string, string | number>>): void;
  warn(message: string, about?: Readonly<Record<string, string | number>>): void;
  error(message: string, about?: Readonly<Record<string, string | number>>): void;
}
