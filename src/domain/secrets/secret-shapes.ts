/** The pattern of one kind of credential. */
export interface SecretShape {
  /** The kind of the credential, as it stands in a marker such as `[redacted github-token]`. */
  readonly kind: string;
  /** The kind of the credential in words, for a sentence such as "looks like it holds a GitHub token". */
  readonly words: string;
  readonly shape: RegExp;
  /** Matches the beginning of a credential at the end of a text that was truncated there. */
  readonly cut?: RegExp;
}

/** A lookbehind that makes a pattern match only at the start of a word. */
const WORD = '(?<![A-Za-z0-9])';
/**
 * A lookbehind that makes a pattern match only at the start of a word. Unlike `WORD`, it counts `-` and `_` as letters
 * of the word.
 */
const RUN = '(?<![A-Za-z0-9_-])';

const shape = (kind: string, words: string, whole: string, cut?: string): SecretShape => ({
  kind,
  words,
  shape: new RegExp(whole),
  ...(cut === undefined ? {} : { cut: new RegExp(`${cut}$`) }),
});

/**
 * The patterns of credentials. Every repeat is bounded, and most patterns match only at the start of a word, so that a
 * hostile text cannot make the search slow. The first group of a pattern, if there is one, is the secret itself.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  shape(
    'aws-access-key',
    'an AWS access key',
    `${WORD}(?:AKIA|ASIA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])`,
    `${WORD}(?:AKIA|ASIA)(?!IOSFOD)[A-Z0-9]{6,15}`,
  ),
  shape(
    'github-token',
    'a GitHub token',
    `${WORD}(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})`,
    `${WORD}(?:gh[pousr]_[A-Za-z0-9]{6,29}|github_pat_[A-Za-z0-9_]{6,21})`,
  ),
  shape(
    'gitlab-token',
    'a GitLab token',
    `${WORD}gl(?:pat|ptt|dt|rt|cbt|ft|oas|soat|agent|imt)-[A-Za-z0-9_.-]{20,255}`,
    `${WORD}glpat-[A-Za-z0-9_-]{6,19}`,
  ),
  shape(
    'slack-token',
    'a Slack token',
    `${WORD}(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}`,
    `${WORD}(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{4,9}`,
  ),
  shape('slack-webhook', 'a Slack webhook', 'hooks\\.slack\\.com/services/([A-Z0-9]{6,20}/[A-Za-z0-9/]{0,80})'),
  shape(
    'discord-webhook',
    'a Discord webhook',
    'discord(?:app)?\\.com/api/webhooks/([0-9]{15,22}/[A-Za-z0-9_-]{20,120})',
  ),
  shape('anthropic-key', 'an Anthropic key', `${RUN}sk-ant-[A-Za-z0-9_-]{20,255}`, `${RUN}sk-ant-[A-Za-z0-9_-]{6,19}`),
  shape(
    'openai-key',
    'an OpenAI key',
    `${RUN}sk-(?!ant-)(?=[A-Za-z_-]{0,40}\\d)[A-Za-z0-9_-]{20,255}`,
    `${RUN}sk-(?!ant-)(?=[A-Za-z_-]{0,19}\\d)[A-Za-z0-9_-]{8,19}`,
  ),
  shape('google-key', 'a Google key', `${RUN}AIza[A-Za-z0-9_-]{35}`, `${RUN}AIza[A-Za-z0-9_-]{6,34}`),
  shape('google-oauth-token', 'a Google OAuth token', `${WORD}(?:ya29\\.|GOCSPX-)[A-Za-z0-9_-]{20,400}`),
  shape(
    'stripe-key',
    'a Stripe key',
    `${WORD}(?:[rs]k_live_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/]{24,128})`,
    `${WORD}[rs]k_live_[A-Za-z0-9]{6,15}`,
  ),
  shape('npm-token', 'an npm token', `${WORD}npm_[A-Za-z0-9]{36}`, `${WORD}npm_[A-Za-z0-9]{10,35}`),
  shape('pypi-token', 'a PyPI token', `${WORD}pypi-AgEI[A-Za-z0-9_-]{40,400}`, `${WORD}pypi-AgEI[A-Za-z0-9_-]{4,39}`),
  shape(
    'hugging-face-token',
    'a Hugging Face token',
    `${WORD}hf_(?=[A-Za-z]{0,33}\\d|[a-z]{0,33}[A-Z])[A-Za-z0-9]{30,64}`,
  ),
  shape('sendgrid-key', 'a SendGrid key', `${WORD}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}`),
  shape('digitalocean-token', 'a DigitalOcean token', `${WORD}do[opr]_v1_[0-9a-f]{40,64}`),
  shape('vault-token', 'a Vault token', `${WORD}hv[sbr]\\.[A-Za-z0-9_-]{24,255}`),
  shape('telegram-token', 'a Telegram bot token', `${WORD}[0-9]{8,10}:AA[A-Za-z0-9_-]{30,40}`),
  shape('age-key', 'an age key', `${WORD}AGE-SECRET-KEY-1[0-9A-Z]{50,60}`, `${WORD}AGE-SECRET-KEY-1[0-9A-Z]{0,49}`),
  shape(
    'json-web-token',
    'a JSON web token',
    `${RUN}eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,4000}(?:\\.[A-Za-z0-9_-]{0,1000})?`,
    `${RUN}eyJ[A-Za-z0-9_-]{8,2000}(?:\\.[A-Za-z0-9_-]{0,10})?`,
  ),
  shape(
    'password',
    'a password in an address',
    '://[^\\s/:@]{0,64}:((?![<$*{[])[^\\s/@]{3,256})@',
    '://[^\\s/:@]{1,64}:((?![<$*{[]|[0-9]{1,5}$)[^\\s/@]{3,256})',
  ),
  shape('token', 'a token in an address', '://((?=[A-Za-z_-]{0,80}\\d)[A-Za-z0-9_-]{20,255})@'),
  shape(
    'authorization',
    'an authorization header',
    '[Aa]uthorization\\\\?["\']?\\s{0,3}[:=]\\s{0,3}\\\\?["\']?(?:[A-Za-z]{2,20}\\s{1,3})?((?=[^\\s"\'\\\\]{0,80}[0-9=])[A-Za-z0-9._~+/=-]{8,2000})',
  ),
  shape(
    'bearer-token',
    'a bearer token',
    `${WORD}[Bb]earer\\s{1,3}((?=[A-Za-z._~+/-]{0,100}\\d)[A-Za-z0-9._~+/=-]{16,2000})`,
  ),
  shape(
    'signature',
    'a signature in an address',
    '[?&](?:key|sig|signature|[Xx]-[Aa]mz-(?:[Ss]ignature|[Ss]ecurity-[Tt]oken))=((?=[A-Za-z%_.-]{0,100}\\d)[^&\\s#"\'<>]{16,2000})',
  ),
];

/** The source of a regular expression that matches a text with any credential, whether complete or truncated. */
export const ANY_SOURCE: string = SECRET_SHAPES.flatMap(({ shape, cut }) =>
  cut === undefined ? [shape] : [shape, cut],
)
  .map(({ source }) => `(?:${source})`)
  .join('|');
