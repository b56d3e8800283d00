import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
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
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
