const WHOLE =
  /^\s*(?:\[[^[\]\n]{1,300}\]|<(?!redacted)[^<>\n]{1,300}>|\{\{[^{}\n]{1,300}\}\}|\.{3}|…|\?{2,}|x{3,}|-{2,})\s*$/i;
const UNDONE =
  /^\s*(?:TODO|TBD|FIXME|XXX|N\/A|tbc|to be (?:filled|completed|added|written|defined|determined|decided|announced|specified)\b|lorem ipsum)\b/i;
const AT_END = /(?:^|[\s:(])(?:TODO|TBD|FIXME|XXX)[\s.)]*$/;
/** A mark inside a sentence: "owned by <your team>", "deploy to {{env}}", "by [name]"; not `List<name>`, not `app/[name]/page.tsx`. */
const INSIDE =
  /(?<![\w$])\{\{[^{}\n]{1,100}\}\}|(?<!\w)<(?:your|insert|placeholder|fill)\b[^<>\n]{0,60}>|(?<![\w/])\[(?:your|insert|name|team|agent|path|date|n|placeholder|criterion|constraint|reason)(?:[ -][^[\]\n]{0,60})?\](?![\w/(])/i;

export const isPlaceholder = (text: string): boolean =>
  WHOLE.test(text) || UNDONE.test(text) || AT_END.test(text) || INSIDE.test(text);
