/**
 * Thrown to stop the setup if it can continue only after the user has done something. The setup prints only the message
 * of the error, without a stack trace.
 */
export class Stop extends Error {}
