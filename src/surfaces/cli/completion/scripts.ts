import { shellQuote } from '../../../contract/words/shell-quote.ts';
import type { Place } from './command-tree.ts';
import { VALUE_OPTIONS } from './value-kinds.ts';

/**
 * The names of Baton's commands and options consist of letters and dashes, so they need no quoting. Summaries contain
 * other characters, so they are quoted.
 */
const names = ({ words }: Place): string => words.map(({ name }) => name).join(' ');

/** Shell lines that find the longest known command in the words before the cursor, ignoring options and arguments. */
const WALK = (word: string, known: string): string[] => [`    case "$${word}" in -*) continue ;; esac`, `    ${known}`];

/**
 * Returns a pattern for the shell's `case`. The pattern lists the commands that have an argument whose values come from
 * the server.
 */
const valuePlaces = (places: readonly Place[]): string =>
  places
    .filter(({ hasValues }) => hasValues)
    .map(({ path }) => shellQuote(path))
    .join('|');

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the `${…}` in these texts is shell syntax
export function bashScript(places: readonly Place[]): string {
  return [
    '# Completion of baton for bash. Use it with: source <(baton completion bash)',
    '_baton_words() {',
    '  case "$1" in',
    ...places.map((place) => `    ${shellQuote(place.path)}) echo ${shellQuote(names(place))} ;;`),
    '    *) return 1 ;;',
    '  esac',
    '}',
    '_baton_values() {',
    '  local value summary',
    "  while IFS=$'\\t' read -r value summary; do",
    '    [[ -n "$value" && "$value" == "$current"* ]] && COMPREPLY+=("$value")',
    '  done < <(baton complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)',
    '}',
    '_baton() {',
    "  local path='' word next index hide='' current=\"${COMP_WORDS[COMP_CWORD]}\"",
    '  COMPREPLY=()',
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    '    word="${COMP_WORDS[index]}"',
    ...WALK('word', 'next="${path:+$path }$word"'),
    '    if _baton_words "$next" >/dev/null; then path="$next"; fi',
    '  done',
    '  case "${COMP_WORDS[COMP_CWORD - 1]}" in',
    `    ${VALUE_OPTIONS.join('|')}) _baton_values; return ;;`,
    '  esac',
    '  case "$current" in',
    '    -*) ;;',
    '    *)',
    '      case "$path" in',
    `        ${valuePlaces(places)}) _baton_values ;;`,
    '      esac ;;',
    '  esac',
    '  # If the server has values, options are offered only after a dash.',
    '  [ "${#COMPREPLY[@]}" -gt 0 ] && hide=1',
    '  for word in $(_baton_words "$path"); do',
    '    case "$word" in "$current"*) ;; *) continue ;; esac',
    '    case "$hide$word" in 1-*) ;; *) COMPREPLY+=("$word") ;; esac',
    '  done',
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
    "  local place='' word next line ret=1",
    '  local -a answers values',
    '  local -A known',
    `  known=(${places.map(({ path }) => `${shellQuote(path === '' ? '.' : path)} 1`).join(' ')})`,
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    ...WALK('word', 'next="${place:+$place }$word"'),
    '    if (( ${+known[$next]} )); then place="$next"; fi',
    '  done',
    '  case "$place" in',
    ...places.map((place) => `    ${shellQuote(place.path)}) answers=(${described(place)}) ;;`),
    '  esac',
    '  if [[ "$words[CURRENT]" != -* ]]; then',
    '    case "$words[CURRENT-1]" in',
    `      ${VALUE_OPTIONS.join('|')}) word=values; answers=() ;;`,
    '      *)',
    '        case "$place" in',
    `          ${valuePlaces(places)}) word=values ;;`,
    "          *) word='' ;;",
    '        esac ;;',
    '    esac',
    '    if [[ "$word" == values ]]; then',
    '      for line in "${(@f)$(baton complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do',
    '        [[ -n "$line" ]] && values+=("${${line%%$\'\\t\'*}//:/\\:}:${line#*$\'\\t\'}")',
    '      done',
    '    fi',
    '  fi',
    '  # If the server has values, options are offered only after a dash.',
    '  if (( $#values )); then',
    '    answers=("${(@)answers:#-*}")',
    "    _describe -V 'baton' values && ret=0",
    '  fi',
    "  (( $#answers )) && _describe 'baton' answers && ret=0",
    '  (( ret )) && _files',
    '}',
    'if [ "$funcstack[1]" = "_baton" ]; then _baton "$@"; else compdef _baton baton; fi',
    '',
  ].join('\n');
}

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: end of the shell scripts
export function fishScript(places: readonly Place[]): string {
  const inFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const paths = places.map(({ path }) => inFish(path)).join(' ');
  // fish offers file names by default. Switch file names off where the next word must be a subcommand.
  const withValues = places.filter(({ hasValues }) => hasValues);
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
    'function __baton_wants_values',
    "  string match -q -- '-*' (commandline -ct); and return 1",
    '  set -l previous (commandline -opc)[-1]',
    `  contains -- $previous ${VALUE_OPTIONS.join(' ')}; and return 0`,
    `  contains -- (__baton_place) ${withValues.map(({ path }) => inFish(path)).join(' ')}`,
    'end',
    'function __baton_values',
    "  baton complete -- (commandline -opc)[2..-1] '' 2>/dev/null",
    'end',
    "complete -c baton -k -n __baton_wants_values -a '(__baton_values)'",
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
