/** Thrown if the model could not answer, as on an API error. The turn then ends with StopFailure instead of Stop. */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure';
}

/**
 * Thrown if the operator denied a tool. The real client treats a denial as an interruption, so the turn ends without
 * Stop.
 */
export class PermissionDenied extends Error {
  override readonly name = 'PermissionDenied';
}
