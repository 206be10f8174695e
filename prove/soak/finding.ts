/**
 * Findings come from comparing Baton's statements with the practice agents' own logs and the bytes on disk.
 *
 * lost     the addressed model did not get an accepted message exactly as sent; a handoff's instruction or prompt never
 *          arrived, or its document is not kept as its agent wrote it; a file that an agent wrote is gone; a
 *          conversation that was brought back does not contain its earlier messages.
 * doubled  a model got a message or a prompt of Baton more often than Baton says: an accepted one twice, a refused one
 *          at all, an unconfirmed one twice; two processes of one agent; two successors; a conversation that continues
 *          in two agents.
 * astray   a file is in a folder that is not its agent's.
 * undone   something that was asked for did not happen: a handoff, a return, a message to each agent in each life.
 */
export interface Finding {
  readonly offence: 'lost' | 'doubled' | 'astray' | 'undone';
  readonly what: string;
}
