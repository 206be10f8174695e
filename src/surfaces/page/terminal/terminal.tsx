import type { CSSProperties } from 'react';
import type { ScreenView } from '../../../contract/resources.ts';
import { classes } from '../parts/class-names.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Loading } from '../parts/spinner.tsx';
import { useScreen } from './use-screen.ts';

/**
 * A view of the agent's pane, without input. tmux has already drawn the screen, so this only shows rows of styled text,
 * inserted as text (docs/decisions/0018).
 */
export function Terminal({ agentId, label }: { readonly agentId: number; readonly label: string }) {
  const { screen, problem } = useScreen(agentId);
  return (
    <div>
      {problem !== null && (
        <p role="status" className="mb-2 text-sm text-amber">
          {problem}
        </p>
      )}
      {screen === null ? (
        problem === null && <Loading what="Loading terminal" />
      ) : (
        <Pane screen={screen} label={label} />
      )}
    </div>
  );
}

const Pane = ({ screen, label }: { readonly screen: ScreenView; readonly label: string }) => (
  <ScrollRegion
    label={`Terminal of ${label}, ${screen.columns} by ${screen.rows}, read-only`}
    className="terminal @container rounded-xl p-4"
  >
    <div className="terminal-fit relative w-max min-w-full" style={columns(screen.columns)}>
      {screen.lines.map((runs, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of a screen is identified by its position
        <div key={row} className="h-[1.25em] whitespace-pre">
          {runs.map(({ text, style }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a run of a row is identified by its position
            <span key={index} {...looks(style)}>
              {text}
            </span>
          ))}
        </div>
      ))}
      {screen.cursor !== null && (
        <span
          aria-hidden="true"
          className="absolute h-[1.25em] w-[1ch] bg-current opacity-50"
          style={{ left: `${screen.cursor.x}ch`, top: `${screen.cursor.y * 1.25}em` }}
        />
      )}
    </div>
  </ScrollRegion>
);

const columns = (count: number): CSSProperties => ({ '--columns': count }) as CSSProperties;

const WORDS: Readonly<Record<string, string>> = {
  bold: 'font-bold',
  dim: 'opacity-60',
  italic: 'italic',
  underline: 'underline',
  inverse: 'terminal-inverse',
};

/** Named colors become our classes; any other style is used only if it has the form of a color. */
function looks(style: string): { readonly className?: string; readonly style?: CSSProperties } {
  if (style === '') return {};
  const words = style.split(' ');
  const named = words.map((word) => WORDS[word] ?? (/^(?:fg|bg)-\d{1,2}$/.test(word) ? `terminal-${word}` : ''));
  const hex = (prefix: string): string | undefined =>
    words.find((word) => new RegExp(`^${prefix}-#[0-9a-f]{6}$`).test(word))?.slice(prefix.length + 1);
  const [color, backgroundColor] = [hex('fg'), hex('bg')];
  return {
    className: classes(...named),
    style: { ...(color && { color }), ...(backgroundColor && { backgroundColor }) },
  };
}
