/**
 * Matches the names of variables that hold secrets. If a word is missing from this list, a secret is exposed. If a word
 * is wrongly in this list, a value that is not secret is masked.
 */
const SECRET =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PAT|APIKEY|CREDENTIALS?|AUTH|COOKIE|DSN|WEBHOOK)(?:$|_)|(?:^|_)KEY(?:$|_[0-9A-Z]{1,4}$)|(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|SSH|DEPLOY)_?KEY|TOKEN$|SECRET$|PASSWORD$/;

/**
 * Matches names of variables that say where a secret is stored or how it is used. The values of such variables are not
 * secret.
 */
const ABOUT =
  /(?:_FILE|_PATH|_DIR|_HOME|_SOCK|_SOCKET|_STORE|_URL|_URI|_NAME|_TYPE|_MODE|_ID|_TTL|_TIMEOUT|_COUNT|_LIMIT|_METHOD|_HELPER|ASKPASS)$|^(?:OLD)?PWD$|^(?:SSH_AUTH_SOCK|GIT_SSH_COMMAND|XAUTHORITY|SSH_ASKPASS_REQUIRE)$/;

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET.test(upper) && !ABOUT.test(upper);
}

export const SHORTEST_KNOWN = 8;

/** Values that are not secret, even if the variable's name looks like the name of a secret. */
const PLAIN_WORDS = new Set(
  'disabled enabled required optional keychain keyring password undefined anonymous localhost'.split(' '),
);

/**
 * True if texts may be searched for this secret value. False for a short value, a common word or a path, because such a
 * value would be found everywhere.
 */
export const isSecretValue = (value: string): boolean =>
  value.length >= SHORTEST_KNOWN &&
  value.trim() !== '' &&
  !PLAIN_WORDS.has(value.toLowerCase()) &&
  !/^(?:~?\/(?:home|Users|usr|etc|opt|var|tmp|run|root|bin)\/|~\/)/.test(value);
