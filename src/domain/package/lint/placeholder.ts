const WHOLE =
  /^\s*(?:\[[^[\]\n]{1,300}\]|<(?!redacted)[^<>\n]{1,300}>|\{\{[^{}\n]{1,300}\}\}|\.{3}|…|\?{2,}|x{3,}|-{2,})\s*$/i;
const UNDONE =
  /^\s*(?:TODO|TBD|FIXME|XXX|N\/A|tbc|to be (?:filled|completed|added|written|defined|determined|decided|announced|specified)\b|lorem ipsum)\b/i;
const AT_END = /(?:^|[\s:(])(?:TODO|TBD|FIXME|XXX)[\s.)]*$/;
/** A mark inside a sentence: "owned by <team name>", "deploy to {{env}}", "by [name]". */
const INSIDE =
  /\{\{[^{}\n]{1,100}\}\}|<(?:your|insert|name|team|agent|path|date|file|id|n|placeholder)[^<>\n]{0,60}>|\[(?:your|insert|name|team|agent|path|date|file|n|placeholder|criterion|constraint|reason)(?:[ -][^[\]\n]{0,60})?\](?!\()/i;

export const isPlaceholder = (text: string): boolean =>
  WHOLE.test(text) || UNDONE.test(text) || AT_END.test(text) || INSIDE.test(text);
