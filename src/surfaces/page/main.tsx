import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sentenceOf } from './api/call.ts';
import { logInFromAddress } from './api/log-in.ts';
import { readToken } from './api/token.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';
import './theme.css';

// A page that outlived an update asks for parts that are gone; a reload brings the new ones.
addEventListener('vite:preloadError', () => location.reload());

applyTheme();

const problem = await logInFromAddress().then(
  () => null,
  (error: unknown) => sentenceOf(error),
);
const client = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App isLoggedIn={readToken() !== null} problem={problem} />
      </QueryClientProvider>
    </StrictMode>,
  );
