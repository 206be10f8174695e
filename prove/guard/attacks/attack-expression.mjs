// Finds the text on which a regular expression is slowest. Runs in its own process, because a slow regular expression
// cannot be interrupted. Reads expressions as JSON from standard input. Writes the cost of each expression as JSON.

/**
 * @typedef {{ readonly source: string, readonly flags: string, readonly everywhere: boolean, readonly length: number }} Asked
 * @typedef {{ readonly ms: number, readonly text: string, readonly length: number }} Cost
 * @typedef {{ readonly kind: 'set', readonly chars: readonly string[] }} CharSet
 * @typedef {{ readonly kind: 'choice', readonly options: readonly (readonly Part[])[] }} Choice
 * @typedef {{ readonly kind: 'nothing', readonly inner?: Choice }} Nothing
 * @typedef {{ readonly kind: 'repeat', readonly min: number, readonly max: number, readonly part: Part }} Repeat
 * @typedef {CharSet | Choice | Nothing | Repeat} Part
 */

import { pathToFileURL } from 'node:url';

/** One character of each kind that regular expressions tell apart, such as a digit or a space. */
const PROBES = [...'aexsz AZ019\n\t-_./\\"\'`*()[]{}<>:;,!?=#$@%&+|~^…é─❯\u001b\u009b\u2028\u0000'];
const MAX_SAMPLES = 5;
const MAX_TEXTS = 160;
const EARLY = [24, 27, 30, 36, 48, 200, 600, 1_500];
const SCREENED = 3_000;
const FEW = 24_000;
const QUICK_MS = 0.3;
const MAX_MS = 100;

/**
 * Parses the regular expression syntax that this repository uses. Throws an error on other syntax, because the
 * attacking texts would then not match the expression.
 */
class Reader {
  /**
   * @param {string} source
   * @param {string} flags
   */
  constructor(source, flags) {
    this.source = source;
    this.flags = flags.replace(/[^iu]/g, '');
    this.at = 0;
    /**
     * The capturing groups, in the order of their opening parentheses. A group is undefined until its closing
     * parenthesis has been parsed.
     * @type {(Choice | undefined)[]}
     */
    this.groups = [];
    if (flags.includes('v')) throw this.unknown('the flag v');
  }

  /** @param {string} syntax */
  unknown(syntax) {
    return new Error(`attack-expression.mjs cannot read ${syntax} in /${this.source}/, so it cannot attack it`);
  }

  /** Parses the whole expression. */
  whole() {
    const whole = this.choice();
    if (this.at < this.source.length) throw this.unknown(this.source.slice(this.at));
    return whole;
  }

