import { ruleTable } from '../testing/rule-table.ts';

export const speechLengths = ruleTable<number, string | undefined>({
  about: 'Text-to-speech length in seconds',
  file: 'contract/forms/text-to-speech.ts',
  rows: [
    {
      rule: '"Audio length cannot be 120 seconds or longer", "Audio length must be at least 10 seconds"',
      message: 'Audio length cannot be 120 seconds or longer',
      cases: [
        [9.9, 'Audio length must be at least 10 seconds'],
        [10, undefined],
        [119.9, undefined],
        [120, 'Audio length cannot be 120 seconds or longer'],
      ],
    },
  ],
});

export const speechTexts = ruleTable<string, Record<string, string>>({
  about: 'Text-to-speech text',
  file: 'contract/forms/text-to-speech.ts',
  rows: [
    {
      rule: '"Message text is required"',
      message: 'Message text is required',
      cases: [
        ['', { Text: 'Message text is required' }],
        [' \n', { Text: 'Message text is required' }],
        ['Schools are closed.', {}],
      ],
    },
  ],
});
