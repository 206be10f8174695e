/** An expected end: the person must do something first. The message says everything, so no stack trace is shown. */
export class Stop extends Error {}
