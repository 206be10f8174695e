/** Matches a field that is only a placeholder: `[agent-id]`, `<owner>`, `{{name}}`, `【路径】`, `...`, `???`, `TODO`. */
const WHOLE =
  /^\s{0,9}(?:\[[^[\]\n]{1,300}\]|［[^［］\n]{1,300}］|【[^【】\n]{1,300}】|<(?!redacted)[^<>\n]{1,300}>|＜[^＜＞\n]{1,300}＞|\{\{[^{}\n]{1,300}\}\}|[.…_?？–—-]{2,}|[…?？]|x{3,}|(?:TODO|TBD|TBC|FIXME|XXX|N\/A|lorem ipsum)[\s.!…]{0,9})\s{0,9}$/i;
/** Matches a field that begins with a marker: `TODO: write it`, `TBD (ask Ann)`. */
const BEGUN = /^\s{0,9}(?:TODO|TBD|FIXME|XXX)\s{0,3}[:：(–—-]/;

/** True if the author has not filled in this field. */
export const isPlaceholder = (text: string): boolean => WHOLE.test(text) || BEGUN.test(text);

/** Matches a marker at the end of a text, for example "Owner: TBD". */
const AT_END = /[\s:：(](?:TODO|TBD|FIXME|XXX)[\s.)]{0,9}$/;
/**
 * Matches a placeholder inside a sentence, for example "owned by <your team>" or "signed by [name of the client]", but
 * not `List<name>`, `app/[name]/x.ts` or a link.
 */
const INSIDE =
  /(?<!\w)<\p{Ll}{2,30}[ _-][\p{L} _-]{2,60}>|(?<![\p{L}\p{N}/_])\[\p{Ll}{2,30} [\p{L} _-]{2,60}\](?![\p{L}\p{N}/_(])/u;

export const holdsPlaceholder = (text: string): boolean => AT_END.test(text) || INSIDE.test(text);
