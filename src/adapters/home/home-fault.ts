/** Thrown if Baton's home cannot be used. The message says why, and what to do. */
export class HomeFault extends Error {
  override readonly name = 'HomeFault';
}
