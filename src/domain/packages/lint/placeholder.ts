/** The whole field is a placeholder: `[agent-id]`, `<owner>`, `{{name}}`, `【路径】`, `...`, `???`, `TODO`. */
const WHOLE =
  /^\s{0,9}(?:\[[^[\]\n]{1,300}\]|［[^［］\n]{1,300}］|【[^【】\n]{1,300}】|<(?!redacted)[^<>\n]{1,300}>|＜[^＜＞\n]{1,300}＞|\{\{[^{}\n]{1,300}\}\}|[.…_?？–—-]{2,}|[…?？]|x{3,}|(?:TODO|TBD|TBC|FIXME|XXX|N\/A|lorem ipsum)[\s.!…]{0,9})\s{0,9}$/i;
/** The field begins with a marker: `TODO: write it`, `TBD (ask Ann)`. */
const BEGUN = /^\s{0,9}(?:TODO|TBD|FIXME|XXX)\s{0,3}[:：(–—-]/;

/** The author has not filled in this field. */
export const isPlaceholder = (text: string): boolean => WHOLE.test(text) || BEGUN.test(text);

/** "Owner: TBD" */
const AT_END = /[\s:：(](?:TODO|TBD|FIXME|XXX)[\s.)]{0,9}$/;
/**
 * A placeholder inside a sentence: "owned by <your team>", "signed by [name of the client]"; not `List<name>`,
 * `app/[name]/x.ts` or a link.
 */
const INSIDE =
  /(?<!\w)<\p{Ll}{2,30}[ _-][\p{L} _-]{2,60}>|(?<![\p{L}\p{N}/_])\[\p{Ll}{2,30} [\p{L} _-]{2,60}\](?![\p{L}\p{N}/_(])/u;

export const holdsPlaceholder = (text: string): boolean => AT_END.test(text) || INSIDE.test(text);
