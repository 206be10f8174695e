/** Thrown to stop the setup if the user must do something first. Only the message is printed, without a stack trace. */
export class Stop extends Error {}
