/**
 * Removes the given characters from the end of a text. Uses no regular expression, because one such as /[.;]+$/ would
 * take quadratic time for a long row of such characters.
 */
export function dropTail(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
