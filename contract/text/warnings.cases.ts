import { ruleTable } from '../testing/rule-table.ts';

const byItself = (word: string) =>
  `The word "${word}" by itself could lead to your number being blocked by phone carriers. We recommend sending messages that are similar to the messages you will send normally.`;

export const singleWords = ruleTable<string, string | undefined>({
  about: 'Single-word warning',
  file: 'contract/text/single-word-warning.ts',
  rows: [
    {
      rule: 'A message consisting only of one of the words test, at&t, t-mobile or verizon triggers a warning',
      message: byItself('[word]'),
      cases: [
        ['test', byItself('test')],
        [' Test ', byItself('Test')],
        ['AT&T', byItself('AT&T')],
        ['t-mobile', byItself('t-mobile')],
        ['Verizon\n', byItself('Verizon')],
        ['testing', undefined],
        ['This is a test', undefined],
        ['', undefined],
      ],
    },
  ],
});

export const shortUrls = ruleTable<string, string[]>({
  about: 'Generic URL shorteners',
  file: 'contract/text/short-urls.ts',
  rows: [
    {
      rule: 'Generic URL shortener warning',
      message:
        'Your message is using a generic URL shortener, which could cause it to be blocked by carrier spam filters. Please change to a full URL, or use a custom URL shortener.',
      cases: [
        ['Sign up: https://bit.ly/3abc', ['https://bit.ly/3abc']],
        ['bit.ly/3abc', ['bit.ly/3abc']],
        ['(see HTTP://www.TinyURL.com/x).', ['HTTP://www.TinyURL.com/x']],
        ['a t.co/1, b goo.gl/2; c', ['t.co/1', 'goo.gl/2']],
        ['link:https://is.gd/x?y=1#z', ['https://is.gd/x?y=1#z']],
        ['“bit.ly/x”', ['bit.ly/x']],
        ['https://bit.ly:443/x', ['https://bit.ly:443/x']],
        ['https://name@bit.ly/x', ['https://name@bit.ly/x']],
      ],
    },
    {
      rule: 'Ours: full addresses, own short domains, mailboxes and look-alikes are left alone',
      cases: [
        ['https://www.example.org/bit.ly', []],
        ['https://go.ourchurch.org/x', []],
        ['me@bit.ly', []],
        ['rabbit.ly/x', []],
        ['at&t.co', []],
        ['orbit.lyric', []],
        ['Meet at 5.30. bit. ly', []],
        ['', []],
      ],
    },
  ],
});
