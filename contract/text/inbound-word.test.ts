import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { inboundWords, surveyAnswers } from './inbound-word.cases.ts';
import { recognizeInbound } from './inbound-word.ts';
import { helpWords, joinWords, optOutWords, unstopWords } from './reserved-words.ts';
import { recognizeSurveyAnswer } from './survey-answer.ts';
import { cpuMs } from './testing/cpu-ms.ts';

testRuleTable(inboundWords, recognizeInbound);
testRuleTable(surveyAnswers, recognizeSurveyAnswer);

describe('recognizeInbound', () => {
  it('knows each word of the lists, with punctuation and spaces around it in any case', () => {
    const noise = fc.string({
      unit: fc.constantFrom(' ', '.', '!', '"', '*', '\n', '-', '😡'),
      maxLength: 4,
    });
    const lists = [
      [optOutWords, 'stop'],
      [unstopWords, 'unstop'],
      [helpWords, 'help'],
      [joinWords, 'join'],
    ] as const;
    for (const [words, expected] of lists) {
      fc.assert(
        fc.property(fc.constantFrom(...words), noise, noise, fc.boolean(), (word, before, after, small) => {
          // Lowercase regardless of language, as phones send them.
          const typed = small && word === word.toLowerCase().toUpperCase() ? word.toLowerCase() : word;
          expect(recognizeInbound(before + typed + after)).toBe(expected);
        }),
      );
    }
  });

  it('has no word in two lists', () => {
    const all = [...optOutWords, ...unstopWords, ...helpWords, ...joinWords];
    expect(new Set(all).size).toBe(all.length);
  });

  it('never treats a sentence about something else as a request', () => {
    const subject = fc.constantFrom('The bus', 'My daughter', 'Practice', 'The game', 'Our choir', 'Mr. Lee');
    const verb = fc.constantFrom(
      'will stop by',
      'ends at',
      'can start',
      'is going to quit before',
      'may cancel',
      'will help',
    );
    const rest = fc.constantFrom(
      'noon',
      'the office',
      'the end of June',
      'school on Friday',
      'our text list meeting',
    );
    fc.assert(
      fc.property(subject, verb, rest, (a, b, c) => {
        expect(recognizeInbound(`${a} ${b} ${c}`)).toBeUndefined();
      }),
    );
  });

  it('takes well under a second for 100,000 hostile characters, and little for the longest text', () => {
    const pieces = [
      'stop ',
      'please ',
      'dont ',
      'stop the ',
      'no more ',
      ' ',
      'a',
      '\u0301\u0327',
      '"',
      'stop,',
      'mas ',
      'opt ',
    ];
    for (const piece of pieces) {
      for (const length of [1600, 100_000]) {
        const text = piece.repeat(length / piece.length);
        const ms = cpuMs(() => {
          recognizeInbound(text);
          recognizeSurveyAnswer(text);
        });
        expect(ms).toBeLessThan(900);
      }
    }
  });
});
