/** Selects a line of a field and scrolls to it. */
export function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const lines = field.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  // Scroll explicitly, because not every browser scrolls to a selection.
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 3);
  field.scrollLeft = 0;
}
