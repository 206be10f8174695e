import type { Message, MessageVerdict, TypingOutcome } from './operator-message.ts';

export const accepted = (agentId: number): MessageVerdict => ({
  verdict: 'accepted',
  reason: null,
  sentence: `Agent ${agentId} has the message.`,
});

export const acceptedLate = (agentId: number): MessageVerdict => ({
  verdict: 'accepted',
  reason: 'late',
  sentence: `Agent ${agentId} has the message after all; the confirmation came late.`,
});

type WhatToDo = (agentId: number) => string;
const attach: WhatToDo = (agentId) => `baton agent attach ${agentId}`;

const WHAT_TO_DO: Readonly<Record<string, WhatToDo>> = {
  command: (id) => `Start the message with a word, or type it in the agent's terminal: ${attach(id)}`,
  starting: (id) => `Send the message again when the agent is ready: baton agent show ${id}`,
  busy: (id) => `Send the message again when the agent is idle: baton agent show ${id}`,
  dialog: (id) => `Answer the question, then send the message again: ${attach(id)}`,
  view: (id) => `Close the menu or view in the agent's terminal, then send the message again: ${attach(id)}`,
  unknown: (id) => `Look at the agent's terminal: ${attach(id)}`,
  draft: (id) => `Send or delete that text in the agent's terminal, then send the message again: ${attach(id)}`,
  copy_mode: (id) => `Leave copy mode in the agent's terminal, then send the message again: ${attach(id)}`,
  agent_gone: (id) => `See the agent's state: baton agent why ${id}`,
  pane_gone: (id) => `See the agent's state: baton agent why ${id}`,
  wrong_server: (id) => `See the agent's state: baton agent why ${id}`,
  not_wanted: (id) => `See the agent's handoff: baton agent show ${id}`,
  terminal_unavailable: () => 'Send the message again; if that fails too, see: baton status',
};

export const refused = (
  agentId: number,
  { reason, detail }: Extract<TypingOutcome, { verdict: 'refused' }>,
): MessageVerdict => ({
  verdict: 'refused',
  reason,
  sentence: `Nothing was typed to agent ${agentId}: ${detail.replace(/[.?!]$/, '')}. ${WHAT_TO_DO[reason]?.(agentId) ?? 'Send the message again.'}`,
});

const FIRST_WORDS = 80;

export function abandoned(agentId: number, { excerpt = '' }: Message): string {
  const line = excerpt.replace(/\s+/g, ' ');
  const words = line.length > FIRST_WORDS ? `${line.slice(0, FIRST_WORDS)}…` : line;
  return `Baton was stopped while it sent a message to agent ${agentId} ("${words}"), and cannot tell whether it arrived. Check the agent's terminal before you send the message again: ${attach(agentId)}`;
}

/**
 * Returns the verdict `unconfirmed` with a sentence that states only what Baton knows about the message. Baton never
 * sends such a message again, because the receipt may still arrive.
 */
export function unconfirmed(agentId: number, { typing, submitted }: Message, why: string): MessageVerdict {
  const look = `Check the agent's terminal before you send the message again: ${attach(agentId)}`;
  const told = (reason: string, known: string): MessageVerdict => ({
    verdict: 'unconfirmed',
    reason,
    sentence: `${known} (${why}). ${look}`,
  });
  if (submitted?.queued) return told('submitted', `Agent ${agentId} queued the message behind its running turn`);
  if (submitted !== null) {
    return told(
      'submitted',
      `The message was submitted to agent ${agentId}, but there is no sign that its model got it; a hook may have blocked it`,
    );
  }
  if (typing === null) return told('unknown', `Baton does not know whether the message was typed to agent ${agentId}`);
  if (typing.verdict === 'typed')
    return told('typed', `The message was typed to agent ${agentId}, but no receipt came`);
  return told('typed', `Baton is not certain that agent ${agentId} has the message: ${typing.detail}`);
}
