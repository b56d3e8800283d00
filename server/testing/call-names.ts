import type { calls } from '../../contract/calls.ts';
import type { Ids } from './one-of-everything.ts';

export type CallName = (typeof calls)[keyof typeof calls] extends infer Domain
  ? Domain extends Record<string, unknown>
    ? keyof Domain
    : never
  : never;

/** An input for an account with these ids; 'elsewhere' if another test makes the call. */
export type CallExample = ((ids: Ids) => object) | 'elsewhere';

export type CallExamples = { [Name in CallName]?: CallExample };
