import { describe, expect, it } from 'vitest';
import { Refusal } from '../contract/errors.ts';
import { unstorableText } from '../contract/text/storable-text.ts';
import { readJson } from './read-json.ts';

function read(text: string): unknown {
  try {
    return readJson(Buffer.from(text));
  } catch (error) {
    return error instanceof Refusal ? [error.status, error.message] : error;
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the body of a call', () => {
  it('is parsed as its JSON', () => {
    for (const value of [
      { a: [1, 'x', null, { b: true }] },
      'text',
      7,
      [],
      'braces {[,]} in a "string" \\ \n',
    ])
      expect(read(JSON.stringify(value))).toEqual(value);
    expect(read('{ not json')).toEqual([400, 'The request is not valid JSON.']);
    expect(read('["\0"]')).toEqual([400, 'The request is not valid JSON.']);
  });

  it('has a limited depth, whatever the text between', () => {
    const tooDeep = [400, 'The request is nested too deeply.'];
    expect(read(nested(32))).toEqual(JSON.parse(nested(32)));
    for (const depth of [33, 2_400, 500_000]) {
      expect(read(nested(depth))).toEqual(tooDeep);
      expect(read('{"a":'.repeat(depth))).toEqual(tooDeep);
      expect(read(`["]]]\\"]]]",${nested(depth)}]`)).toEqual(tooDeep);
    }
    expect(read(JSON.stringify('['.repeat(1000)))).toBe('['.repeat(1000));
  });

  it('has a limited number of values', () => {
    expect(read(JSON.stringify(Array(99_999).fill(1)))).toHaveLength(99_999);
    for (const many of ['1', '[]', '{}', '""', '{"a":1}'])
      expect(read(`[${Array(100_001).fill(many).join(',')}]`)).toEqual([413, 'This is too large to send.']);
  });

  it('may contain only text that can be stored, in values and names', () => {
    const refused = [400, unstorableText];
    for (const text of ['\\u0000', 'a\\ud83d', '\\udc4d b']) {
      for (const body of [`"${text}"`, `["${text}"]`, `{"a":{"b":["${text}"]}}`, `{"${text}":1}`])
        expect(read(body), body).toEqual(refused);
    }
    expect(read('["\\ud83d\\udc4d"]')).toEqual(['👍']);
  });

  it('can’t reach a prototype', () => {
    const body = read('{"a":{"__proto__":{"isAdmin":true},"b":1},"\\u005f_proto__":1}') as { a: object };
    expect(Object.keys(body)).toEqual(['a']);
    expect(Object.keys(body.a)).toEqual(['b']);
    expect(Reflect.get(body.a, 'isAdmin')).toBeUndefined();
  });
});
