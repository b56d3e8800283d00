import { ruleTable } from '../testing/rule-table.ts';

/** Events in order, from the first step on; the result is every step that was shown. */
const walks = (about: string, file: string, rule: string, cases: [string[], string[]][]) =>
  ruleTable<string[], string[]>({ about, file, rows: [{ rule, cases }] });

export const recorderCases = walks(
  'Recorder',
  'contract/states/recorder.ts',
  'Recorder states: initial, starting, recording, processing, review, error',
  [
    [
      ['start', 'started', 'stop', 'processed'],
      ['initial', 'starting', 'recording', 'processing', 'review'],
    ],
    [
      ['start', 'fail', 'again'],
      ['initial', 'starting', 'error', 'initial'],
    ],
    [
      ['start', 'stop'],
      ['initial', 'starting', 'initial'],
    ],
    [
      ['stop', 'processed', 'started'],
      ['initial', 'initial', 'initial', 'initial'],
    ],
    [
      ['start', 'started', 'stop', 'processed', 'again'],
      ['initial', 'starting', 'recording', 'processing', 'review', 'initial'],
    ],
  ],
);

export const fileUploadCases = walks(
  'File upload dialog',
  'contract/states/dialogs.ts',
  'File upload dialog steps: SELECT, METADATA, PROCESS, REVIEW, EDIT, SAVING, VIEW, IMPORT',
  [
    [
      ['uploaded', 'columns named', 'processed', 'import'],
      ['SELECT', 'METADATA', 'PROCESS', 'REVIEW', 'IMPORT'],
    ],
    [
      ['uploaded', 'columns named', 'processed', 'edit', 'save', 'saved', 'view', 'import'],
      ['SELECT', 'METADATA', 'PROCESS', 'REVIEW', 'EDIT', 'SAVING', 'REVIEW', 'VIEW', 'IMPORT'],
    ],
    [
      ['uploaded', 'columns named', 'fail'],
      ['SELECT', 'METADATA', 'PROCESS', 'METADATA'],
    ],
    [['import'], ['SELECT', 'SELECT']],
  ],
);

export const moreCreditsCases = walks(
  'More-credits dialog',
  'contract/states/dialogs.ts',
  'More-credits dialog steps: select, then calculate',
  [
    [
      ['calculate', 'back'],
      ['select', 'calculate', 'select'],
    ],
  ],
);

export const pasteContactsCases = walks(
  'Paste contacts',
  'contract/states/dialogs.ts',
  'Paste contacts: PASTE to PARSE to REVIEW to EDIT to IMPORT, then VIEW to COMPLETE. COMPLETE stays.',
  [
    [
      ['next', 'next', 'next', 'next', 'next', 'next', 'next', 'back'],
      ['PASTE', 'PARSE', 'REVIEW', 'EDIT', 'IMPORT', 'VIEW', 'COMPLETE', 'COMPLETE', 'COMPLETE'],
    ],
    [
      ['next', 'fail'],
      ['PASTE', 'PARSE', 'PASTE'],
    ],
    [
      ['next', 'next', 'skip edit', 'fail'],
      ['PASTE', 'PARSE', 'REVIEW', 'IMPORT', 'REVIEW'],
    ],
  ],
);

export const simplePasteCases = walks(
  'Paste contacts, the simpler variant',
  'contract/states/dialogs.ts',
  'A simpler variant is paste, import, complete',
  [
    [
      ['next', 'next', 'next'],
      ['paste', 'import', 'complete', 'complete'],
    ],
    [
      ['next', 'fail'],
      ['paste', 'import', 'paste'],
    ],
  ],
);

export const integrationConnectCases = walks(
  'Connecting an integration',
  'contract/states/dialogs.ts',
  'Integration connect: request, then either a redirect opening in a new window or dialog, or a success dialog',
  [
    [
      ['open window', 'connected'],
      ['request', 'new window', 'success'],
    ],
    [
      ['open dialog', 'connected'],
      ['request', 'dialog', 'success'],
    ],
    [['connected'], ['request', 'success']],
    [
      ['fail', 'again'],
      ['request', 'failed', 'request'],
    ],
  ],
);

export const scheduledConversationCases = walks(
  'Scheduled conversation',
  'contract/states/dialogs.ts',
  'Scheduled conversation: can be sent now or canceled',
  [
    [
      ['send now', 'sent'],
      ['scheduled', 'sending', 'sent'],
    ],
    [
      ['cancel', 'send now'],
      ['scheduled', 'canceled', 'canceled'],
    ],
    [
      ['due', 'cancel', 'sent', 'cancel'],
      ['scheduled', 'sending', 'sending', 'sent', 'sent'],
    ],
  ],
);

export const realtimeSocketCases = ruleTable<string[], string[]>({
  about: 'Real-time socket',
  file: 'contract/states/realtime-socket.ts',
  rows: [
    {
      rule: 'Connect; on connect error fall back to polling; on server disconnect reconnect with growing delay',
      cases: [
        [
          ['connect', 'server disconnect', 'connect'],
          ['connecting', 'connected', 'reconnecting', 'connected'],
        ],
        [
          ['connect_error', 'connect'],
          ['connecting', 'polling', 'connected'],
        ],
      ],
    },
    {
      rule: 'Ours: a reconnect failure ends the attempts of that socket; polling goes on until a new one connects',
      cases: [
        [
          ['connect', 'server disconnect', 'reconnect failed', 'again', 'connect'],
          ['connecting', 'connected', 'reconnecting', 'polling', 'connecting', 'connected'],
        ],
        [
          ['connect_error', 'reconnect failed', 'again', 'connect_error'],
          ['connecting', 'polling', 'polling', 'connecting', 'polling'],
        ],
      ],
    },
  ],
});
