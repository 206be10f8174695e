/**
 * A finding of the soak. The judge compares Baton's statements with the practice agents' own logs and the bytes on disk.
 *
 * - `lost`: the addressed model did not get an accepted message exactly as sent; the instruction or the prompt of a
 *   handoff never arrived; a stored document is not what the agent wrote; a file that an agent wrote is gone; or a
 *   restored conversation does not contain its earlier messages.
 * - `doubled`: a model got a message or a prompt more often than Baton says (an accepted message twice, a refused
 *   message at all, an unconfirmed message twice); one agent has two processes or two successors; or one conversation
 *   continues in two agents.
 * - `astray`: a file is in a folder that does not belong to the agent that wrote it.
 * - `undone`: a requested handoff or restore did not happen, or an agent got no message before or after the reboot.
 */
export interface Finding {
  readonly offence: 'lost' | 'doubled' | 'astray' | 'undone';
  readonly what: string;
}
