import { defineConfig } from '@playwright/test';
import { baseUrl, dataDir, port } from './stack.ts';

/**
 * Journeys in a real browser against the whole product, started as a newcomer starts it. Run by
 * `npm test`, which finds the browser and free ports.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: baseUrl,
    viewport: { width: 1440, height: 900 },
    // A trace of every step costs a third of the time; a failure leaves its picture and its page.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    },
  },
  webServer: {
    command: 'node scripts/start.ts',
    cwd: '../..',
    url: `${baseUrl}/readyz`,
    timeout: 180_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: { PORT: String(port), DATA_DIR: dataDir },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
