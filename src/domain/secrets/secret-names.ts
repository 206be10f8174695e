/** Names whose values are secrets; a word more is shown masked, a word less is shown. */
const SECRET =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PAT|APIKEY|CREDENTIALS?|AUTH|COOKIE|DSN|WEBHOOK)(?:$|_)|(?:^|_)KEY(?:$|_[0-9A-Z]{1,4}$)|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|SSH|DEPLOY)_?KEY|TOKEN$|SECRET$|PASSWORD$/;

/** They say where a secret lies or how it is handled, and are no secret themselves. */
const ABOUT =
  /(?:_FILE|_PATH|_DIR|_HOME|_SOCK|_SOCKET|_STORE|_URL|_URI|_NAME|_TYPE|_MODE|_ID|_TTL|_TIMEOUT|_COUNT|_LIMIT|_METHOD|_HELPER|ASKPASS)$|^(?:OLD)?PWD$|^(?:SSH_AUTH_SOCK|GIT_SSH_COMMAND|XAUTHORITY|SSH_ASKPASS_REQUIRE)$/;

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET.test(upper) && !ABOUT.test(upper);
}

export const SHORTEST_KNOWN = 8;

/** What a variable of such a name holds where it holds no secret. */
const PLAIN_WORDS = new Set(
  'disabled enabled required optional keychain keyring password undefined anonymous localhost'.split(' '),
);

/** Is it worth looking for? Short or common words would be found everywhere, and a path is shown everywhere. */
export const isSecretValue = (value: string): boolean =>
  value.length >= SHORTEST_KNOWN &&
  value.trim() !== '' &&
  !PLAIN_WORDS.has(value.toLowerCase()) &&
  !/^(?:~?\/(?:home|Users|usr|etc|opt|var|tmp|run|root|bin)\/|~\/)/.test(value);
