import { ruleTable } from '../testing/rule-table.ts';

const hours = { StartTime: '8:00 AM', StopTime: '5:00 PM' };
export const validReply = { Mode: 'Custom', Message: 'We are closed.', DaySchedules: { Monday: hours } };

export const autoReply = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Auto reply',
  file: 'contract/forms/auto-reply.ts',
  rows: [
    {
      rule: 'Message required when on (or when schedule is Always or Custom)',
      message: 'Enter a Message',
      cases: [
        [{}, {}],
        [{ Message: '' }, { Message: 'Enter a Message' }],
        [{ Mode: 'Always', Message: '' }, { Message: 'Enter a Message' }],
        [{ Mode: 'Never', Message: '' }, {}],
      ],
    },
    {
      rule: 'max 160, must contain non-whitespace, short URLs restricted; an error blocks saving',
      message: 'Message must not contain a shortened URL',
      cases: [
        [{ Message: 'x'.repeat(160) }, {}],
        [{ Message: 'x'.repeat(161) }, { Message: 'Message must be at most 160 characters' }],
        [{ Mode: 'Never', Message: '   ' }, { Message: 'Enter a Message' }],
        [{ Message: 'See bit.ly/abc' }, { Message: 'Message must not contain a shortened URL' }],
      ],
    },
    {
      rule: 'Ours: an auto reply has no keyword; words have a resource of their own',
      message: 'An auto reply answers every text, so it has no keyword. Create a keyword instead.',
      cases: [
        [{ Keyword: ' ' }, {}],
        [
          { Keyword: 'PTA' },
          { Keyword: 'An auto reply answers every text, so it has no keyword. Create a keyword instead.' },
        ],
      ],
    },
    {
      rule: 'Calling days: at least 1 ("Select at least one Calling Day")',
      message: 'Select at least one Calling Day',
      cases: [
        [{ DaySchedules: {} }, { DaySchedules: 'Select at least one Calling Day' }],
        [{ DaySchedules: { Monday: null } }, { DaySchedules: 'Select at least one Calling Day' }],
        [{ Mode: 'Always', DaySchedules: {} }, {}],
      ],
    },
    {
      rule: 'Start time "Enter a Start Time", stop time "Enter a Stop Time". Format h:mm A',
      message: 'Enter a Start Time',
      cases: [
        [
          { DaySchedules: { Friday: { StartTime: '', StopTime: '' } } },
          {
            'DaySchedules.Friday.StartTime': 'Enter a Start Time',
            'DaySchedules.Friday.StopTime': 'Enter a Stop Time',
          },
        ],
        [
          { DaySchedules: { Friday: { ...hours, StopTime: '17' } } },
          { 'DaySchedules.Friday.StopTime': 'Stop Time must follow the format h:mm A (Ex: 5:00 PM).' },
        ],
      ],
    },
    { rule: 'Never, Always, Custom', cases: [[{ Mode: 'Often' }, { Mode: 'Select when to reply' }]] },
  ],
});

export const validKeyword = { Keyword: 'PIZZA', Message: 'Lunch is at noon.', TextNumberIDs: [1] };

export const keyword = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Keyword',
  file: 'contract/forms/auto-reply.ts',
  rows: [
    {
      rule: 'Reserved keywords: "[WORD] is reserved for explicit opt outs. Please use a different word."',
      message: '[WORD] is reserved for explicit opt outs. Please use a different word.',
      cases: [
        [{}, {}],
        [{ Keyword: '' }, { Keyword: 'Enter a Keyword' }],
        [
          { Keyword: 'Opt-Out' },
          { Keyword: 'OPT-OUT is reserved for explicit opt outs. Please use a different word.' },
        ],
        [{ Keyword: 'help' }, { Keyword: 'HELP is a reserved word' }],
        [{ Keyword: 'join' }, { Keyword: 'JOIN is reserved for our Join Reply feature' }],
        [{ Keyword: 'yes' }, { Keyword: 'YES is reserved for text surveys' }],
      ],
    },
    {
      rule: 'Ours: a keyword is one word with an answer at one text number or more',
      cases: [
        [{ Keyword: 'two words' }, { Keyword: 'Use alphanumeric characters' }],
        [{ Keyword: 'x'.repeat(31) }, { Keyword: 'Keyword must be at most 30 characters' }],
        [{ Message: '' }, { Message: 'Enter a Message' }],
        [{ TextNumberIDs: [] }, { TextNumberIDs: 'Select a Text Phone Number' }],
      ],
    },
  ],
});
