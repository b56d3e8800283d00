import { expect, it } from 'vitest';
import { withFieldsInWords } from './broadcast-words.ts';

it('tells a text with its fields in people’s words', () => {
  expect(
    withFieldsInWords('Hi {{FirstName|friend}}, room {{Room}}, bus {{Bus_route}} {{phonenumber}}.'),
  ).toBe('Hi [First name], room [Room], bus [Bus route] [Phone number].');
  expect(withFieldsInWords('No school {today}.')).toBe('No school {today}.');
});
