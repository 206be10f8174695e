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

// Load the page again when the operator opens a login link in a tab that already shows the sign-in page. Such a link
// changes only the part of the address after the #, so the browser itself does not load the page again.
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
