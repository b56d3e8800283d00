import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default'],
    // One more than Vitest would choose on two cores: much of the time is spent waiting for leases and processes.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
          // A loaded machine is slow; what has to be fast measures processor time itself.
          testTimeout: 60_000,
        },
      },
      {
        test: { name: 'sandbox', include: ['sandbox/**/*.test.ts'] },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
