import type { ComposedEnvironment } from '../../domain/environment/compose-environment.ts';
import type { Instant } from '../../domain/instant.ts';

/** The environment variables for agents: those that the operator has in a terminal. */
export interface AgentEnvironment {
  /**
   * Returns the variables for agents of this project. First reads the login shell if it was never read or the last read
   * was long ago, but waits no longer than the time limit of that read.
   */
  forProject(project: EnvironmentOf | null): Promise<AgentEnvironmentSource>;
  /** Reads the login shell again. */
  refresh(): Promise<void>;
  /** Resolves when the login shell was read or the read has failed. */
  ready(): Promise<void>;
  state(): EnvironmentState;
}

export interface EnvironmentOf {
  readonly name: string;
  readonly path: string;
  /** The agent's folder, if it is not the project's folder. */
  readonly folder?: string;
}

export interface AgentEnvironmentSource extends ComposedEnvironment {
  /** Sentences that say which variables are missing and why. */
  readonly problems: readonly string[];
}

export interface EnvironmentState {
  readonly shell: string;
  /** When the login shell was last read; null if it could never be read. */
  readonly readAt: Instant | null;
  /** One sentence that says why agents start without some of their variables; null if there is no problem. */
  readonly problem: string | null;
}