  /** @returns {Choice} */
  choice() {
    /** @type {Part[][]} */
    const options = [[]];
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      if (this.source[this.at] === '|') {
        this.at++;
        options.push([]);
      } else options.at(-1)?.push(this.repeated());
    }
    return { kind: 'choice', options };
  }

  /** @returns {Part} */
  repeated() {
    const part = this.single();
    const rest = this.source.slice(this.at);
    const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest);
    const [all = '', min = 0, max = 0] =
      counted !== null
        ? [
            counted[0],
            Number(counted[1]),
            counted[2] === undefined ? Number(counted[1]) : Number(counted[3] || Infinity),
          ]
        : rest[0] === '*'
          ? ['*', 0, Infinity]
          : rest[0] === '+'
            ? ['+', 1, Infinity]
            : rest[0] === '?'
              ? ['?', 0, 1]
              : [];
    if (all === '') return part;
    this.at += all.length;
    if (this.source[this.at] === '?') this.at++;
    return { kind: 'repeat', min, max, part };
  }

  /** @returns {Part} */
  single() {
    const char = this.source[this.at];
    if (char === '(') return this.group();
    if (char === '^' || char === '$') {
      this.at++;
      return { kind: 'nothing' };
    }
    return this.set();
  }

  /** @returns {Part} */
  group() {
    const [opening = '('] = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(this.source.slice(this.at)) ?? [];
    this.at += opening.length;
    if (this.source[this.at] === '?') throw this.unknown(this.source.slice(this.at - 1, this.at + 4));
    const number = /^\((?:\?<\w+>)?$/.test(opening) ? this.groups.push(undefined) : 0;
    const inner = this.choice();
    if (number > 0) this.groups[number - 1] = inner;
    if (this.source[this.at] !== ')') throw this.unknown('a group without an end');
    this.at++;
    return /[=!]$/.test(opening) ? { kind: 'nothing', inner } : inner;
  }

  /** @returns {Part} */
  set() {
    const rest = this.source.slice(this.at);
    const [first = ''] = this.flags.includes('u') ? rest : rest.slice(0, 1);
    const [word = first] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[1-9]\d*|\\[\s\S])/.exec(
        rest,
      ) ?? [];
    this.at += word.length;
    if (/^\\[bB]/.test(word)) return { kind: 'nothing' };
    // A reference such as \1 matches the same text as its group, so use the samples of this group.
    const group = this.groups[Number(word.slice(1)) - 1];
    if (/^\\[1-9]/.test(word) && group !== undefined) return group;
    if (/^\\[1-9kc]/.test(word)) throw this.unknown(word);
    const fits = new RegExp(`^(?:${word})$`, this.flags);
    const literal = /^[^[\\.]$/u.test(word) ? [word] : [];
    const chars = [...literal, ...PROBES.filter((probe) => fits.test(probe))];
    return { kind: 'set', chars: (chars.length > 0 ? chars : this.rare(word, fits)).slice(0, 12) };
  }

  /**
   * Returns the first character of Unicode that the character class matches. Called only if the class matches no
   * character of PROBES.
   * @param {string} word
   * @param {RegExp} fits
   */
  rare(word, fits) {
    for (let code = 0; code <= 0x10_ff_ff; code++) {
      const char = String.fromCodePoint(code);
      if (fits.test(char)) return [char];
    }
    throw this.unknown(word);
  }
}

/**
 * Returns texts that these parts of a regular expression match: the shortest text for each alternative.
 * @param {readonly Part[]} parts
 * @returns {readonly string[]}
 */
function samplesOf(parts) {
  let made = [''];
  for (const part of parts) {
    const next = samplesOfPart(part);
    made = made.flatMap((text) => next.map((more) => text + more)).slice(0, MAX_SAMPLES);
  }
  return made;
}

/**
 * @param {Part} part
 * @returns {readonly string[]}
 */
function samplesOfPart(part) {
  if (part.kind === 'nothing') return [''];
  if (part.kind === 'set') return part.chars.slice(0, 3);
  if (part.kind === 'repeat') {
    const [one = ''] = samplesOfPart(part.part);
    return [one.repeat(part.min)];
  }
  const { options } = part;
  const chosen = options.length <= MAX_SAMPLES ? options : [...options.slice(0, 3), ...options.slice(-2)];
  return chosen.flatMap((option) => samplesOf(option).slice(0, 2)).slice(0, MAX_SAMPLES);
}

/**
 * Calls `found` for every repetition (such as `a*`) in a regular expression. Passes texts that match the parts before
 * the repetition, and texts that the repetition repeats.
 *
 * @param {readonly Part[]} parts
 * @param {readonly string[]} before
 * @param {(before: readonly string[], pumps: readonly string[]) => void} found
 */
function repetitions(parts, before, found) {
  let ahead = before;
  for (const part of parts) {
    visit(part, ahead, found);
    const samples = samplesOfPart(part);
    ahead = ahead.flatMap((text) => samples.map((more) => text + more)).slice(0, MAX_SAMPLES);
  }
}

/**
 * @param {Part} part
 * @param {readonly string[]} before
 * @param {(before: readonly string[], pumps: readonly string[]) => void} found
 */
function visit(part, before, found) {
  if (part.kind === 'nothing' && part.inner !== undefined) visit(part.inner, before, found);
  if (part.kind === 'choice') for (const option of part.options) repetitions(option, before, found);
  if (part.kind !== 'repeat') return;
  if (part.max > 4) found(before, part.part.kind === 'set' ? part.part.chars : samplesOfPart(part.part));
  visit(part.part, before, found);
}

