import { ruleTable } from '../testing/rule-table.ts';

export const validMessage = {
  Recipients: [{ PrimaryPhone: '4235550143' }],
  TextNumberID: 3,
  TextMessage: 'The bus is late.',
  Media: [],
};

const fifteen = Array.from({ length: 15 }, (_, index) => ({ PrimaryPhone: `42355501${index + 10}` }));

/** An account in the United States with 160 characters; the cases say when opt-in is required. */
export const compose = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Conversation compose',
  file: 'contract/forms/conversation-compose.ts',
  rows: [
    {
      rule: 'text must contain non-whitespace; empty input ("Enter a Text Message.")',
      message: 'Enter a Text Message.',
      cases: [
        [{}, {}],
        [{ TextMessage: '' }, { TextMessage: 'Enter a Text Message.' }],
        [{ TextMessage: ' \n ' }, { TextMessage: 'Enter a Text Message.' }],
        [{ TextMessage: '', Media: [{ MediaID: 1 }] }, {}],
        [{ TextMessage: '  ', Media: [{ MediaID: 1 }] }, { TextMessage: 'Enter a Text Message.' }],
      ],
    },
    {
      rule: 'TextNumberID required ("Select a Text Phone Number")',
      message: 'Select a Text Phone Number',
      cases: [
        [{ TextNumberID: null }, { TextNumberID: 'Select a Text Phone Number' }],
        [{ TextNumberID: 0 }, { TextNumberID: 'Select a Text Phone Number' }],
      ],
    },
    {
      rule: 'max length per account setting ("Your message can\'t exceed [n] characters.")',
      message: "Your message can't exceed [n] characters.",
      cases: [
        [{ TextMessage: 'x'.repeat(160) }, {}],
        [{ TextMessage: 'x'.repeat(161) }, { TextMessage: "Your message can't exceed 160 characters." }],
        [
          { TextMessage: 'x'.repeat(160), IncludeSignature: true },
          { TextMessage: "Your message can't exceed 160 characters." },
        ],
      ],
    },
    {
      rule: 'no recipient ("Please add a phone number")',
      message: 'Please add a phone number',
      cases: [
        [{ Recipients: [] }, { Recipients: 'Please add a phone number' }],
        [{ Recipients: [{ PrimaryPhone: '' }] }, { Recipients: 'Please add a phone number' }],
      ],
    },
    {
      rule: 'duplicate number ("You\'ve already added this number.")',
      message: "You've already added this number.",
      cases: [
        [
          { Recipients: [{ PrimaryPhone: '4235550143' }, { PrimaryPhone: '+1 423-555-0143' }] },
          { Recipients: "You've already added this number." },
        ],
        [{ Recipients: [{ PrimaryPhone: '4235550143' }, { PrimaryPhone: '4235550144' }] }, {}],
      ],
    },
    {
      rule: 'More than 15 recipients in the conversation dialog blocks sending',
      message: 'You can text at most 15 people at a time.',
      cases: [
        [{ Recipients: fifteen }, {}],
        [
          { Recipients: [...fifteen, { PrimaryPhone: '4235550143' }] },
          { Recipients: 'You can text at most 15 people at a time.' },
        ],
      ],
    },
    {
      rule: 'recipient must be textable when opt-in is required; international phone pattern by country',
      message: 'This number is not a textable number.',
      cases: [
        [
          { Recipients: [{ PrimaryPhone: '4235550143', PrimaryPhoneTextable: false }] },
          { Recipients: 'This number is not a textable number.' },
        ],
        [
          {
            Recipients: [
              {
                PrimaryPhone: '4235550143',
                PrimaryPhoneError: 'This number has opted out of receiving texts.',
              },
            ],
          },
          { Recipients: 'This number has opted out of receiving texts.' },
        ],
        [
          { Recipients: [{ PrimaryPhone: '555-0143' }] },
          { Recipients: 'Must be 10 digits; use only numbers' },
        ],
      ],
    },
    {
      rule: 'Personalized field: empty gives "Personalized fields should not be empty."',
      message: 'Personalized fields should not be empty.',
      cases: [
        [{ TextMessage: 'Hello {{FirstName}}' }, {}],
        [{ TextMessage: 'Hello {{ }}' }, { TextMessage: 'Personalized fields should not be empty.' }],
      ],
    },
  ],
});

export const newRecipient = ruleTable<string, string | undefined>({
  about: 'Adding a recipient beside (423) 555-0143',
  file: 'contract/forms/conversation-compose.ts',
  rows: [
    {
      rule: 'duplicate number ("You\'ve already added this number.")',
      message: "You've already added this number.",
      cases: [
        ['423-555-0143', "You've already added this number."],
        ['+1 423 555 0143', "You've already added this number."],
        ['423-555-0144', undefined],
        ['', 'Please add a phone number'],
        ['12', 'Must be 10 digits; use only numbers'],
      ],
    },
  ],
});

export const dialogTexts = ruleTable<string, string | undefined>({
  about: 'Conversation dialog, fixed-personalized dialog, quick send (160 characters)',
  file: 'contract/forms/conversation-compose.ts',
  rows: [
    {
      rule: 'Text: required, max is the allowed character count ("Can\'t exceed {n} characters")',
      message: "Can't exceed {n} characters",
      cases: [
        ['Hello', undefined],
        ['', 'Enter a Text Message.'],
        ['x'.repeat(161), "Can't exceed 160 characters"],
      ],
    },
  ],
});

export const quickSendNames = ruleTable<string, string>({
  about: 'Quick-send template names',
  file: 'contract/forms/quick-send.ts',
  rows: [
    {
      rule: 'Quick-send template names are capped at 50 characters with an ellipsis',
      cases: [
        ['Snow day', 'Snow day'],
        ['x'.repeat(50), 'x'.repeat(50)],
        ['x'.repeat(51), `${'x'.repeat(49)}…`],
        ['👋'.repeat(51), `${'👋'.repeat(49)}…`],
      ],
    },
  ],
});

export const quickSendBroadcastNames = ruleTable<string, string>({
  about: 'Quick-send broadcast names',
  file: 'contract/forms/quick-send.ts',
  rows: [
    {
      rule: 'Quick-send broadcast name prefix "Quick Send: ", truncated to 50 characters',
      cases: [
        ['Snow day', 'Quick Send: Snow day'],
        ['x'.repeat(50), `Quick Send: ${'x'.repeat(38)}`],
      ],
    },
  ],
});
