/** The operator's choice for this browser; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'baton-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  draw();
}

export function applyTheme(): void {
  draw();
  system.addEventListener('change', draw);
}

function draw(): void {
  const theme = readTheme();
  document.documentElement.dataset.theme = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
}