const ENDS = ['\u0001', '', 'x', '!', ' ', '\n'];

/**
 * Returns functions. Each function makes an attacking text of the requested length.
 *
 * @param {string} source
 * @param {string} flags
 * @returns {readonly ((length: number) => string)[]}
 */
export function attacksOn(source, flags) {
  /** @type {Map<string, (length: number) => string>} */
  const made = new Map();
  /** @type {(head: string, unit: string, end: string) => void} */
  const add = (head, unit, end) => {
    if (unit === '') return;
    made.set(JSON.stringify([head, unit, end]), (length) => {
      const room = Math.max(1, length - head.length - end.length);
      return head + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + end;
    });
  };
  const whole = new Reader(source, flags).whole();
  visit(whole, [''], (before, pumps) => {
    for (const pump of pumps)
      for (const head of before) {
        for (const end of ENDS) add(head, pump, end);
        add('', head + pump, '');
        add(`\u0002${head}`, pump, '\u0001');
        add('', head + pump, '\u0001');
      }
    for (const head of before) add('', head, '\u0001');
  });
  for (const probe of [' ', 'a', '0', '\n', '-']) add('', probe, '\u0001');
  const all = [...made.values()];
  // If there are too many texts, use only some of them, spread evenly over the list.
  const step = Math.max(1, all.length / MAX_TEXTS);
  return Array.from(
    { length: Math.min(all.length, MAX_TEXTS) },
    (_, index) => all[Math.floor(index * step)] ?? all[0],
  ).filter((each) => each !== undefined);
}

/**
 * @param {Asked} asked
 * @returns {Cost}
 */
export function costOf({ source, flags, everywhere, length }) {
  const expression = new RegExp(source, everywhere && !flags.includes('g') ? `${flags}g` : flags);
  const attacks = attacksOn(source, flags);
  /** @type {(text: string) => number} */
  const time = (text) => {
    const before = process.cpuUsage();
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  /** @type {(text: string) => number} */
  const least = (text) => {
    const first = time(text);
    if (first > MAX_MS) return first;
    // If the time is close to a limit, measure again and use the minimum, because other load on the machine adds time.
    let ms = first;
    for (let again = 0; again < 4 && (ms > 25 || (ms < 1 && ms >= QUICK_MS)); again++) ms = Math.min(ms, time(text));
    return ms;
  };
  // Measure short texts first. An exponential expression is slow even on a short text, and would never end on a long
  // text.
  for (const size of EARLY.filter((each) => each <= length))
    for (const attack of attacks) {
      const text = attack(size);
      const ms = time(text);
      if (ms > MAX_MS) return { ms, text: excerpt(text), length: size };
    }
  /** @type {Cost} */
  let worst = { ms: 0, text: '', length: 0 };
  const candidates = attacks
    .map((attack) => ({ attack, ms: time(attack(Math.min(length, SCREENED))) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 3);
  for (const { attack } of candidates)
    for (let size = Math.min(length, FEW); ; size = Math.min(length, size * 4)) {
      const text = attack(size);
      const ms = least(text);
      // If the expression checks a text quickly, compute the time for the whole length instead of measuring it. A quick
      // expression is linear, because a quadratic expression would take a thousand times as long.
      const isQuick = ms < QUICK_MS;
      const whole = isQuick ? (ms * length) / size : ms;
      if (whole >= worst.ms) worst = { ms: whole, text: excerpt(text), length: isQuick ? length : size };
      if (ms > MAX_MS) return worst;
      if (isQuick || size >= length) break;
    }
  return worst;
}

/** @param {string} text */
const excerpt = (text) => `${JSON.stringify(text.slice(0, 30))}…${JSON.stringify(text.slice(-4))}`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  /** @type {readonly Asked[]} */
  const asked = JSON.parse(input);
  process.stdout.write(JSON.stringify(asked.map(costOf)));
}
