// The OpenAI Chat Completions API, as opencode uses it.

/** @typedef {import('./dialect.mjs').Dialect} Dialect */

/**
 * Matches a prompt that the operator queued during a turn. Versions of opencode before 1.17.9 wrap such a prompt in a
 * system reminder in the first request that contains the prompt.
 */
const QUEUED =
  /<system-reminder>\nThe user sent the following message:\n([\s\S]*?)\n\nPlease address this message and continue with your tasks\.\n<\/system-reminder>/g;

/** @returns {string[]} */
const textsOf = (/** @type {any} */ { content }) =>
  (typeof content === 'string' ? [content] : (content ?? []).map((/** @type {any} */ part) => part.text ?? ''))
    .map((/** @type {string} */ text) => text.replace(QUEUED, '$1'))
    .map((/** @type {string} */ text) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>\n?/g, ''))
    .filter((/** @type {string} */ text) => text.trim() !== '');

/** @type {Dialect} */
export const chat = {
  name: 'chat',
  path: /\/chat\/completions$/,

  read: (body) => {
    const messages = body.messages ?? [];
    const texts = messages
      .filter((/** @type {any} */ message) => message.role === 'user')
      .flatMap((/** @type {any} */ message) => textsOf(message));
    const last = messages.at(-1);
    const result = last?.role === 'tool' ? last : undefined;
    const prompt = texts.at(-1) ?? '';
    return {
      prompt,
      promptBefore: result === undefined ? (texts.at(-2) ?? '') : prompt,
      texts,
      system: messages
        .filter((/** @type {any} */ message) => message.role === 'system')
        .flatMap((/** @type {any} */ message) => textsOf(message))
        .join('\n'),
      toolResult: result === undefined ? null : textsOf(result).join('\n'),
      hasResult: result !== undefined,
      tools: (body.tools ?? []).map((/** @type {any} */ tool) => tool.function?.name),
      said: messages
        .filter((/** @type {any} */ message) => message.role === 'assistant')
        .map((/** @type {any} */ message) => JSON.stringify(message)),
      conversation: JSON.stringify(messages),
    };
  },

  answer: (body, { text, tool, spent, id }) => {
    const base = { id: `chatcmpl-stub-${id}`, created: Math.floor(Date.now() / 1000), model: body.model };
    const input = spent.input + spent.cacheRead + spent.cacheWrite;
    const usage = {
      prompt_tokens: input,
      prompt_tokens_details: { cached_tokens: spent.cacheRead },
      completion_tokens: spent.output,
      completion_tokens_details: { reasoning_tokens: spent.reasoning },
      total_tokens: input + spent.output,
    };
    const calls = tool && [
      { id: `call_${id}`, type: 'function', function: { name: tool.name, arguments: JSON.stringify(tool.input) } },
    ];
    const finish = tool ? 'tool_calls' : 'stop';
    const chunk = (/** @type {object} */ delta, /** @type {string | null} */ end = null, more = {}) => ({
      data: { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: end }], ...more },
    });
    const word = (/** @type {string} */ said) => chunk({ content: said });
    const indexed = calls?.map((call, index) => ({ index, ...call }));
    return {
      whole: {
        ...base,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: finish,
            message: { role: 'assistant', content: tool ? null : text, ...(calls ? { tool_calls: calls } : {}) },
          },
        ],
        usage,
      },
      begin: [chunk({ role: 'assistant', content: '' })],
      word,
      end: [
        indexed ? chunk({ tool_calls: indexed }) : word(text),
        chunk({}, finish, { usage }),
        { data: { ...base, object: 'chat.completion.chunk', choices: [], usage } },
        { data: '[DONE]' },
      ],
    };
  },

  fault: ({ status, type, message, extra = {} }) => ({
    error: { type: type ?? (status === 400 ? 'invalid_request_error' : 'server_error'), message, ...extra },
  }),
};
