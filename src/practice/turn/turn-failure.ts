/** The model could not answer (as on an API error): the turn ends with StopFailure instead of Stop. */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure';
}

/** The operator denied a tool: to the real client that is an interruption, so the turn ends without Stop. */
export class PermissionDenied extends Error {
  override readonly name = 'PermissionDenied';
}
