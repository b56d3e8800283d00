import { ruleTable } from '../testing/rule-table.ts';

interface Said {
  /** Keys that answer a survey. */
  answers?: string;
  /** It says to press 0. */
  zero?: true;
  /** It says to press 9 for something other than stopping these calls. */
  nine?: true;
}

const phone = 'Call us at (423) 555-0143';

export const spokenKeys = ruleTable<string, Said>({
  about: 'Keys that a typed message offers',
  file: 'contract/text/spoken-keys.ts',
  rows: [
    {
      rule: 'Survey messages must include the question and possible answers. Survey replies use *1 to *9',
      message: 'Survey messages must include the question and possible answers.',
      cases: [
        ['Will you come? For yes, press star 1. For no, press star 2.', { answers: '*1 *2' }],
        ['Will you come? Press *1 for yes and *2 for no.', { answers: '*1 *2' }],
        ['Does your child ride the bus? *1 yes, *9 no', { answers: '*1 *9' }],
        ['Will you come? Asterisk 3 is yes.', { answers: '*3' }],
      ],
    },
    {
      rule: 'Ours: a key counts without its star, and in words',
      cases: [
        ['Press 1 for yes or 2 for no.', { answers: '*1 *2' }],
        ['To confirm, press one.', { answers: '*1' }],
        ['Press the number one if you come, two if you don’t.', { answers: '*1 *2' }],
        ['Press 1, 2 or 3.', { answers: '*1 *2 *3' }],
        ['Press any key from 1 to 5.', { answers: '*1 *2 *3 *4 *5' }],
        ['How many? Press 1-4 now.', { answers: '*1 *2 *3 *4' }],
        ['Enter 2 for Tuesday', { answers: '*2' }],
        ['Para sí, oprima 1. Para no, presione el número dos.', { answers: '*1 *2' }],
        ['Appuyez sur le 1 pour oui', { answers: '*1' }],
        ['PRESS １', { answers: '*1' }],
        ['Press 1️⃣ for yes', { answers: '*1' }],
      ],
    },
    {
      rule: 'Ours: no year, date, time, price, amount or phone number is a key',
      cases: [
        ['Will you come?', {}],
        ['Will you come on December 4, 2026 at 6 pm?', {}],
        ['We have 3 buses and one of them is late. Which one is yours?', {}],
        [`${phone}. Will you come?`, {}],
        ['Dial 4 2 3, 5 5 5, 0 1 4 3 to tell us.', {}],
        ['Dial 1 800 555 0100 to tell us.', {}],
        ['Please choose 2 classes for your child.', {}],
        ['Press one of the keys on your telephone.', {}],
        ['The bus leaves at 6:30. No one has to call.', {}],
        [`Press 1 if you come at 7 pm. ${phone}.`, { answers: '*1' }],
        ['Press 1 if your child rides bus 3.', { answers: '*1' }],
      ],
    },
    {
      rule: 'Transfer messages must tell recipients to press 0',
      message: 'Transfer messages must tell recipients to press 0.',
      cases: [
        ['To talk to us, press 0 now.', { zero: true }],
        ['Press zero to talk to the office.', { zero: true }],
        ['For yes, press star 1. To talk to a person, dial 0.', { answers: '*1', zero: true }],
        ['Press 1 to hear it again or 0 to talk to us.', { answers: '*1', zero: true }],
        ['Para hablar con una persona, marque cero.', { zero: true }],
        ['Our school has zero tolerance.', {}],
        ['It will be below 0 tonight.', {}],
        ['Call 555-0100 to talk to us.', {}],
        ['Press star 0.', {}],
      ],
    },
    {
      rule: 'Ours: 9 stops these calls, so only *9 answers a survey',
      cases: [
        ['Press 1 for yes or 9 for no.', { answers: '*1', nine: true }],
        ['Press 1 for yes. To stop these calls, press 9.', { answers: '*1' }],
        ['Para no recibir más llamadas, oprima 9.', {}],
        ['For no, press star nine.', { answers: '*9' }],
      ],
    },
  ],
});
