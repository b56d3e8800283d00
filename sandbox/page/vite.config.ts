import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: folder,
  base: './',
  plugins: [react()],
  build: {
    outDir:
      process.env.SANDBOX_WEB_DIR || fileURLToPath(new URL('../../.build/sandbox-page', import.meta.url)),
    emptyOutDir: true,
    // The content security policy allows no data: fonts or scripts, so everything is a separate file.
    assetsInlineLimit: 0,
  },
});
