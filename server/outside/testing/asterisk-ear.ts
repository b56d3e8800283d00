import type { CallEar, CallFlow, CallNews, CallProvider, CallStep } from '../calls.ts';
import { asteriskCalls } from '../calls-asterisk.ts';

export const anyFlow: CallFlow = {
  kind: 'survey',
  liveUrl: null,
  voicemailUrl: null,
  mayOptOut: true,
  answerKeys: null,
  languageId: 1,
  transfer: null,
  isCallback: false,
  words: '',
};

export type Step = Extract<CallNews, { kind: 'step' }>;

/**
 * A small model of Muster, with an Asterisk: replies to steps as the test defines, and records the events.
 */
export function listenToAsterisk(
  settings: { url: string; user: string; password: string; publicUrl: string },
  answer: (step: Step) => CallStep[],
) {
  const news: CallNews[] = [];
  const warnings: string[] = [];
  const waiting = new Set<() => void>();
  const open: CallProvider[] = [];
  let leader: object | undefined;

  function tell(told: CallNews): void {
    news.push(told);
    for (const look of waiting) look();
  }

  return {
    news,
    warnings,
    /** A worker of Muster; the first one leads until it closes. */
    start(): CallProvider {
      const made = asteriskCalls({ ...settings, app: 'muster', endpoint: 'PJSIP/+{number}@trunk' });
      const ear: CallEar = {
        lead: async () => {
          leader ??= ear;
          return leader === ear;
        },
        leave: async () => {
          if (leader === ear) leader = undefined;
        },
        takeStep: async (step) => {
          tell(step);
          return answer(step);
        },
        takeNews: async (told) => {
          if (told.kind === 'machine' && told.answeredBy === 'machine')
            await made.playVoicemail(told.sid, told.key);
          tell(told);
        },
        warn: (_, sentence) => warnings.push(sentence),
      };
      made.listen?.(ear);
      open.push(made);
      return made;
    },
    /** Resolves with the result of `find`, as soon as the events contain it. */
    until<T>(find: () => T | undefined, seconds = 60): Promise<T> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('It took too long.')), seconds * 1000);
        const look = () => {
          const found = find();
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    async close(): Promise<void> {
      await Promise.all(open.map((one) => one.close()));
    },
  };
}
