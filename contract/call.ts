import { z } from 'zod';
import type { ErrorName } from './errors.ts';
import type { EventKind } from './event-kinds.ts';
import type { CapabilityName } from './permissions.ts';

/** The capability of contract/permissions.ts that a call needs; `public` for calls before sign-in. */
type Allow = 'public' | CapabilityName;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodType;

export interface CallDefinition {
  method: Method;
  /** The specification's path with `:Name` for its parts, without any prefix. */
  path: string;
  summary: string;
  allow: Allow;
  /** The event that is recorded for a call that changes something; 'none' where no record is needed. */
  event?: EventKind | 'none';
  params?: Schema;
  query?: Schema;
  /** Headers of its own, with their names in small letters. */
  headers?: Schema;
  body?: Schema;
  reply: Schema;
  /**
   * Errors of this call, in addition to those of every call (invalid, signInRequired, forbidden,
   * unavailable).
   */
  errors?: readonly ErrorName[];
  /** A sensitive change: asks for the password or a second factor again, unless that was minutes ago. */
  confirm?: true;
  /** Open to somebody who has to set up a second factor before anything else. */
  beforeSecondFactor?: true;
  /** Creates, sends or charges: takes an `Idempotency-Key` header. */
  takesIdempotencyKey?: true;
  /** Involves money: anything that looks like a card number is refused, in any field. */
  refusesCardNumbers?: true;
  /** Takes a raw file as its body, at most so many bytes (checked before it is read). */
  uploadBytes?: number;
  /** The message for a larger file. */
  tooLarge?: string;
  /** The file is read as it comes instead of being held in memory. */
  isStreamed?: true;
  /** Answers with a file instead of JSON. */
  download?: true;
}

/**
 * One call of the product as a value. Server, web client, API description and tests are derived from
 * it; nothing about a call is written twice.
 */
export function call<const Definition extends CallDefinition>(definition: Definition): Definition {
  return definition;
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Given<S> = S extends Schema ? z.input<S> : undefined;

/** The input of the server's function: parsed, with defaults filled in. */
export type Input<C extends CallDefinition> = {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
} & (C['headers'] extends Schema ? { headers: Parsed<C['headers']> } : object);

/** The input that a caller gives: only the parts that the call has. */
export type CallInput<C extends CallDefinition> = (C['params'] extends Schema
  ? { params: Given<C['params']> }
  : object) &
  (C['query'] extends Schema ? { query?: Given<C['query']> } : object) &
  (C['body'] extends Schema ? { body: Given<C['body']> } : object);

export type Reply<C extends CallDefinition> = z.output<C['reply']>;

/** Ids are positive integers that a JavaScript number holds exactly. */
const notAnId = 'This is not a valid ID';
export const id = z.coerce
  .number({ error: notAnId })
  .int(notAnId)
  .positive(notAnId)
  .max(Number.MAX_SAFE_INTEGER, notAnId);

/** A moment on the wire: ISO 8601 in UTC. The server's rows hold Date; both are accepted. */
export const moment = z.union([z.iso.datetime(), z.date().transform((date) => date.toISOString())]);

/** `true`/`false` in a query string. */
export const flag = z
  .enum(['true', 'false'])
  .or(z.boolean().transform((value): 'true' | 'false' => (value ? 'true' : 'false')))
  .transform((value) => value === 'true');
