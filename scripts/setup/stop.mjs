/** Stops the setup because the person must do something first. The message is enough; no stack trace is shown. */
export class Stop extends Error {}
