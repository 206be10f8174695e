// The API failures that the clients have met. A prompt requests a failure with ⟦error KIND⟧, or with ⟦error KIND 3⟧ for
// its first three requests. A script requests a failure with model.fail(KIND, fits, times).

/**
 * @typedef {import('./dialect.mjs').Refusal & { headers?: Record<string, string> }} Refusal
 * @typedef {{ drop: true } | { cut: true } | Refusal} Fault
 */

const RESETS_IN_S = 7_200;

const usageLimit =
  (/** @type {string} */ claim, resetsInS = RESETS_IN_S) =>
  () => {
    const reset = String(Math.floor(Date.now() / 1000) + resetsInS);
    return {
      status: 429,
      type: 'rate_limit_error',
      message: 'Usage limit reached',
      headers: {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': reset,
        'anthropic-ratelimit-unified-representative-claim': claim,
        'anthropic-ratelimit-unified-fallback': 'available',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': reset,
        'anthropic-ratelimit-unified-5h-utilization': '1.0',
        'anthropic-ratelimit-unified-overage-status': 'rejected',
        'anthropic-ratelimit-unified-overage-disabled-reason': 'org_level_disabled',
        'x-should-retry': 'false',
      },
    };
  };

const refusal = (
  /** @type {number} */ status,
  /** @type {string} */ type,
  /** @type {string} */ message,
  /** @type {Record<string, string>} */ headers = {},
) => ({ status, type, message, headers });

/** @type {Record<string, Fault | (() => Fault)>} */
const FAULTS = {
  rate_limit: refusal(429, 'rate_limit_error', "This request would exceed your account's rate limit."),
  rate_limit_after: refusal(429, 'rate_limit_error', 'Too many request tokens per minute.', { 'retry-after': '20' }),
  /**
   * The usage limit of a subscription. A client with a subscription reads the limit from the headers of the refusal. A
   * client with an API key ignores the headers and only shows the message.
   */
  usage_limit: usageLimit('five_hour'),
  usage_limit_week: usageLimit('seven_day'),
  server_error: refusal(500, 'api_error', 'Internal server error'),
  overloaded: refusal(529, 'overloaded_error', 'Overloaded'),
  unauthorized: refusal(401, 'authentication_error', 'invalid x-api-key'),
  forbidden: refusal(403, 'permission_error', 'Your account does not have access'),
  billing: refusal(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
  bad_request: refusal(400, 'invalid_request_error', 'the stub was told to fail'),
  /** The connection is reset (ECONNRESET) before the first byte of the answer. */
  dropped: { drop: true },
  /** The connection breaks in the middle of the answer. */
  cut: { cut: true },
};

/**
 * The failures that the OpenAI API words differently from the Anthropic API.
 * @type {Record<string, Fault | (() => Fault)>}
 */
const OPENAI = {
  rate_limit: refusal(429, 'rate_limit_exceeded', 'Rate limit reached for stub-model. Please try again in 2s.'),
  usage_limit: () => ({
    status: 429,
    type: 'usage_limit_reached',
    message: 'The usage limit has been reached',
    extra: {
      plan_type: 'plus',
      resets_at: Math.floor(Date.now() / 1000) + RESETS_IN_S,
      resets_in_seconds: RESETS_IN_S,
    },
  }),
  quota: {
    status: 429,
    type: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    extra: { code: 'insufficient_quota' },
  },
  server_error: refusal(500, 'server_error', 'Internal server error'),
};

/** @param {string} kind @param {string} dialect @returns {Fault} */
export function faultOf(kind, dialect) {
  const fault = (dialect === 'anthropic' ? undefined : OPENAI[kind]) ?? FAULTS[kind];
  if (fault === undefined) throw new Error(`No such API error: ${kind}. There are: ${Object.keys(FAULTS).join(', ')}`);
  return typeof fault === 'function' ? fault() : fault;
}
