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
        ["Press '1' for yes or '2' for no.", { answers: '*1 *2' }],
        ['Press ‘1’ for yes or “2” for no.', { answers: '*1 *2' }],
        ['Press (1) for yes', { answers: '*1' }],
        ['Press: 1 for yes', { answers: '*1' }],
        ['Press... 1 for yes', { answers: '*1' }],
        ['Thank you… Press 1.', { answers: '*1' }],
        ['Answer by pressing 1 or 2.', { answers: '*1 *2' }],
        ['Select option 1 for yes', { answers: '*1' }],
        ['Elija la opción 1 para sí', { answers: '*1' }],
        ['Favor de presionar 1.', { answers: '*1' }],
        ['Puede oprimir 1 o apretar el 2.', { answers: '*1 *2' }],
        ['Apriete el 1.', { answers: '*1' }],
        ['Presione el 1 de su teléfono.', { answers: '*1' }],
        ['Appuyez sur un pour oui, deux pour non.', { answers: '*1 *2' }],
        ['Appuyez sur la touche quatre.', { answers: '*4' }],
        ['Drücken Sie bitte die Eins.', { answers: '*1' }],
        ['Premere uno per sì o due per no.', { answers: '*1 *2' }],
        ['Pressione um para sim ou dois para não.', { answers: '*1 *2' }],
      ],
    },
    {
      rule: 'Ours: a range stands for each key in it',
      cases: [
        ['Press a number between 1 and 5.', { answers: '*1 *2 *3 *4 *5' }],
        ['Presione un número entre 1 y 4.', { answers: '*1 *2 *3 *4' }],
        ['Oprima del uno al tres.', { answers: '*1 *2 *3' }],
        ['Press 1 for very bad through 4 for very good.', { answers: '*1 *2 *3 *4' }],
        ['Press star 1 to star 3.', { answers: '*1 *2 *3' }],
        ['Press 1 and 4.', { answers: '*1 *4' }],
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
        ['Presione uno de los botones.', {}],
        ['Marque 4 de mayo en su calendario.', {}],
        ['Appuyez sur un bouton.', {}],
        ['Press the button when your payment is due.', {}],
        ['The bus leaves at 6:30. No one has to call.', {}],
        [`Press 1 if you come at 7 pm. ${phone}.`, { answers: '*1' }],
        ['Press 1 if your child rides bus 3.', { answers: '*1' }],
        ['Those who press 1 may leave early on 4 May 2026.', { answers: '*1' }],
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
        ['You can reach us by pressing 0.', { zero: true }],
        ["To talk to us, press '0'.", { zero: true }],
        ['To talk to us, press oh.', { zero: true }],
        ['To talk to us, press O.', { zero: true }],
        ['Appuyez sur zéro.', { zero: true }],
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

export const possibleKeys = ruleTable<string, string>({
  about: 'Keys that count as answers to a typed message',
  file: 'contract/text/spoken-keys.ts',
  rows: [
    {
      rule: 'Ours: every digit that people may have understood as a key counts',
      cases: [
        ['For yes, press one. For no, two. Maybe: 3.', '*1 *2 *3'],
        ['Your answers: 1 yes\n2 no', '*1 *2'],
        ['Press 1 for yes. To stop these calls, press 9.', '*1'],
        ['Press 1 for yes or 9 for no.', '*1 *9'],
        ['Presione el 1 de su teléfono.', '*1'],
        ['Will you come?', ''],
      ],
    },
    {
      rule: 'Ours: so does each key of a range, wherever it is',
      cases: [
        ['Press a number between 1 and 5.', '*1 *2 *3 *4 *5'],
        ['Elija entre el 1 y el 5.', '*1 *2 *3 *4 *5'],
        ['On a scale of 1 to 5, how was it? Press 1 for very bad or 5 for very good.', '*1 *2 *3 *4 *5'],
        ['How was it, from 1 (very bad) to 4 (very good)?', '*1 *2 *3 *4'],
        ['Del 1 al 3, ¿cómo fue?', '*1 *2 *3'],
        ['Rate us from 1 to 10.', '*1 *2 *3 *4 *5 *6 *7 *8 *9'],
        ['Press 1 or 2. Will you come with 2 to 4 people?', '*1 *2 *3 *4'],
      ],
    },
    {
      rule: 'Ours: every key does where the message says any key, or any other',
      cases: [
        ['Press 1 if you will come. Press any other key if you won’t.', 'any'],
        ['Press 1 for yes, any other number for no.', 'any'],
        ['Press 1 for yes or anything else for no.', 'any'],
        ['Oprima 1 si viene. Oprima cualquier otra tecla si no viene.', 'any'],
        ['Presione 1 para sí, otro número para no.', 'any'],
        ['Please press any key on your phone.', 'any'],
        ['Press any key from 1 to 3.', '*1 *2 *3'],
        ['Press 1. Call us at our other number.', '*1'],
      ],
    },
    {
      rule: 'Ours: dates, times, prices, amounts and phone numbers don’t',
      cases: [
        ['Will you come on December 4, 2026?', ''],
        ['¿Viene el 4 de mayo a las 6?', ''],
        ['Will you come at 6, or between 7 and 8 pm?', ''],
        ['Nos vemos a las 6 de la tarde o a la 1 p. m.', ''],
        ['The ticket is $5, or $3 to $4 for children, or 2 dollars.', ''],
        [`${phone}. Which one is yours?`, ''],
        ['The fair takes 3 to 4 hours.', ''],
      ],
    },
  ],
});
