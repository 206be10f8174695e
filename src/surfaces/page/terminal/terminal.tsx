import type { CSSProperties } from 'react';
import type { Agent, ScreenView } from '../../../contract/resources.ts';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { ScrollRegion } from '../parts/scroll/scroll-region.tsx';
import { Loading } from '../parts/spinner.tsx';
import { cellsOf } from './cells.ts';
import { useScreen } from './use-screen.ts';
import { isRule, type Line, wrappable } from './wrap-rows.ts';
import './terminal.css';

/**
 * A read-only view of the agent's pane. tmux has already drawn the screen, so this component only shows rows of styled
 * text, never HTML (docs/decisions/0018).
 */
export function Terminal({
  agentId,
  label,
  wraps,
}: {
  readonly agentId: number;
  readonly label: string;
  readonly wraps: boolean;
}) {
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
        <Pane screen={screen} label={label} wraps={wraps} />
      )}
    </div>
  );
}

/** Shows one screen of an agent. */
export const Pane = ({
  screen,
  label,
  wraps,
}: {
  readonly screen: ScreenView;
  readonly label: string;
  readonly wraps: boolean;
}) => (
  <ScrollRegion
    label={`Terminal of ${label}, ${screen.columns} by ${screen.rows}, read-only`}
    className="terminal @container rounded-xl border border-transparent p-3 md:p-4 dark:border-line"
  >
    {wraps ? <Wrapped screen={screen} /> : <AsDrawn screen={screen} />}
  </ScrollRegion>
);

/**
 * True in a narrow window, which does not fit the 180 columns of a terminal. In such a window the lines are wrapped
 * until the operator chooses otherwise.
 */
export const wrapsAtFirst = (): boolean => matchMedia('(max-width: 79.99rem)').matches;

/** The button that switches between wrapped lines and the original layout. A wide window does not show the button. */
export function WrapButton({
  agent,
  wraps,
  onChange,
}: {
  readonly agent: Agent;
  readonly wraps: boolean;
  readonly onChange: (wraps: boolean) => void;
}) {
  const words = wraps ? 'Show original layout' : 'Wrap long lines';
  return (
    <Button
      small
      kind="quiet"
      className="2xl:hidden"
      aria-label={visible(`${words}: terminal of ${agent.label}, agent ${agent.id}`)}
      onClick={() => onChange(!wraps)}
    >
      {words}
    </Button>
  );
}

/** Shows the screen as tmux drew it, with all its columns. */
const AsDrawn = ({ screen }: { readonly screen: ScreenView }) => (
  <div className="terminal-fit relative w-max min-w-full" style={columns(screen.columns)}>
    {screen.lines.map((runs, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row of a screen is identified by its position
      <div key={row} className="h-[1.25em] whitespace-pre">
        <Row runs={runs} />
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
);

/** The rows of the screen, wrapped to the width of the page. Blank rows at the end are left out. */
const Wrapped = ({ screen }: { readonly screen: ScreenView }) => (
  <div>
    {wrappable(screen.lines).map((runs, row) => (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of a screen is identified by its position
        key={row}
        className={classes(
          'min-h-[1.25em]',
          isRule(runs) ? 'overflow-hidden whitespace-pre' : 'wrap-anywhere whitespace-pre-wrap',
        )}
      >
        <Row runs={runs} />
      </div>
    ))}
  </div>
);

const Row = ({ runs }: { readonly runs: Line }) =>
  runs.map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a run of a row is identified by its position
    <span key={index} {...looks(style)}>
      {cellsOf(text).map((cells, cell) =>
        cells.columns === null ? (
          cells.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell of a run is identified by its position
          <span key={cell} className="terminal-cell" style={{ width: `${cells.columns}ch` }}>
            {cells.text}
          </span>
        ),
      )}
    </span>
  ));

const columns = (count: number): CSSProperties => ({ '--columns': count }) as CSSProperties;

const WORDS: Readonly<Record<string, string>> = {
  bold: 'font-bold',
  dim: 'opacity-60',
  italic: 'italic',
  underline: 'underline',
  inverse: 'terminal-inverse',
};

/** Converts a style to CSS. Named colors become CSS classes, and other colors are used only in the form #rrggbb. */
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
