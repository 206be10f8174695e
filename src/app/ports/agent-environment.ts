import type { ComposedEnvironment } from '../../domain/environment/compose-environment.ts';
import type { Instant } from '../../domain/instant.ts';

/** The environment variables for agents: the variables that the operator has in a terminal. */
export interface AgentEnvironment {
  /**
   * Returns the variables for agents of this project. If the login shell was never read or was last read long ago,
   * reads it first, with a time limit.
   */
  forProject(project: EnvironmentOf | null): Promise<AgentEnvironmentSource>;
  /** Reads the variables of the login shell again. */
  refresh(): Promise<void>;
  /** Resolves when the login shell has been read or the attempt to read it has failed. */
  ready(): Promise<void>;
  state(): EnvironmentState;
}

export interface EnvironmentOf {
  readonly name: string;
  readonly path: string;
  /** The folder in which the agent works, if the agent does not work in the project's folder. */
  readonly folder?: string;
}

export interface AgentEnvironmentSource extends ComposedEnvironment {
  /** Sentences that say which variables are missing for an agent, and why. */
  readonly problems: readonly string[];
}

export interface EnvironmentState {
  readonly shell: string;
  /**
   * The time at which Baton last read the environment of the login shell. Null if Baton has never been able to read it.
   */
  readonly readAt: Instant | null;
  /** One sentence that says why agents start without some of their variables; null if there is no problem. */
  readonly problem: string | null;
}
