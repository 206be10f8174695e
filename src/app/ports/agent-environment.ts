import type { ComposedEnvironment } from '../../domain/environment/compose-environment.ts';
import type { Instant } from '../../domain/instant.ts';

/** The variables for starting agents: those that the operator would have in their own terminal. */
export interface AgentEnvironment {
  /** Reads the login shell first if it was never read or long ago; waits no longer than that read's time limit. */
  forProject(project: EnvironmentOf | null): Promise<AgentEnvironmentSource>;
  /** Reads the login shell again. */
  refresh(): Promise<void>;
  /** Resolves when the login shell has been read or could not be. */
  ready(): Promise<void>;
  state(): EnvironmentState;
}

export interface EnvironmentOf {
  readonly name: string;
  readonly path: string;
  /** The agent's folder, if it differs from the project's. */
  readonly folder?: string;
}

export interface AgentEnvironmentSource extends ComposedEnvironment {
  /** Sentences about what is missing and why. */
  readonly problems: readonly string[];
}

export interface EnvironmentState {
  readonly shell: string;
  /** When it was last read; null if it never could be. */
  readonly readAt: Instant | null;
  /** One sentence: why agents start without some of their variables. */
  readonly problem: string | null;
}
