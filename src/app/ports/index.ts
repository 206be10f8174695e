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
import type { SettingsKeeper } from './operator-settings.ts';
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
  readonly operatorSettings: SettingsKeeper;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly chance: Chance;
  /** The token an agent's hooks and its `baton ack` carry. The same for the same session, so a launch can be repeated. */
  readonly agentToken: (sessionUuid: string) => string;
  /** Does what is typed to this process's terminal reach it? Not if it left a shell in the foreground. */
  readonly ownsTerminal: (pid: number) => Promise<boolean>;
  /** Tells this process from a later one with the same number; undefined if it does not run. */
  readonly processMark: (pid: number) => Promise<string | undefined>;
  /** When this process began, in milliseconds since 1970; undefined if it does not run. */
  readonly processStartedMs: (pid: number) => Promise<number | undefined>;
  /** Programs that work in this folder or below it; throws where that cannot be seen. */
  readonly processesIn: (folder: string) => Promise<readonly { readonly pid: number; readonly name: string }[]>;
  /** Why Baton's home is not what it was at the start; undefined: it is. */
  readonly homeProblem: () => Promise<string | undefined>;
  /** What is left on the disk that holds Baton's home. */
  readonly diskRoom: () => Promise<DiskRoom>;
  /** Makes this folder of ours a git repository with all its files committed; false where that cannot be. */
  readonly beginRepository: (folder: string) => Promise<boolean>;
  /** Names this boot of the machine; null where it cannot be told. */
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
  /** How long whoever sends a message waits for its receipt. */
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
