/** English only, and only what can be told from words: what a text means is for the receiver to ask about. */

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const STOP = set(`
  a an the and or but so of to in on at by for with from as is are was were be been it its it's i we you they he she this that
  these those there here has have had do does did not no all some any every each my our your their now then just also very
  up out off over again into about can could will would should may must`);

/** Words that any report could have. */
const GENERIC = set(`
  done complete completed completes finish finished finishing ready work works working worked task tasks thing things stuff
  update updated updates updating change changed changes fix fixed fixes fixing file files issue issues next step steps
  ok okay good fine great everything nothing something part parts job progress made make continue continued
  continuing handoff handing hand over please proceed go going ahead implemented implementation per
  requested request needed started start latest final finalized current status as-is set rest remaining left finally
  moving move moved along well far most mostly almost pretty much taken care wrapped sorted handled
  adjusted adjust tweaked tweaks small minor few several various details bits here there place today
  see look below above chat before earlier usual know what discussed mentioned agreed said same`);

const ANCHORS: readonly RegExp[] = [
  /`[^`\n]{1,200}`/,
  /\d/,
  /[\w.-]\/[\w./-]/,
  /[\w-]\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|h|cpp|cs|php|sql|md|json|ya?ml|toml|sh|html|css|txt|csv|proto|tf|lock)\b/i,
  /\b[A-Z]{2}[A-Z0-9]*s?\b/,
  /\b[a-z]+[A-Z]\w*\b/,
  /\b[a-z0-9]+_[a-z0-9_]+\b/i,
];

/** A number, a path, a file, an identifier or an acronym: something that can be looked up. */
export const hasAnchor = (text: string): boolean =>
  ANCHORS.some((anchor) => anchor.test(text.replace(/\b(?:OK|DONE|WIP|FYI|TODO|ASAP|TBD|LGTM|ETA)\b/g, '')));

export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}][\p{L}'’-]*/gu) ?? [];

export const contentWords = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => word.length > 1 && !STOP.has(word) && !GENERIC.has(word));

/** Points to a conversation that the receiver was not part of. */
export const ELSEWHERE =
  /\b(?:see (?:above|chat|thread)|as (?:we )?(?:discussed|mentioned|agreed|said|described (?:above|earlier|before))|where (?:i|we) left off|you know (?:what|the|how|where)|(?:our|the) (?:last|previous|earlier) (?:chat|conversation|discussion|session|message)|mentioned (?:above|earlier|before)|what we talked about|we (?:had )?(?:agreed|decided|settled|talked|spoke) (?:on|about|upon)|pick(?:ing)? up from there)\b/i;

/** In a summary also what is fair elsewhere: a constraint may say "the same as before". */
export const ELSEWHERE_IN_SUMMARY =
  /\b(?:see (?:below|earlier|previous)|as (?:before|usual)|(?:like|same as) (?:before|last time|yesterday|earlier|always)|the usual)\b/i;

export const HEDGE =
  /\b(?:not (?:sure|certain|clear|yet decided)|unclear|unsure|undecided|might (?:need|be|have|not)|may need to|needs? to (?:decide|be decided|be clarified|be confirmed)|to be (?:decided|confirmed|clarified)|don['’]t know|doubtful|i (?:think|guess|assume)|probably|perhaps|open question|remains open)\b/i;

/** A matter of taste wherever it stands. */
const ALWAYS_VAGUE =
  /\b(?:good|nice|great|proper|properly|appropriate|appropriately|robust|quickly|easily|intuitive|efficient|efficiently|acceptable|reasonable|reasonably|adequate|adequately|correctly|as expected|as needed|if needed|where possible|when possible|as much as possible|best practices?|optimi[sz]ed|optimal|scalable|sufficient|sufficiently|seamless|seamlessly|smoothly|improved|better|well|maintainable|readable|comprehensive|thorough|thoroughly|useful|helpful|everything|etc|user[- ]friendly|modern|elegant|high[- ]quality|professional|performant|soon|asap|timely|promptly|happy|satisfied|polished|state of the art)\b/i;

/** "The page is fast" is a matter of taste, "the fast lane is closed" is not: what counts is that it is said of something. */
const VAGUE_OF_SOMETHING =
  /\b(?:is|are|be|being|stays?|remains?|looks?|feels?|seems?|loads?|runs?|responds?|reacts?|gets?|more|very|really|quite|and)\s{1,4}(?:all\s{1,4})?(?:clean|cleaner|fast|faster|quick|quicker|easy|easier|simple|simpler|correct|clear|smooth|complete|flexible|stable|reliable|secure|responsive|solid|fine|ok|okay|done|finished|working|improved)\b|\b(?:fast|quick|clean|simple|fine|ok|okay|done|finished|complete|quality)\s{0,4}[.!]?\s{0,4}$|\b(?<!\b(?:continues? to|still|keeps?) )(?:works?|working)\s{0,4}(?:well|fine|now|ok|again)?\s{0,4}[.!]?\s{0,4}$/i;

/** A matter of taste unless something says how it is measured. */
export const isVague = (text: string): boolean => ALWAYS_VAGUE.test(text) || VAGUE_OF_SOMETHING.test(text.trimEnd());

/** In a constraint, fewer words are a matter of taste: "keep the API stable" is a rule. */
export const VAGUE_CONSTRAINT =
  /\b(?:quick|quickly|fast|soon|asap|as soon as possible|timely|promptly|good|nice|properly|appropriate|appropriately|reasonable|reasonably|where possible|when possible|as needed|if needed|as much as possible|best practices?|user[- ]friendly|high[- ]quality|cheap|cheaply|carefully|be careful|well)\b/i;
