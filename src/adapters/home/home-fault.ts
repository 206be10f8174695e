/** Baton's home cannot be used as it is; the sentence says why and what to do. */
export class HomeFault extends Error {
  override readonly name = 'HomeFault';
}
