import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest } from './test-counts.ts';

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  success: true,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
};

describe('countVitest', () => {
  it('counts what passed, failed and was skipped', () => {
    expect(countVitest(vitest)).toEqual({ passed: 3, failed: 0, skipped: 2 });
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }];
    expect(countVitest({ ...vitest, numFailedTests: 2, success: false, testResults })).toMatchObject({
      failed: 2,
    });
  });

  it('counts a file that could not be loaded', () => {
    const testResults = [...vitest.testResults, { status: 'failed', assertionResults: [] }];
    expect(countVitest({ ...vitest, success: false, testResults })).toMatchObject({ failed: 1 });
  });

  it('counts a run that broke down otherwise', () => {
    expect(countVitest({ ...vitest, success: false })).toMatchObject({ failed: 1 });
  });
});

describe('countPlaywright', () => {
  it('counts a flaky journey and an error outside of journeys as failures', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 2, skipped: 3 };
    expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 4, skipped: 3 });
  });
});
