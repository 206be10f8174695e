/**
 * Removes the agent from the beginning of a sentence that stands beside the agent's name. Inside a sentence the name
 * stays: without it, "The document of waits for you" would be left.
 */
export function withoutAgent(sentence: string, { label, id }: { readonly label: string; readonly id: number }): string {
  const agent = `${label} (agent ${id}) `;
  return sentence.startsWith(agent) ? sentence.slice(agent.length) : sentence;
}
