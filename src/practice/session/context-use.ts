const BASE_SHARE = 0.05;
const COMPACTED_SHARE = 0.2;
const CHARACTERS_PER_TOKEN = 4;

/** How full the context window is. Never above full: a model cannot hold more than its window. */
export class ContextUse {
  readonly windowSize: number;
  changed: () => void = () => undefined;
  /** What the model has not yet answered to has not been counted. */
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

  /** As the status line tells it: the real client knows nothing before the first answer. */
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
