import type { ComposedEnvironment } from '../../domain/environment/compose-environment.ts';
import type { Instant } from '../../domain/instant.ts';

/** The variables that agents are started with: those that the operator would have in a terminal of his own. */
export interface AgentEnvironment {
  /** Reads the login shell first if that was never done or long ago; never waits longer than that is given time for. */
  forProject(project: EnvironmentOf | null): Promise<AgentEnvironmentSource>;
  /** Reads the login shell again. */
  refresh(): Promise<void>;
  /** The login shell has been read, or could not be. */
  ready(): Promise<void>;
  state(): EnvironmentState;
}

export interface EnvironmentOf {
  readonly name: string;
  readonly path: string;
  /** Where the agent works, if that is not the project's own folder. */
  readonly folder?: string;
}

export interface AgentEnvironmentSource extends ComposedEnvironment {
  /** What is left out of it and why, in sentences. */
  readonly problems: readonly string[];
}

export interface EnvironmentState {
  readonly shell: string;
  /** When it was last read; null if it never could be. */
  readonly readAt: Instant | null;
  /** Why agents are started with less than they should be; one sentence. */
  readonly problem: string | null;
}
