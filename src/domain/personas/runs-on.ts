/** A runtime and, optionally, a model and further arguments for the runtime's client. */
export interface RunsOn {
  readonly runtime: string;
  readonly model?: string;
  /** Arguments that are passed to the client unchanged. */
  readonly args?: readonly string[];
}

/**
 * The runtime of an agent, with the model and the arguments of its client. A successor inherits the model and the
 * arguments only if it runs on the same runtime.
 */
export interface RunningOn {
  readonly runtime: string;
  readonly model?: string;
  readonly clientArgs?: readonly string[];
}

/**
 * Returns the runtime, model and arguments of a successor. On the predecessor's runtime, the successor inherits the
 * model and the arguments unless the operator chose other values. On another runtime, the successor inherits nothing,
 * because the other client may not know these values.
 */
export function inheritTo({ runtime, model, args }: RunsOn, predecessor: RunningOn): RunsOn {
  const own = runtime === predecessor.runtime ? predecessor : undefined;
  const chosenModel = model ?? own?.model;
  const chosenArgs = args ?? own?.clientArgs;
  return {
    runtime,
    ...(chosenModel === undefined ? {} : { model: chosenModel }),
    ...(chosenArgs === undefined ? {} : { args: chosenArgs }),
  };
}

/** Returns runtime and model in words, as in `practice (small)`, without the arguments, which may contain secrets. */
export const runsOnInWords = ({ runtime, model }: RunsOn): string =>
  model === undefined ? runtime : `${runtime} (${model})`;
