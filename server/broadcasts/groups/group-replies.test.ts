import { expect, it } from 'vitest';
import { type Grouping, groupReplies, inTurns } from './group-replies.ts';
import { languageOf, sortReply, stemOf } from './rules.ts';

const english = { home: 'english' as const };

function run(texts: readonly string[], options: Parameters<typeof groupReplies>[1] = english): Grouping {
  const steps = groupReplies(
    texts.map((text, id) => ({ id, text })),
    options,
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The texts that are together, by the words of their group. */
function groupsOf(texts: readonly string[], options?: Parameters<typeof groupReplies>[1]) {
  const { places, words } = run(texts, options);
  const groups: Record<string, string[]> = {};
  for (const [id, { key }] of places) {
    const name = words.get(key)?.join(' ') ?? key;
    groups[name] = [...(groups[name] ?? []), texts[id] ?? ''];
  }
  return groups;
}

it('classifies by the text alone: yes, no, wrong numbers, other languages, thanks', () => {
  const expected = {
    yes: [
      'Yes',
      'yes!!',
      'Yep we will be there',
      'Count us in',
      'Sí',
      'Sí gracias',
      'We’ll be there',
      'Absolutely',
    ],
    no: [
      'No',
      'nope sorry',
      'Sorry we can’t make it',
      'I won’t be able to come',
      'No, we are out of town',
      'no puedo',
    ],
    'wrong-number': [
      'Wrong number',
      'You have the wrong person',
      'who is this',
      'I think you have the wrong number',
      'Número equivocado',
    ],
    spanish: [
      '¿A qué hora empieza?',
      'Mi hijo está enfermo hoy',
      'No entiendo, puede escribir en español por favor',
    ],
    'other-language': ['Во сколько начало?', '几点开始？', 'متى يبدأ؟'],
    'no-answer': ['Thank you!', 'ok', '❤️', 'Gracias'],
    questions: ['What time does it start?', 'Is lunch included', 'hi can we bring grandma'],
    rest: ['My son is sick', 'Running late', '', '😢'],
  };
  for (const [kind, texts] of Object.entries(expected)) {
    for (const text of texts) expect([text, sortReply(text, 'english').kinds[0]]).toEqual([text, kind]);
  }
});

it('says so when a text belongs to two groups, and puts it where it needs an answer', () => {
  expect(sortReply('Yes, but what time does it start?', 'english').kinds).toEqual(['questions', 'yes']);
  expect(sortReply('Sí, ¿a qué hora empieza?', 'english').kinds).toEqual(['spanish', 'questions', 'yes']);
  expect(sortReply('No, wrong number', 'english').kinds).toEqual(['wrong-number', 'no']);
  // Near the middle of two groups of questions.
  const texts = [
    ...['Where do we park?', 'where to park', 'Where is parking?'],
    ...['What time do the buses leave?', 'when do buses leave', 'What time does the bus leave?'],
    'Where do we park and what time do the buses leave?',
  ];
  const { places, words } = run(texts);
  const last = places.get(texts.length - 1);
  expect(last?.also.map((key) => words.get(key))).toHaveLength(1);
  expect(last?.also[0]).not.toBe(last?.key);
});

it('groups questions that resemble each other, and names the common words', () => {
  const texts = [
    ...[
      'What time does it start?',
      'when does it start',
      'What time does the game start??',
      'Starting time?',
    ],
    ...['Where do we park?', 'Is there parking?', 'where can I park', 'Parking?'],
    ...['How much does it cost?', 'Is there a cost', 'how much are tickets?', 'What is the cost of tickets?'],
    'Can my grandmother sing the anthem?',
    'What?',
  ];
  expect(groupsOf(texts)).toEqual({
    'start time': texts.slice(0, 4),
    'park where': texts.slice(4, 8),
    'cost tickets': texts.slice(8, 12),
    questions: texts.slice(12),
  });
});

it('makes the same groups in whatever order the replies come', () => {
  const texts = [
    ...[
      'What time does it start?',
      'when does it start',
      'start time?',
      'Where do we park?',
      'parking?',
      'where park',
    ],
    ...['Is it canceled?', 'is practice canceled', 'will it be canceled if it rains', 'Yes', 'ok thanks'],
  ];
  const sorted = (groups: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all.sort()]));
  expect(sorted(groupsOf([...texts].reverse()))).toEqual(sorted(groupsOf(texts)));
});

it('keeps a group that people have used under its name, whatever else comes', () => {
  const before = ['What time does it start?', 'when does it start'];
  expect([...run(before).words.keys()]).toEqual(['about:start+time']);
  const after = [
    ...before,
    'What time does the concert start?',
    'concert start time?',
    'when does the concert start',
  ];
  expect([...run(after, { home: 'english', knownKeys: ['about:start+time'] }).words.keys()]).toEqual([
    'about:start+time',
  ]);
});

it('treats the broadcast’s own language as the usual one', () => {
  expect(languageOf('No hay clases mañana por la nieve')).toBe('spanish');
  const texts = ['¿A qué hora empieza?', '¿Cuándo empieza?', 'What time does it start?'];
  expect(groupsOf(texts, { home: 'spanish' })).toEqual({
    'empieza time': texts.slice(0, 2),
    english: [texts[2]],
  });
});

it('stems without losing the word', () => {
  const stems = [
    'starts',
    'started',
    'starting',
    'parties',
    'bus',
    'buses',
    'class',
    'lunches',
    'stopped',
    'this',
  ];
  expect(stems.map(stemOf)).toEqual([
    ...['start', 'start', 'start', 'party', 'bus', 'bus', 'class', 'lunch', 'stop', 'this'],
  ]);
});

it('yields to others while it groups many', async () => {
  const asked = ['time', 'park', 'lunch', 'ticket', 'bus', 'rain', 'uniform', 'coach', 'field', 'snack'];
  const replies = Array.from({ length: 3_000 }, (_, id) => ({
    id,
    text: `Question ${asked[id % 10]} word${id % 700} thing${id % 90}?`,
  }));
  let turns = 0;
  let isOver = false;
  const takeTurn = () => {
    turns += 1;
    if (!isOver) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const { places } = await inTurns(groupReplies(replies, english));
  isOver = true;
  expect(places.size).toBe(3_000);
  expect(turns).toBeGreaterThan(3);
});
