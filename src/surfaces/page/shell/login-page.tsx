import { CopyButton } from '../parts/copy-button.tsx';

/**
 * Login needs the code that `baton open` creates. Only the operator can run this command, so the code proves that the
 * person is the operator.
 */
export function LoginPage({ problem }: { readonly problem: string | null }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-6">
      <h1 className="mb-2 flex items-center gap-3 text-2xl font-semibold">
        <img src="/icon.svg" alt="" className="size-9" /> Baton
      </h1>
      {problem !== null && (
        <p role="alert" className="mb-3 rounded-lg bg-red-soft px-3 py-2 text-red">
          {problem}
        </p>
      )}
      <p className="text-muted">
        Sign in: run this command in a terminal on the machine that runs Baton, and open the link or scan the code. The
        link works once, for 60 seconds. Then this device stays signed in until 30 days pass without use.
      </p>
      <p className="mt-4 flex items-center justify-between rounded-lg border border-line bg-panel px-4 py-2">
        <code className="font-mono">baton open</code>
        <CopyButton text="baton open" what="command" />
      </p>
    </main>
  );
}
