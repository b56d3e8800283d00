import { ruleTable } from '../testing/rule-table.ts';

const optOut = (word: string) => `${word} is reserved for explicit opt outs. Please use a different word.`;

export const reservedKeywords = ruleTable<{ keyword: string; joinAsPrefix?: boolean }, string | undefined>({
  about: 'Reserved keywords',
  file: 'contract/text/reserved-keyword.ts',
  rows: [
    {
      rule: 'STOP, QUIT, END, CANCEL, UNSUBSCRIBE, REVOKE, OPT OUT, OPT-OUT, OPTOUT',
      message: optOut('[WORD]'),
      cases: ['STOP', 'QUIT', 'END', 'CANCEL', 'UNSUBSCRIBE', 'REVOKE', 'OPT OUT', 'OPT-OUT', 'OPTOUT'].map(
        (word) => [{ keyword: word }, optOut(word)],
      ),
    },
    {
      rule: 'Ours: case and spacing make no difference',
      cases: [
        [{ keyword: ' stop ' }, optOut('STOP')],
        [{ keyword: 'Stop!' }, optOut('STOP!')],
        [{ keyword: 'StopAll' }, optOut('STOPALL')],
      ],
    },
    {
      rule: 'and foreign-language equivalents',
      message: optOut('[WORD]'),
      cases: [
        [{ keyword: 'arrêt' }, optOut('ARRÊT')],
        [{ keyword: 'PARAR' }, optOut('PARAR')],
        [{ keyword: 'Abmelden' }, optOut('ABMELDEN')],
        [{ keyword: 'توقف' }, optOut('توقف')],
        [{ keyword: '수신거부' }, optOut('수신거부')],
      ],
    },
    {
      rule: 'HELP: "is a reserved word"',
      message: '[WORD] is a reserved word',
      cases: [[{ keyword: 'help' }, 'HELP is a reserved word']],
    },
    {
      rule: 'Ours: INFO, START and UNSTOP too, since an incoming one is never a keyword',
      message: '[WORD] is a reserved word',
      cases: [
        [{ keyword: 'INFO' }, 'INFO is a reserved word'],
        [{ keyword: 'start' }, 'START is a reserved word'],
        [{ keyword: 'UNSTOP' }, 'UNSTOP is a reserved word'],
      ],
    },
    {
      rule: 'JOIN: "reserved for our Join Reply feature" (exact or prefix match depending on a flag)',
      message: '[WORD] is reserved for our Join Reply feature',
      cases: [
        [{ keyword: 'join' }, 'JOIN is reserved for our Join Reply feature'],
        [{ keyword: 'JOINCHOIR' }, undefined],
        [{ keyword: 'JOINCHOIR', joinAsPrefix: true }, 'JOINCHOIR is reserved for our Join Reply feature'],
      ],
    },
    {
      rule: 'YES/NO: "reserved for text surveys"',
      message: '[WORD] is reserved for text surveys',
      cases: [
        [{ keyword: 'Yes' }, 'YES is reserved for text surveys'],
        [{ keyword: 'NO' }, 'NO is reserved for text surveys'],
      ],
    },
    {
      rule: 'Ours: any other word may be a keyword',
      cases: [
        [{ keyword: 'CHOIR' }, undefined],
        [{ keyword: 'STOPWATCH' }, undefined],
        [{ keyword: 'NOON' }, undefined],
        [{ keyword: '' }, undefined],
      ],
    },
  ],
});
