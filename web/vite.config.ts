import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './vite-chunks.ts';
import { inLanguage } from './vite-language.ts';
import { compressed, noPropTypes, noRipple, pureContract } from './vite-plugins.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const contract = fileURLToPath(new URL('../contract/', import.meta.url));
const server = process.env.MUSTER_SERVER ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`;

// The Host header stays: the server refuses changes whose Origin is not its own.
const passOn = { target: server, changeOrigin: false };

/** English, unless the build says otherwise (scripts/build.ts). */
const language = process.env.WEB_LANGUAGE ?? 'en';

const { plugin: chunking, groups } = chunks();

export default defineConfig({
  root: here,
  plugins: [
    ...(language === 'en' ? [] : [inLanguage(language, [here, contract])]),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // Loaders travel with their page: the sign-in page must not carry what every other page loads.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']],
      },
      routesDirectory: `${here}routes`,
      generatedRouteTree: `${here}route-tree.gen.ts`,
      addExtensions: true,
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    noRipple(),
    noPropTypes(),
    pureContract(contract),
    chunking,
    compressed(),
  ],
  build: {
    outDir: process.env.WEB_DIR ?? fileURLToPath(new URL('../.build/web', import.meta.url)),
    emptyOutDir: true,
    // The manifest lets scripts/ and the server find what a page loads (budgets, preload headers).
    manifest: true,
    sourcemap: false,
    target: 'baseline-widely-available',
    rolldownOptions: {
      output: {
        // The first page carries the names of all pieces: without words in them it is two kilobytes lighter.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { groups },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    strictPort: true,
    proxy: {
      '/proxy': passOn,
      '/media': passOn,
      '/api/openapi.json': passOn,
      '/api/v1': passOn,
      '/socket.io': { ...passOn, ws: true },
    },
  },
});
