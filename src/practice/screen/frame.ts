/** A piece of text in one style. `sgr` is the parameter of the terminal's style sequence; empty for plain text. */
export interface Span {
  readonly text: string;
  readonly sgr: string;
}

export type Row = readonly Span[];

export interface Frame {
  readonly rows: readonly Row[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
}

export const STYLE = { plain: '', bold: '1', dim: '2', reverse: '7', green: '32', yellow: '33', cyan: '36' } as const;

export function row(text: string, sgr: string = STYLE.plain): Row {
  return [{ text, sgr }];
}

export interface Block {
  readonly rows: readonly Row[];
  /** The cursor's position relative to the block's own first row. */
  readonly cursor: Frame['cursor'];
}
