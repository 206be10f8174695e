import { useEffect, useMemo, useRef } from 'react';
import { classes } from '../class-names.ts';
import { ScrollRegion } from '../scroll/scroll-region.tsx';
import { visible } from './visible-text.ts';

/**
 * The maximum number of lines that each get their own element. Longer texts are shown in blocks, because more elements
 * would make the page slow.
 */
const MAX_LINES = 5_000;

const FRAME = 'overscroll-contain font-mono text-[0.8rem] leading-5';

const LINES_IN_A_BLOCK = 500;

/** Skips the layout of text that is not visible, because a text of 1 MiB would freeze the page. */
const BLOCK =
  'whitespace-pre-wrap [contain-intrinsic-size:auto_10000px] [content-visibility:auto] [overflow-wrap:anywhere]';

function inBlocks(lines: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += LINES_IN_A_BLOCK)
    blocks.push(`${lines.slice(at, at + LINES_IN_A_BLOCK).join('\n')}\n`);
  return blocks;
}

/** Shows a text unchanged, with line numbers. `line` is the highlighted line. `label` names the scrolling region. */
export function RawText({
  text,
  label,
  line = null,
  className,
}: {
  readonly text: string;
  readonly label: string;
  readonly line?: number | null;
  readonly className?: string;
}) {
  const lines = useMemo(() => visible(text.replace(/\r\n/g, '\n')).split('\n'), [text]);
  const pointed = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must scroll again when `line` changes
  useEffect(() => {
    pointed.current?.scrollIntoView({ block: 'center' });
  }, [line]);
  if (lines.length > MAX_LINES)
    return (
      <ScrollRegion label={label} className={classes(FRAME, 'px-4 py-3', className)}>
        {inBlocks(lines).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never change their places
          <pre key={index} className={BLOCK}>
            {block}
          </pre>
        ))}
      </ScrollRegion>
    );
  return (
    <ScrollRegion label={label} className={classes(FRAME, 'py-3', className)}>
      {lines.map((each, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its number
          key={index}
          ref={index + 1 === line ? pointed : undefined}
          className={classes('grid grid-cols-[3.25rem_1fr] pr-4', index + 1 === line && 'bg-amber-soft')}
        >
          <span aria-hidden="true" className="pr-3 text-right text-muted select-none">
            {index + 1}
          </span>
          <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{each}</span>
        </div>
      ))}
    </ScrollRegion>
  );
}
