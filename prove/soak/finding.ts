/**
 * A finding of the soak. The judge compares Baton's statements with the practice agents' own logs and the bytes on disk.
 *
 * - `lost`: the addressed model did not get an accepted message exactly as sent. Or the instruction or the prompt of a
 *   handoff never arrived. Or a stored document is not what the agent wrote. Or a file that an agent wrote is missing.
 *   Or a restored conversation lacks its earlier messages.
 * - `doubled`: a model got a message or one of Baton's own prompts twice, or got a message that Baton refused. Or one
 *   agent has two processes or two successors. Or one conversation continues in two agents.
 * - `astray`: a file is in a folder that does not belong to the agent that wrote it.
 * - `undone`: a requested handoff or restore did not happen. Or the agents of a working directory accepted no message
 *   before the reboot, or none after the reboot.
 */
export interface Finding {
  readonly offence: 'lost' | 'doubled' | 'astray' | 'undone';
  readonly what: string;
}
