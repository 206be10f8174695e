import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import type { Agent } from '../../../contract/resources.ts';
import { agentQuery, agentSearchQuery } from '../api/queries.ts';
import { Field, TextInput } from '../parts/field.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { agentIn } from './agent-in.ts';

const nameOf = ({ id, label, ended_at }: Agent): string =>
  `Agent ${id} · ${visible(label)}${ended_at === null ? '' : ', ended'}`;

/**
 * Lets the operator choose the agent whose events are shown. The agent may be live or ended. While the operator types,
 * the server searches agents by name, project or number, because there can be thousands of ended agents.
 */
export function AgentFilter({
  agent,
  onAgent,
}: {
  readonly agent: number | null;
  readonly onAgent: (agent: number | null) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const listId = useId();
  const { data: chosen } = useQuery({ ...agentQuery(agent ?? 1), enabled: agent !== null });
  const typed = text ?? (agent === null ? '' : chosen?.id === agent ? nameOf(chosen) : `Agent ${agent}`);
  const wanted = useDeferredValue(text === null ? '' : searchFor(text));
  const { data: found = [] } = useQuery(agentSearchQuery(wanted));
  const change = (now: string): void => {
    setText(now);
    const number = agentIn(now);
    // Do not filter by a number while the operator types it, because `1` may be the beginning of `12`. The filter
    // changes when the operator chooses an agent from the list or presses Enter.
    if (now === '') onAgent(null);
    else if (number !== null && found.some((each) => nameOf(each) === now)) choose(number);
  };
  const choose = (number: number | null): void => {
    setText(null);
    onAgent(number);
  };
  return (
    <Field label="Agent">
      {(ids) => (
        <>
          <TextInput
            {...ids}
            list={listId}
            placeholder="All agents"
            value={typed}
            onChange={({ target }) => change(target.value)}
            onKeyDown={({ key }) => key === 'Enter' && choose(agentIn(typed) ?? found[0]?.id ?? null)}
            onBlur={() => setText(null)}
          />
          <datalist id={listId}>
            {found.map((each) => (
              <option key={each.id} value={nameOf(each)}>
                {visible(each.project.name)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/**
 * Returns the text that the server should search for. Reduces a complete name such as "Agent 12 · Con" to its number,
 * because the server does not search for number and name together.
 */
const searchFor = (text: string): string => {
  const number = agentIn(text);
  return number === null ? text.trim() : String(number);
};
