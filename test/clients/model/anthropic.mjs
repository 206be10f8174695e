// The Anthropic Messages API, as Claude Code uses it.

/** @typedef {import('./dialect.mjs').Dialect} Dialect */

const isUser = (/** @type {any} */ message) => message.role === 'user';

/** @returns {any[]} */
const blocksOf = (/** @type {any} */ content) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

/** Returns the texts of people and tools, without the client's system reminders. */
const textsOf = (/** @type {any[]} */ blocks) =>
  blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>\n?/g, ''))
    .filter((text) => text.trim() !== '');

const usageOf = (/** @type {import('./dialect.mjs').Spent} */ { input, cacheRead, cacheWrite, output }) => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  output_tokens: output,
});

/** @type {Dialect} */
export const anthropic = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,

  read: (body) => {
    const messages = (body.messages ?? []).filter(isUser);
    const last = blocksOf(messages.at(-1)?.content);
    const found = last.find((block) => block.type === 'tool_result');
    // A message may contain both a prompt and a tool result, for example after an interrupted tool. Treat such a
    // message as a prompt.
    const result = textsOf(last).length > 0 ? undefined : found;
    const texts = messages.flatMap((/** @type {any} */ message) => textsOf(blocksOf(message.content)));
    const earlier = messages.slice(0, -1).flatMap((/** @type {any} */ message) => textsOf(blocksOf(message.content)));
    return {
      prompt: textsOf(last).at(-1) ?? texts.at(-1) ?? '',
      promptBefore: earlier.at(-1) ?? '',
      texts,
      system: blocksOf(body.system)
        .map(({ text }) => text)
        .join('\n'),
      toolResult: result === undefined ? null : textsOf(blocksOf(result.content)).join('\n'),
      hasResult: found !== undefined,
      tools: (body.tools ?? []).map((/** @type {any} */ { name }) => name),
      said: (body.messages ?? [])
        .filter((/** @type {any} */ message) => message.role === 'assistant')
        .map((/** @type {any} */ message) => JSON.stringify(message)),
      conversation: JSON.stringify(body.messages ?? []),
    };
  },

  answer: (body, { text, tool, spent, id }) => {
    const content = [
      { type: 'text', text },
      ...(tool ? [{ type: 'tool_use', id: `toolu_stub_${id}`, name: tool.name, input: tool.input }] : []),
    ];
    const stop = { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
    const usage = usageOf(spent);
    const message = { id: `msg_stub_${id}`, type: 'message', role: 'assistant', model: body.model, usage };
    const event = (/** @type {string} */ type, /** @type {object} */ data) => ({
      event: type,
      data: { type, ...data },
    });
    const begin = [
      event('message_start', {
        message: {
          ...message,
          usage: { ...usage, output_tokens: 1 },
          content: [],
          stop_reason: null,
          stop_sequence: null,
        },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ];
    const word = (/** @type {string} */ said) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: said } });
    const rest = content.slice(1).flatMap((block, at) => {
      const { input, ...start } = /** @type {any} */ (block);
      const json = JSON.stringify(input);
      return [
        event('content_block_start', { index: at + 1, content_block: { ...start, input: {} } }),
        event('content_block_delta', { index: at + 1, delta: { type: 'input_json_delta', partial_json: json } }),
        event('content_block_stop', { index: at + 1 }),
      ];
    });
    const end = [
      word(text),
      event('content_block_stop', { index: 0 }),
      ...rest,
      event('message_delta', { delta: stop, usage }),
      event('message_stop', {}),
    ];
    return { whole: { ...message, content, ...stop }, begin, word, end };
  },

  fault: ({ status, type, message }) => ({
    type: 'error',
    error: { type: type ?? (status === 400 ? 'invalid_request_error' : 'api_error'), message },
    request_id: 'req_stub',
  }),
};
