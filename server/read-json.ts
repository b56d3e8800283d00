import { Refusal } from '../contract/errors.ts';
import { isStorableText, unstorableText } from '../contract/text/storable-text.ts';

/** Our own calls nest six deep. */
const mostDepth = 32;
/** The largest reasonable call, a selection of 10,000 objects, has a third of this. */
const mostValues = 100_000;

/**
 * The body of a call. Depth and size are counted in the bytes before anything is built from them, because a megabyte of
 * brackets takes ten times as long to parse as to count.
 */
export function readJson(bytes: Buffer): unknown {
  refuseUnlessBounded(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal('invalid', 'The request is not valid JSON.');
  }
  refuseUnlessStorable(value);
  return value;
}

const [quote, backslash, comma] = Buffer.from('"\\,');
const [openList, closeList, openObject, closeObject] = Buffer.from('[]{}');

/**
 * Counts brackets and commas outside of strings. Invalid JSON may be counted wrong: it fails to parse next.
 */
function refuseUnlessBounded(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) {
      isInString = true;
    } else if (byte === comma) {
      values += 1;
    } else if (byte === openList || byte === openObject) {
      depth += 1;
      values += 1;
      if (depth > mostDepth) throw new Refusal('invalid', 'The request is nested too deeply.');
    } else if (byte === closeList || byte === closeObject) {
      depth -= 1;
    }
    if (values > mostValues) throw new Refusal('tooLarge');
  }
}

/**
 * Refuses text that PostgreSQL can't store, in values and in names, and drops `__proto__`, by which a body
 * could change an object's prototype. The recursion ends: bodies are limited above, and queries have one
 * level.
 */
export function refuseUnlessStorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!isStorableText(value)) throw new Refusal('invalid', unstorableText);
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnlessStorable(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      refuseUnlessStorable(name);
      if (name === '__proto__') delete (value as Record<string, unknown>)[name];
      else refuseUnlessStorable(item);
    }
  }
}
