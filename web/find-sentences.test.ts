import { describe, expect, it } from 'vitest';
import { findSentences } from './find-sentences.ts';
import { translateModule } from './vite-language.ts';

const found = (code: string, file = 'web/page.tsx') =>
  findSentences(code, file).map(({ english }) => english);

describe('the words that people read', () => {
  it('are text between tags, with placeholders for values and elements in it', () => {
    expect(found('const a = <p>Your name is <b>{name}</b>, {formatCount(count)} texts.</p>')).toEqual([
      'Your name is <0/>, {count} texts.',
    ]);
    expect(found('const a = <li><Icon /> Rename {" "}</li>')).toEqual(['Rename']);
  });

  it('are the values of labels, and sentences wherever they are', () => {
    expect(found('const a = <Field label="Phone" placeholder={isOld ? "Old one" : "New one"} />')).toEqual([
      'Phone',
      'Old one',
      'New one',
    ]);
    expect(found(`showSnackbar(\`\${name} was added.\`); countOf(count, 'reply', 'replies');`)).toEqual([
      '{name} was added.',
      'reply',
      'replies',
    ]);
  });

  it('aren’t values: comparisons, keys, types, styles, addresses, errors of programs', () => {
    expect(
      found(`
        type A = 'Sent To Carrier';
        if (status === 'Sent To Carrier') go('/to/some where');
        const b = <Box sx={{ border: '1px solid red' }} className="one two" />;
        const c = { 'Opted Out': 1, Type: 'Selected' };
        throw new Error('This can not happen.');
      `),
    ).toEqual([]);
  });

  it('include a single word only where it is marked', () => {
    expect(found("const a = { sent: 'Sent' }; const b = { sent: say('Sent') };")).toEqual(['Sent']);
  });

  it('name the meaning of a word that has several', () => {
    expect(found("const a = say('Open', 'conversations');")).toEqual(['Open#conversations']);
    const inSpanish = translateModule(
      "const a = [say('Open'), say('Open', 'conversations')];",
      'web/page.tsx',
      new Map([
        ['Open', 'Abrir'],
        ['Open#conversations', 'Abiertas'],
      ]),
    );
    expect(inSpanish).toBe('const a = [say("Abrir"), say("Abiertas", \'conversations\')];');
  });
});

describe('a module in another language', () => {
  const catalog = new Map([
    ['Your name is <0/>, {count} texts.', '{count} mensajes: se llama <0/>.'],
    ['{name} was added.', 'Se agregó a {name}.'],
    ['Phone', 'Teléfono “1”'],
    ['very', 'muy'],
  ]);
  const translate = (code: string) => translateModule(code, 'web/page.tsx', catalog);

  it('says the same, in the order of that language', () => {
    expect(translate('const a = <p>Your name is <b>{name}</b>, {formatCount(count)} texts.</p>')).toBe(
      'const a = <p>{formatCount(count)}{" mensajes: se llama "}<b>{name}</b>{"."}</p>',
    );
    expect(translate(`show(\`\${name} was added.\`)`)).toBe(`show(\`Se agregó a \${name}.\`)`);
    expect(translate('const a = <Field label="Phone" />')).toBe('const a = <Field label={"Teléfono “1”"} />');
  });

  it('leaves sentences without a translation, and translates those nested inside', () => {
    expect(translate('const a = <p>It is {isOld && "very"} old.</p>')).toBe(
      'const a = <p>It is {isOld && "muy"} old.</p>',
    );
  });
});
