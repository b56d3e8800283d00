import { strangerPhone } from './demo-numbers.ts';

/**
 * Texts between people and the school. `>` is theirs, `<` is ours; {child}, {school}, {bus} are filled in. A
 * talk that ends with theirs is waiting for an answer.
 */
export const talks: readonly string[][] = [
  [
    '> Does that mean Bus 14 too? {child} is usually home at 3:50',
    '< Yes, Route 14 too. It leaves school at 1:40, so {child} would be at the stop about 1:55.',
    '> Perfect, thank you!',
  ],
  [
    '> {child} has a fever this morning and will stay home.',
    '< Thank you for letting us know. We marked {child} absent. Get well soon!',
    '> Thanks so much',
  ],
  [
    '< Reminder: picture day is Thursday. Order forms went home in the blue folder.',
    '> Can I still order online?',
    '< Yes, until Friday at 4 PM. The link is in the e-mail from Monday.',
  ],
  [
    '> Is the board meeting still on tonight?',
    '< It is, 6:30 PM in the library. Parking is behind the gym.',
    '> See you there',
  ],
  [
    '> I forgot to pack {child} a lunch',
    '< No problem, the cafeteria will put it on the account.',
    '> You are lifesavers',
  ],
  [
    '< Hello, {child} left a jacket in the music room. It is in the office.',
    '> Oh good, we looked everywhere! I will pick it up tomorrow',
  ],
  ['> What time is early dismissal on Friday?', '< 1:30 PM for {school}. Buses run two hours early.', '> ok'],
  [
    '> Can {child} ride {bus} home with a friend today?',
    '< We need a note from both families. A text from the other parent is fine too.',
    '> She will text you now',
    '< Got it, all set for this afternoon.',
  ],
  [
    '> The after-care line is busy. Who do I call?',
    '< Please text here, we pass it on. What is it about?',
    '> I am running 15 minutes late',
    '< Thank you, they know.',
  ],
  [
    '< The field trip form for {child} is still missing. Could you send a photo of it?',
    '> Will do tonight',
    '< Thank you!',
    '> Here it is, signed. Do you need the original too?',
    '< The photo is enough.',
  ],
  ['> Gracias. ¿También la primaria?', '< Sí, también la primaria. Sale a la 1:30.', '> Muchas gracias'],
  [
    '> My number changes next week, who do I tell?',
    '< You can tell us here. What is the new one?',
    '> I will text you from it',
    '< Great.',
  ],
  ['< Thank you for bringing cookies to the bake sale! We raised $1,240.', '> Wow! Happy to help again'],
  ['> Did {child} get on {bus} today?', '< Yes, the driver confirmed.', '> Phew. Thanks'],
  ['> Doctor’s note for {child}, back tomorrow', '< Thank you, we added it.'],
  ['< {school}: the water is back on. Classes go on as usual tomorrow.', '> Thank you for the update'],
  [
    '> Where do I find the lunch menu?',
    '< harlowcreek.example/lunch, or the board by the cafeteria.',
    '> Found it',
  ],
  [
    '> Could someone call me about the bus stop?',
    '< Joanne from transportation will call you before noon.',
    '> Thank you',
  ],
  [
    '< Reminder: conferences are next week. Reply with a day that suits you.',
    '> Wednesday after 4?',
    '< Wednesday 4:20 PM is yours.',
    '> Great, see you',
  ],
  ['> Is the gym open for practice on Saturday?', '< Yes, the doors open at 9.'],
];

/** People who are waiting for an answer, and for how many minutes, longest first. */
export const waiting: readonly { who: string; minutes: number; texts: string[] }[] = [
  { who: 'Becky Stroud', minutes: 80, texts: ['Is the board meeting still on tonight?'] },
  { who: 'Minh Tran', minutes: 54, texts: ['Doctor’s note for Kevin, he is back tomorrow'] },
  { who: 'Priya Raman', minutes: 5, texts: ['Thank you!'] },
  { who: 'Luis Ortega', minutes: 3, texts: ['Gracias. ¿También la primaria?'] },
  { who: strangerPhone, minutes: 3, texts: ['I think you have the wrong number. Who is this?'] },
  {
    who: 'Tamika Boyd',
    minutes: 1,
    texts: ['Hi!', 'Who do I call about after-care? My son is on the Tuesday list'],
  },
];
