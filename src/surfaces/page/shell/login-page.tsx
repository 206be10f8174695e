import { CopyButton } from '../parts/copy-button.tsx';

/**
 * The host names of this machine itself. Under any other host name, the page is reached through the operator's own
 * proxy.
 */
const LOCAL: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Login needs the code that `baton open` creates. Only the operator can run this command, so the code proves that the
 * person is the operator.
 */
export function LoginPage({ problem }: { readonly problem: string | null }) {
  const isLocal = LOCAL.includes(location.hostname);
  const command = isLocal ? 'baton open' : `baton open --host ${location.host}`;
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
        Sign in: run this command in a terminal on the machine that runs Baton.{' '}
        {isLocal
          ? 'The command opens this page in your browser, signed in. Without a display or over SSH, it prints a link instead: open the link in this browser.'
          : 'The command prints a link and a code: open the link in this browser, or scan the code.'}{' '}
        The link works once, for 60 seconds. Then this device stays signed in until 30 days pass without use.
      </p>
      <p className="mt-4 flex items-center justify-between rounded-lg border border-line bg-panel px-4 py-2">
        <code className="min-w-0 font-mono wrap-anywhere">{command}</code>
        <CopyButton text={command} what="command" />
      </p>
    </main>
  );
}
