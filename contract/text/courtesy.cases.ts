import { ruleTable } from '../testing/rule-table.ts';

function all(texts: readonly string[], output: boolean): [string, boolean][] {
  return texts.map((text) => [text, output]);
}

export const courtesies = ruleTable<string, boolean>({
  about: 'Texts that need no answer',
  file: 'contract/text/courtesy.ts',
  rows: [
    {
      rule: 'Ours: thanks, an “ok” and a thumbs up need no answer',
      cases: all(
        [
          'Thank you!',
          'thanks',
          'THANKS!!!',
          'Thx',
          'ok',
          'Ok.',
          'Okay, thank you so much!',
          'Thank you so much for letting us know 🙏',
          'Thank you, Mrs. Pruitt',
          'Got it, thanks 👍🏽',
          'Sounds good, see you then',
          'Yes ma’am, thank you',
          '👍',
          '👍🏿👍🏿',
          '❤️',
          '🙏🏼 God bless you',
          'You’re welcome',
          'sooooo cool',
        ],
        true,
      ),
    },
    {
      rule: 'Ours: the same in Spanish, with or without accents',
      cases: all(
        [
          'Gracias',
          '¡Muchas gracias!',
          'ok gracias por avisar',
          'Está bien',
          'esta bien gracias',
          'Muchísimas gracias maestra',
          'Perfecto, gracias 🙏',
          'De acuerdo',
          'Dios le bendiga',
        ],
        true,
      ),
    },
    {
      rule: 'Ours: what phones send for a reaction to a text',
      cases: all(
        [
          'Liked “No school tomorrow. Stay safe!”',
          'Loved “Practice is at 5”',
          'Laughed at “Dress as your favorite book”',
          'Reacted 👍 to “Doors open at 6”',
          '👍 to “Doors open at 6”',
          'Le gustó “No hay clases mañana”',
        ],
        true,
      ),
    },
    {
      rule: 'Ours: everything else needs somebody to read it',
      cases: all(
        [
          '',
          ' ',
          '👎',
          '😢',
          'Yes',
          'No',
          'Sí',
          'No thanks',
          'Thanks but we can’t make it',
          'Ok?',
          '¿Gracias?',
          'ok who is this',
          'Thank you. What time does it start?',
          'Ok, what time',
          'Thanks, we need 3 tickets',
          'not ok',
          'Ok stop',
          'STOP',
          'so much',
          'please',
          'Questioned “Doors open at 6”',
          'Disliked “No recess today”',
          'Reacted 👎 to “No recess today”',
          'Thank you and please call my office about Daniel',
        ],
        false,
      ),
    },
  ],
});
