type Part = { readonly shown: string; readonly meant: string };

const LONGEST_INLINE_PASTE = 800;
const MOST_INLINE_NEWLINES = 2;

/** What is typed and not yet sent. A long paste is shown as a chip but sent whole. */
export class Composer {
  private parts: Part[] = [];
  private pastes = 0;

  get shown(): string {
    return this.parts.map((part) => part.shown).join('');
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  type(character: string): void {
    this.parts.push({ shown: character, meant: character });
  }

  paste(text: string): void {
    const newlines = text.split('\n').length - 1;
    if (newlines <= MOST_INLINE_NEWLINES && text.length <= LONGEST_INLINE_PASTE) {
      for (const character of text) this.type(character);
      return;
    }
    this.pastes += 1;
    this.parts.push({ shown: `[Pasted text #${this.pastes} +${newlines} lines]`, meant: text });
  }

  /** Puts a refused prompt back in front of whatever was typed since. */
  putBack(text: string): void {
    const since = this.parts;
    this.parts = [];
    this.paste(text);
    if (since.length > 0) this.type('\n');
    this.parts.push(...since);
  }

  backspace(): void {
    this.parts.pop();
  }

  clear(): void {
    this.parts = [];
  }

  get text(): string {
    return this.parts.map((part) => part.meant).join('');
  }
}
