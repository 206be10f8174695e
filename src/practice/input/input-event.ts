export type InputEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'enter' | 'newline' | 'escape' | 'ctrl-c' | 'clear' | 'backspace' | 'home' };
