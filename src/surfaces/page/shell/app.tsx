import { RouterProvider } from '@tanstack/react-router';
import { LiveProvider, useLive } from '../live/live-context.tsx';
import { ConfirmProvider } from '../parts/confirm.tsx';
import { ToastProvider } from '../parts/toasts.tsx';
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

function WhileLoggedIn() {
  const isLoggedOut = useLive(({ status }) => status === 'logged_out');
  if (isLoggedOut) return <LoginPage problem="This page's login is not valid any more." />;
  return (
    <ToastProvider>
      <ConfirmProvider>
        <RouterProvider router={router} />
      </ConfirmProvider>
    </ToastProvider>
  );
}
