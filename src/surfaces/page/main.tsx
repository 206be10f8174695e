import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sentenceOf } from './api/call.ts';
import { logInFromAddress } from './api/log-in.ts';
import { createQueryClient } from './api/query-client.ts';
import { readToken } from './api/token.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';
import './theme.css';

applyTheme();

// The sign-in page may be open already when the operator opens a login link in the same tab. The link then changes only
// the part after the #, which does not load the page again.
addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('code')) location.reload();
});

const problem = await logInFromAddress().then(
  () => null,
  (error: unknown) => sentenceOf(error),
);

const client = createQueryClient();
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App isLoggedIn={readToken() !== null} problem={problem} />
      </QueryClientProvider>
    </StrictMode>,
  );
