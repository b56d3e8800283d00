import { defineConfig } from 'vitest/config';

// For a machine whose processors others take for minutes. What has to be fast measures processor time itself.
const patience = { testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    reporters: ['default'],
    // More than two cores: much of the time is spent waiting for leases and processes.
    maxWorkers: 3,
    // Files that share a worker share what they load: loading the server again for each would be half of the time. So
    // no module but a test file has hooks of its own, and what a file starts it ends (server/testing/closers.ts).
    isolate: false,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
          ...patience,
        },
      },
      {
        test: { name: 'sandbox', include: ['sandbox/**/*.test.ts'], ...patience },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'client/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          setupFiles: ['server/testing/after-file.ts'],
          ...patience,
        },
      },
    ],
  },
});
