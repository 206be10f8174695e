/** Names of variables with secret values. A missing word here shows a secret; an extra one masks a plain value. */
const SECRET =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PAT|APIKEY|CREDENTIALS?|AUTH|COOKIE|DSN|WEBHOOK)(?:$|_)|(?:^|_)KEY(?:$|_[0-9A-Z]{1,4}$)|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|SSH|DEPLOY)_?KEY|TOKEN$|SECRET$|PASSWORD$/;

/** Names for the location or handling of a secret; their values are not secret. */
const ABOUT =
  /(?:_FILE|_PATH|_DIR|_HOME|_SOCK|_SOCKET|_STORE|_URL|_URI|_NAME|_TYPE|_MODE|_ID|_TTL|_TIMEOUT|_COUNT|_LIMIT|_METHOD|_HELPER|ASKPASS)$|^(?:OLD)?PWD$|^(?:SSH_AUTH_SOCK|GIT_SSH_COMMAND|XAUTHORITY|SSH_ASKPASS_REQUIRE)$/;

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET.test(upper) && !ABOUT.test(upper);
}

export const SHORTEST_KNOWN = 8;

/** Values of such variables that are not secret. */
const PLAIN_WORDS = new Set(
  'disabled enabled required optional keychain keyring password undefined anonymous localhost'.split(' '),
);

/** Should texts be searched for this value? Not if it is short, a common word or a path: those occur everywhere. */
export const isSecretValue = (value: string): boolean =>
  value.length >= SHORTEST_KNOWN &&
  value.trim() !== '' &&
  !PLAIN_WORDS.has(value.toLowerCase()) &&
  !/^(?:~?\/(?:home|Users|usr|etc|opt|var|tmp|run|root|bin)\/|~\/)/.test(value);
