/** Something the person who started us can correct. Printed as one sentence; the process exits 2. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
