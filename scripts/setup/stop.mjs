/** An expected end: the person must do something first. The message is the whole story, so no stack trace is shown. */
export class Stop extends Error {}
