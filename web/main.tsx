import { CacheProvider } from '@emotion/react';
import '@fontsource-variable/inter/opsz.css';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { createStyleCache } from './theme/style-cache.ts';
import { modeStorageKey, theme } from './theme.ts';
import { frameIsDrawn } from './ui/first-paint.ts';

// If public/first-replies.js comes only now, it asks for nothing.
globalThis.firstReplies ??= new Map();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** The styles that public/color-scheme.js set for the first paint would outlive a change of mode. */
function AfterFirstPaint() {
  useEffect(() => document.documentElement.removeAttribute('style'), []);
  return null;
}

// For a page without the signed-in frame: sign-in, or an error.
router.subscribe('onRendered', frameIsDrawn);

const reactRoot = createRoot(root);
// In a transition React renders in slices of a few milliseconds, so a slow phone still responds to touch.
startTransition(() =>
  reactRoot.render(
    <StrictMode>
      <CacheProvider value={createStyleCache()}>
        <ThemeProvider
          theme={theme}
          modeStorageKey={modeStorageKey}
          defaultMode="system"
          noSsr
          disableTransitionOnChange
        >
          <CssBaseline />
          <AfterFirstPaint />
          <RouterProvider router={router} />
        </ThemeProvider>
      </CacheProvider>
    </StrictMode>,
  ),
);
