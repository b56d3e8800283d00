import { describe, expect, it } from 'vitest';
import { issuePieces } from './issue-pieces.ts';

const marked = (text: string) =>
  issuePieces(text).map((piece) => (piece.isIssue ? `[${piece.text}]` : piece.text));

describe('the issues with the personalized fields of a text', () => {
  it('are cut out, and nothing is left out', () => {
    expect(marked('Hi {{}} and {{Last')).toEqual(['Hi ', '[{{}}]', ' and ', '[{{]', 'Last']);
    expect(marked('{{First Name}}, see you {FirstName}')).toEqual([
      '[{{First Name}}]',
      ', see you ',
      '[{FirstName}]',
    ]);
    expect(marked('{{a {{b')).toEqual(['[{{]', 'a ', '[{{]', 'b']);
    expect(marked('{{{FirstName}}')).toEqual(['[{]', '{{FirstName}}']);
  });
  it('are none in a text whose fields are right', () => {
    expect(marked('Hi {{FirstName|friend}}!')).toEqual([]);
    expect(marked('')).toEqual([]);
  });
});
