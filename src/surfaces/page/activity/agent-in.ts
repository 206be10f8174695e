/** Returns the number in a text such as "Agent 12 · Con" or "12"; null if the text has none. */
export function agentIn(text: string): number | null {
  const number = /^(?:agent\s+)?(\d{1,9})\b/i.exec(text.trim())?.[1];
  return number === undefined ? null : Number(number);
}
