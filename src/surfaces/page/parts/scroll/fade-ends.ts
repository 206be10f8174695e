/** The width of the faded part at each end of a row that scrolls sideways. */
export const FADE_PX = 32;

/**
 * The class of a row that scrolls sideways. Each end of the row fades out while the row can be scrolled further in that
 * direction. Call `fadeEnds` whenever the row scrolls.
 */
export const FADED =
  '[mask-image:linear-gradient(to_right,transparent,black_var(--fade-left,0px),black_calc(100%-var(--fade-right,0px)),transparent)]';

export function fadeEnds({ style, scrollLeft, scrollWidth, clientWidth }: HTMLElement): void {
  const fade = (hidden: number): string => `${Math.max(0, Math.min(FADE_PX, hidden))}px`;
  style.setProperty('--fade-left', fade(scrollLeft));
  style.setProperty('--fade-right', fade(scrollWidth - clientWidth - scrollLeft));
}
