import { defineConfig } from '@playwright/test';
import { baseUrl, systems } from './stack.ts';

const whole = /@whole/;

function launch(executablePath = process.env.CHROMIUM_PATH) {
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      // A microphone that beeps once a second; whether a page may use it is still asked for.
      '--use-fake-device-for-media-stream',
    ],
  };
}

/**
 * Journeys in a real browser against the whole product, started as a newcomer starts it. Run by
 * `npm test`, which finds the browser and free ports.
 */
export default defineConfig({
  globalSetup: './start-systems.ts',
  testDir: '.',
  outputDir: '../../test-results',
  // Not file by file: at the end, one worker would be idle during the other's last file.
  fullyParallel: true,
  workers: systems.length,
  retries: 0,
  // For machines whose processors are busy with other work for minutes. Speed is measured in bench/.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: baseUrl,
    // Or a button that never comes would be waited for until the whole journey is over.
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    // Elements that fade in have other colors meanwhile, and axe would check those.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every step costs a third of the time; a failure leaves its picture and its page.
    screenshot: 'only-on-failure',
  },
  projects: [
    // Only the whole browser shows notices and has a microphone. First: one of them is long, and alone at the end it would
    // be waited for.
    { name: 'whole', grep: whole, use: { launchOptions: launch(process.env.CHROMIUM_PATH) } },
    {
      name: 'journeys',
      grepInvert: whole,
      use: { launchOptions: launch(process.env.CHROMIUM_SHELL_PATH) },
    },
  ],
});
