// The OpenAI Responses API, as Codex uses it.

/** @typedef {import('./dialect.mjs').Dialect} Dialect */

const isResult = (/** @type {any} */ item) => /_call_output$/.test(item.type ?? '');

/** Matches texts that Codex itself adds to the user messages. */
const ADDED = /^\s*<(environment_context|user_instructions|permissions|turn_aborted|user_shell_command|skill)\b/;

/** @returns {string[]} */
const textsOf = (/** @type {any} */ { content }) =>
  (typeof content === 'string' ? [content] : (content ?? []).map((/** @type {any} */ part) => part.text ?? '')).filter(
    (/** @type {string} */ text) => text.trim() !== '' && !ADDED.test(text),
  );

const resultOf = (/** @type {any} */ { output }) =>
  typeof output === 'string' ? output : textsOf({ content: output?.content ?? output ?? [] }).join('\n');

/** @type {Dialect} */
export const responses = {
  name: 'responses',
  path: /\/responses$/,

  read: (body) => {
    const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
    const users = input.filter((/** @type {any} */ item) => item.role === 'user' && textsOf(item).length > 0);
    const texts = users.flatMap(textsOf);
    const last = input.findLast((/** @type {any} */ item) => isResult(item) || users.includes(item));
    const result = last !== undefined && isResult(last) ? last : undefined;
    const prompt = texts.at(-1) ?? '';
    return {
      prompt,
      promptBefore: result === undefined ? (texts.at(-2) ?? '') : prompt,
      texts,
      system: String(body.instructions ?? ''),
      toolResult: result === undefined ? null : resultOf(result),
      hasResult: result !== undefined,
      tools: (body.tools ?? []).flatMap((/** @type {any} */ tool) =>
        tool.type === 'namespace'
          ? (tool.tools ?? []).map((/** @type {any} */ { name }) => name)
          : [tool.name ?? tool.type],
      ),
      said: input
        .filter((/** @type {any} */ item) => item.role === 'assistant' || /_call$/.test(item.type ?? ''))
        .map((/** @type {any} */ item) => JSON.stringify(item)),
      conversation: JSON.stringify(input),
    };
  },

  answer: (body, { text, tool, spent, id }) => {
    const item = tool
      ? {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: tool.name,
          ...namespaceOf(body, tool.name),
          arguments: JSON.stringify(tool.input),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `msg_${id}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        };
    const input = spent.input + spent.cacheRead + spent.cacheWrite;
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: spent.cacheRead, cache_write_tokens: spent.cacheWrite },
      output_tokens: spent.output,
      output_tokens_details: { reasoning_tokens: spent.reasoning },
      total_tokens: input + spent.output,
    };
    const base = {
      id: `resp_stub_${id}`,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      model: body.model,
      status: 'in_progress',
      output: [],
    };
    const whole = { ...base, status: 'completed', output: [item], usage };
    let serial = 0;
    const event = (/** @type {string} */ type, /** @type {object} */ data) => ({
      event: type,
      data: { type, sequence_number: serial++, ...data },
    });
    const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'in_progress', content: [] };
    const word = (/** @type {string} */ said) =>
      event('response.output_text.delta', { item_id: `msg_${id}`, output_index: 0, content_index: 0, delta: said });
    return {
      whole,
      begin: [
        event('response.created', { response: base }),
        event('response.output_item.added', { output_index: 0, item: message }),
      ],
      word,
      end: [
        ...(tool ? [] : [word(text)]),
        event('response.output_item.done', { output_index: 0, item }),
        event('response.completed', { response: whole }),
      ],
    };
  },

  fault: ({ status, type, message, extra = {} }) => ({
    error: { type: type ?? (status === 400 ? 'invalid_request_error' : 'server_error'), message, ...extra },
  }),
};

/** A tool of an MCP server has a namespace, and the call must name the namespace. */
function namespaceOf(/** @type {any} */ body, /** @type {string} */ name) {
  const found = (body.tools ?? []).find(
    (/** @type {any} */ tool) =>
      tool.type === 'namespace' && (tool.tools ?? []).some((/** @type {any} */ each) => each.name === name),
  );
  return found === undefined ? {} : { namespace: found.name };
}
