import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sentenceOf } from './api/call.ts';
import { logInFromAddress } from './api/log-in.ts';
import { letOtherTabsIn, logInFromOtherTab } from './api/log-in-from-other-tab.ts';
import { readToken } from './api/token.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';
import './theme.css';

applyTheme();

const problem = await logInFromAddress().then(
  () => null,
  (error: unknown) => sentenceOf(error),
);
if (readToken() === null && problem === null) await logInFromOtherTab();
if (readToken() !== null) letOtherTabsIn();

// The browser's online state is ignored, because Baton runs on this machine or behind a tunnel.
const always = { networkMode: 'always' } as const;
const client = new QueryClient({
  defaultOptions: { queries: { ...always, retry: 1, refetchOnWindowFocus: false }, mutations: always },
});
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App isLoggedIn={readToken() !== null} problem={problem} />
      </QueryClientProvider>
    </StrictMode>,
  );
