/** The model could not answer (as on an API error): the turn ends with StopFailure instead of Stop. */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure';
}
