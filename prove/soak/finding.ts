/**
 * Findings come from comparing Baton's statements with the practice agents' own logs and the bytes on disk.
 *
 * lost     a message that was called accepted is not, as it was said, in the one model that it was meant for; a handoff's
 *          instruction or prompt never arrived, or its document is not kept as its agent wrote it; a file that an agent
 *          wrote is gone; a conversation that was brought back does not know what was said in it.
 * doubled  a message, or a prompt of Baton's, is there more often than was said: accepted and heard twice, refused and
 *          heard, unconfirmed and heard twice; two processes of one agent; two successors; a conversation that goes on in
 *          two agents.
 * astray   a file lies in a folder that is not its agent's.
 * undone   what was asked for did not happen: a handoff, a return, a word with everybody in each life.
 */
export interface Finding {
  readonly offence: 'lost' | 'doubled' | 'astray' | 'undone';
  readonly what: string;
}
