import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Shown if a page has a bug or one of its parts failed to load. The other pages still work. */
export const Broken = ({ error, reset }: ErrorComponentProps) => (
  <div className="max-w-2xl">
    <h1 className="mb-3 text-xl font-semibold">This page could not be shown</h1>
    <Trouble error={error} />
    <div className="mt-4 flex gap-2">
      <Button kind="primary" onClick={reset}>
        Try again
      </Button>
      <Button onClick={() => location.reload()}>Reload page</Button>
    </div>
  </div>
);
