import { RouterProvider } from '@tanstack/react-router';
import { LiveProvider, useLive } from '../live/live-context.tsx';
import { ConfirmProvider } from '../parts/dialogs/confirm.tsx';
import { ToastProvider } from '../parts/dialogs/toasts.tsx';
import { LoginPage } from './login-page.tsx';
import { router } from './router.tsx';

export function App({ isLoggedIn, problem }: { readonly isLoggedIn: boolean; readonly problem: string | null }) {
  if (!isLoggedIn) return <LoginPage problem={problem} />;
  return (
    <LiveProvider>
      <WhileLoggedIn />
    </LiveProvider>
  );
}

/**
 * The sign-out notice. It covers only the bottom of the page, so that the operator can still copy text that was not
 * saved.
 */
const LoggedOut = () => (
  <div role="alert" className="fixed inset-x-0 bottom-0 z-50 border-t border-red bg-panel p-4 shadow-card">
    <p className="mx-auto max-w-2xl">
      <strong>You are signed out.</strong> Data is out of date and changes cannot be saved. To sign in again, run{' '}
      <code className="font-mono">baton open</code> in a terminal and open the link.
    </p>
  </div>
);

function WhileLoggedIn() {
  const isLoggedOut = useLive(({ status }) => status === 'logged_out');
  const hasData = useLive(({ lastSeq }) => lastSeq >= 0);
  if (isLoggedOut && !hasData) return <LoginPage problem="This device is no longer signed in." />;
  return (
    <ToastProvider>
      <ConfirmProvider>
        <RouterProvider router={router} />
        {isLoggedOut && <LoggedOut />}
      </ConfirmProvider>
    </ToastProvider>
  );
}
