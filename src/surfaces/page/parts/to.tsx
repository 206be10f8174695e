import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMachine } from '../api/machine-clients.ts';

interface Props<Id> {
  readonly id: Id;
  readonly className?: string;
  readonly children: ReactNode;
  /** Marks the main link of a list item. The Enter key opens this link while the list item has the focus. */
  readonly 'data-open'?: '';
}

/** Returns the part of a page's address that names another machine. For this machine, this part is empty. */
export const searchOf = (machine: string | null): { machine?: string } => (machine === null ? {} : { machine });

/** A link to an agent of the machine that this part of the page shows. */
export const ToAgent = ({ id, ...link }: Props<number>) => (
  <Link to="/agents/$id" params={{ id }} search={searchOf(useMachine())} {...link} />
);

export const ToRun = ({ id, ...link }: Props<number>) => (
  <Link to="/runs/$id" params={{ id }} search={searchOf(useMachine())} {...link} />
);

export const ToPackage = ({ id, ...link }: Props<string>) => (
  <Link to="/packages/$id" params={{ id }} search={searchOf(useMachine())} {...link} />
);

/**
 * A link to a persona. For a persona of another machine only the text is shown, because this machine has no page for
 * it.
 */
export const ToPersona = ({ id, tab, children, ...link }: Props<string> & { readonly tab?: 'lessons' }) =>
  useMachine() === null ? (
    <Link to="/personas/$slug" params={{ slug: id }} search={tab === undefined ? {} : { tab }} {...link}>
      {children}
    </Link>
  ) : (
    children
  );

/** A link to the worktrees of this machine. */
export const ToWorktrees = ({ children, ...link }: Omit<Props<string>, 'id'> & { readonly title?: string }) =>
  useMachine() === null ? (
    <Link to="/worktrees" {...link}>
      {children}
    </Link>
  ) : (
    children
  );
