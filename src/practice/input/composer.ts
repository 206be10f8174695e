type Part = { readonly shown: string; readonly meant: string };

const MAX_INLINE_PASTE = 800;
const MAX_INLINE_NEWLINES = 2;

/**
 * Text that is typed and not yet sent. A long paste is shown as a chip (`[Pasted text #1 +9 lines]`), but the whole
 * text is sent.
 */
export class Composer {
  private parts: Part[] = [];
  private pastes = 0;
  /** How many parts of the text are to the right of the cursor. A part is a character or the chip of a paste. */
  private behind = 0;

  get shown(): string {
    return this.parts.map((part) => part.shown).join('');
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** True if the cursor is before the first character. */
  get isAtStart(): boolean {
    return this.behind === this.parts.length;
  }

  home(): void {
    this.behind = this.parts.length;
  }

  type(character: string): void {
    this.insert({ shown: character, meant: character });
  }

  private insert(part: Part): void {
    this.parts.splice(this.parts.length - this.behind, 0, part);
  }

  paste(text: string): void {
    const newlines = text.split('\n').length - 1;
    if (newlines <= MAX_INLINE_NEWLINES && text.length <= MAX_INLINE_PASTE) {
      for (const character of text) this.type(character);
      return;
    }
    this.pastes += 1;
    this.insert({ shown: `[Pasted text #${this.pastes} +${newlines} lines]`, meant: text });
  }

  /** Puts a blocked prompt back into the composer, in front of the text that was typed since the prompt was sent. */
  putBack(text: string): void {
    const since = this.parts;
    this.clear();
    this.paste(text);
    if (since.length > 0) this.type('\n');
    this.parts.push(...since);
  }

  backspace(): void {
    if (!this.isAtStart) this.parts.splice(this.parts.length - this.behind - 1, 1);
  }

  clear(): void {
    this.parts = [];
    this.behind = 0;
  }

  get text(): string {
    return this.parts.map((part) => part.meant).join('');
  }
}
