import { expect, it } from 'vitest';
import { resultCategories, resultCategory, statusesOf } from './result-category.ts';
import { type TextStatusCode, textStatusCodes } from './text-status.ts';

it.each<[TextStatusCode, string]>([
  ['waiting', 'waiting'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['carrier_limit_exceeded', 'failed'],
  ['carrier_rejected', 'failed'],
  ['handset_rejected', 'failed'],
  ['spam_rejected', 'failed'],
  ['disallowed_url', 'failed'],
  ['unsupported_media', 'failed'],
  ['phone_unreachable', 'failed'],
  ['attempts_exceeded', 'failed'],
  ['not_delivered', 'failed'],
  ['unknown', 'failed'],
  ['number_unavailable', 'invalid'],
  ['blacklisted', 'invalid'],
  ['opted_out', 'opted_out'],
  ['canceled', 'canceled'],
])('%s is counted as %s', (status, category) => {
  expect(resultCategory(status)).toBe(category);
});

it('counts every state exactly once', () => {
  const counted = resultCategories.flatMap(statusesOf);
  expect(counted.toSorted()).toEqual([...textStatusCodes].toSorted());
});
