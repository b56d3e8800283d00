import '@fontsource-variable/inter/opsz.css';
import './controls.css';
import './call.css';
import './carrier-tab.css';
import './conversation.css';
import './handset.css';
import './mailbox-tab.css';
import './processor-tab.css';
import './registry-tab.css';
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
