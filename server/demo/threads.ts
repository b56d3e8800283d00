import type { TextStatusCode } from '../../contract/delivery/text-status.ts';
import { nowMs } from '../clock.ts';
import type { DemoPerson } from './people.ts';
import type { Random } from './random.ts';
import { talks, waiting } from './talks.ts';

export interface DemoText {
  isInbound: boolean;
  body: string;
  at: Date;
  status: TextStatusCode | 'received';
  userId: number | null;
  mediaId: number | null;
}

export interface DemoThread {
  textNumberId: number;
  phone: string;
  texts: DemoText[];
  isDone: boolean;
  isOptedOut: boolean;
  unread: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const failures: TextStatusCode[] = [
  'phone_unreachable',
  'carrier_rejected',
  'spam_rejected',
  'not_delivered',
];

interface Cast {
  count: number;
  numberIds: number[];
  userIds: number[];
  formMediaId: number;
  mapMediaId: number;
}

/** A month of conversations: most done, some open, a few waiting, three who said STOP. */
export function makeThreads(random: Random, people: DemoPerson[], cast: Cast): DemoThread[] {
  const now = nowMs();
  const threads: DemoThread[] = [];
  const used = new Set<string>();
  const mainNumber = cast.numberIds[0] ?? 0;

  for (const { who, minutes, texts } of waiting) {
    const phone = people.find((person) => `${person.firstName} ${person.lastName}` === who)?.phone ?? who;
    if (!/^\d+$/.test(phone)) continue;
    const before = past(
      random,
      people.find((person) => person.phone === phone),
      now - random.between(2, 9) * dayMs,
      cast,
    );
    const arrived = texts.map((body, index) => inbound(body, now - minutes * minuteMs + index * 4_000));
    threads.push(thread(mainNumber, phone, [...before, ...arrived], { unread: texts.length }));
    used.add(phone);
  }

  const renee = people.find((person) => person.lastName === 'Castellano');
  if (renee !== undefined && cast.formMediaId > 0) {
    threads.push(thread(mainNumber, renee.phone, castellano(now, cast)));
    used.add(renee.phone);
  }

  const rest = people.filter((person) => !used.has(person.phone));
  for (let index = 0; threads.length < cast.count && index < rest.length; index += 1) {
    const person = rest[(index * 7) % rest.length];
    if (person === undefined || used.has(person.phone)) continue;
    used.add(person.phone);
    // The later in the list, the longer ago: some within hours, most within the month.
    const age =
      index < 30 ? random.between(40, 9 * 60) * minuteMs : random.between(10, 29 * 24) * 60 * minuteMs;
    const texts = past(random, person, now - age, cast);
    const isOptedOut = index > 40 && index < 44;
    if (isOptedOut) texts.push(inbound('STOP', (texts.at(-1)?.at.getTime() ?? now - age) + 3 * minuteMs));
    const numberId =
      cast.numberIds[random.below(10) < 6 ? 0 : random.below(cast.numberIds.length)] ?? mainNumber;
    threads.push(
      thread(numberId, person.phone, texts, {
        isOptedOut,
        isDone: !isOptedOut && index >= 24 && random.chance(0.9),
      }),
    );
  }
  return threads;
}

/** A scripted talk, its last text about at `endMs`. */
function past(random: Random, person: DemoPerson | undefined, endMs: number, cast: Cast): DemoText[] {
  const lines = random.pick(talks);
  const child = person?.student.split(' ')[0] || 'my son';
  const bus = person?.groups.find((group) => group.startsWith('Bus'))?.replace(' riders', '') ?? 'Bus 14';
  const school = person?.groups[0] ?? 'the school';
  const gaps = lines.map(() => random.between(1, 14) * minuteMs);
  let at = endMs - gaps.reduce((sum, gap) => sum + gap, 0);
  return lines.map((line, index) => {
    at += gaps[index] ?? minuteMs;
    const body = line
      .slice(2)
      .replaceAll('{child}', child)
      .replaceAll('{bus}', bus)
      .replaceAll('{school}', school);
    if (line.startsWith('>')) return inbound(body, at);
    const status: DemoText['status'] =
      index === lines.length - 1 && random.chance(0.06) ? random.pick(failures) : 'delivered';
    return outbound(body, at, random.pick(cast.userIds), status);
  });
}

function castellano(now: number, cast: Cast): DemoText[] {
  const [owner = 0, admin = owner] = cast.userIds;
  const yesterday = now - dayMs;
  return [
    {
      ...inbound('Here is Mia’s form, signed. Do you need the original too?', yesterday - 11 * minuteMs),
      mediaId: cast.formMediaId,
    },
    outbound('Got it, thank you! The photo is enough.', yesterday, admin),
    {
      ...outbound(
        'Route 14 runs via Mill St today, Creek Rd is closed. Stops 5 to 8 are about 10 minutes later.',
        now - 95 * minuteMs,
        owner,
      ),
      mediaId: cast.mapMediaId,
    },
    inbound('Does that mean Bus 14 too? Mia is usually home at 3:50', now - 92 * minuteMs),
    inbound('I can’t leave work before 2', now - 92 * minuteMs + 20_000),
    outbound(
      'Yes, Route 14 too. It leaves school at 1:40, so Mia would be at her stop about 1:55.',
      now - 88 * minuteMs,
      owner,
    ),
  ];
}

function inbound(body: string, atMs: number): DemoText {
  return { isInbound: true, body, at: new Date(atMs), status: 'received', userId: null, mediaId: null };
}

function outbound(
  body: string,
  atMs: number,
  userId: number,
  status: DemoText['status'] = 'delivered',
): DemoText {
  return { isInbound: false, body, at: new Date(atMs), status, userId, mediaId: null };
}

function thread(
  textNumberId: number,
  phone: string,
  texts: DemoText[],
  state: Partial<Pick<DemoThread, 'isDone' | 'isOptedOut' | 'unread'>> = {},
): DemoThread {
  return { textNumberId, phone, texts, isDone: false, isOptedOut: false, unread: 0, ...state };
}
