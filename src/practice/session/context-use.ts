const BASE_SHARE = 0.05;
const COMPACTED_SHARE = 0.2;
export const CHARACTERS_PER_TOKEN = 4;

/** The use of the context window. The use never exceeds the size of the window, because a model cannot hold more. */
export class ContextUse {
  readonly windowSize: number;
  changed: () => void = () => undefined;
  /**
   * True once the model has answered after the start, a compaction or `/clear`. Before that no context use is reported.
   */
  private counted = false;
  private used: number;

  constructor(windowSize: number) {
    this.windowSize = windowSize;
    this.used = windowSize * BASE_SHARE;
  }

  get tokens(): number {
    return Math.round(this.used);
  }

  get percent(): number {
    return Math.round((this.used / this.windowSize) * 100);
  }

  /**
   * The context use that the status line reports. As in the real client, the percentage is null before the first
   * answer.
   */
  get reported(): { readonly tokens: number; readonly percent: number | null } {
    return this.counted ? { tokens: this.tokens, percent: this.percent } : { tokens: 0, percent: null };
  }

  answered(): void {
    this.counted = true;
  }

  takeIn(text: string): void {
    this.set(this.used + text.length / CHARACTERS_PER_TOKEN);
  }

  takeInShare(share: number): void {
    this.set(this.used + this.windowSize * share);
  }

  setPercent(percent: number): void {
    this.set((this.windowSize * percent) / 100);
  }

  compact(): void {
    this.counted = false;
    this.set(this.windowSize * COMPACTED_SHARE);
  }

  clear(): void {
    this.counted = false;
    this.set(this.windowSize * BASE_SHARE);
  }

  private set(tokens: number): void {
    this.used = Math.min(this.windowSize, Math.max(0, tokens));
    this.changed();
  }
}
