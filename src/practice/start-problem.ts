/**
 * A problem that the person who started the agent can correct. The problem is printed as one sentence, and the process
 * exits with 2.
 */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
