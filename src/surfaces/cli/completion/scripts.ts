import { shellQuote } from '../../../contract/words/shell-quote.ts';
import type { Place } from './command-tree.ts';

/** The names of our commands and options consist of letters and dashes, so they need no quoting; summaries do. */
const names = ({ words }: Place): string => words.map(({ name }) => name).join(' ');

/** Shell lines that find the longest known command in the words before the cursor, ignoring options and arguments. */
const WALK = (word: string, known: string): string[] => [`    case "$${word}" in -*) continue ;; esac`, `    ${known}`];

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are the shells' own
export function bashScript(places: readonly Place[]): string {
  return [
    '# Completion of baton for bash. Use it with: source <(baton completion bash)',
    '_baton_words() {',
    '  case "$1" in',
    ...places.map((place) => `    ${shellQuote(place.path)}) echo ${shellQuote(names(place))} ;;`),
    '    *) return 1 ;;',
    '  esac',
    '}',
    '_baton() {',
    "  local path='' word next index",
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    '    word="${COMP_WORDS[index]}"',
    ...WALK('word', 'next="${path:+$path }$word"'),
    '    if _baton_words "$next" >/dev/null; then path="$next"; fi',
    '  done',
    '  COMPREPLY=($(compgen -W "$(_baton_words "$path")" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _baton baton',
    '',
  ].join('\n');
}

export function zshScript(places: readonly Place[]): string {
  const described = ({ words }: Place): string =>
    words.map(({ name, summary }) => shellQuote(`${name.replaceAll(':', '\\:')}:${summary}`)).join(' ');
  return [
    '#compdef baton',
    '# Completion of baton for zsh. Save it as _baton in a folder of your fpath,',
    '# or use it after compinit with: source <(baton completion zsh)',
    '_baton() {',
    "  local place='' word next",
    '  local -a answers',
    '  local -A known',
    `  known=(${places.map(({ path }) => `${shellQuote(path === '' ? '.' : path)} 1`).join(' ')})`,
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    ...WALK('word', 'next="${place:+$place }$word"'),
    '    if (( ${+known[$next]} )); then place="$next"; fi',
    '  done',
    '  case "$place" in',
    ...places.map((place) => `    ${shellQuote(place.path)}) answers=(${described(place)}) ;;`),
    '  esac',
    "  _describe 'baton' answers || _files",
    '}',
    'if [ "$funcstack[1]" = "_baton" ]; then _baton "$@"; else compdef _baton baton; fi',
    '',
  ].join('\n');
}

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above
export function fishScript(places: readonly Place[]): string {
  const inFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const paths = places.map(({ path }) => inFish(path)).join(' ');
  // Fish also offers files by default. This is turned off where a subcommand has to come next.
  const groups = places.filter(({ words }) => words.some(({ name }) => !name.startsWith('-')));
  return [
    '# Completion of baton for fish. Save it as ~/.config/fish/completions/baton.fish',
    '# or use it with: baton completion fish | source',
    'function __baton_place',
    `  set -l known ${paths}`,
    "  set -l place ''",
    '  for word in (commandline -opc)[2..-1]',
    "    string match -q -- '-*' $word; and continue",
    '    set -l next (string trim -- "$place $word")',
    '    contains -- $next $known; and set place $next',
    '  end',
    '  echo $place',
    'end',
    ...groups.map(({ path }) => `complete -c baton -f -n "test (__baton_place) = ${inFish(path)}"`),
    ...places.flatMap(({ path, words }) =>
      words.map(
        ({ name, summary }) =>
          `complete -c baton -n "test (__baton_place) = ${inFish(path)}" -a ${inFish(name)} -d ${inFish(summary)}`,
      ),
    ),
    '',
  ].join('\n');
}
