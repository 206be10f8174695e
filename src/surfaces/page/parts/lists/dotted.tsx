import { Children, type ReactNode } from 'react';
import { classes } from '../class-names.ts';

/**
 * Shows facts in one row, separated by dots. Each fact has a dot on its left. The dot of the first fact of a line is
 * outside the row and is clipped. No line therefore begins or ends with a dot, even if the row wraps.
 */
export const Dotted = ({ children, className }: { readonly children: ReactNode; readonly className?: string }) => (
  // Clip the row 4 pixels outside its border, so that the focus ring of a link stays visible.
  <div className={classes('[clip-path:inset(-4px)]', className)}>
    <div className="-ml-3.5 flex flex-wrap">
      {Children.toArray(children).map((fact, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a fact is identified by its position in the row
          key={index}
          className="relative min-w-0 pl-3.5 wrap-anywhere before:absolute before:left-0 before:w-3.5 before:text-center before:content-['·']"
        >
          {fact}
        </span>
      ))}
    </div>
  </div>
);
