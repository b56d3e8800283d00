import { expect, it } from 'vitest';
import { spanishPhones } from './spanish-phones.ts';

it.each([
  // A plosive, a glide, a flap, and a pause for a comma.
  [
    'Para estas llamadas, presione 9.',
    'p aa dx aa eh s t aa s y aa m aa dh aa s pau p r eh s y ow n eh n w eh b eh',
  ],
  ['guerra, pingüino', 'g eh r aa pau p iy ng g w iy n ow'],
  ['queso y gente', 'k eh s ow iy hh eh n t eh'],
  ['Año, día, rey, aire', 'aa n y ow pau d iy aa pau r ey pau ay dx eh'],
  ['HUEVO', 'w eh b ow'],
  ['huevo', 'w eh b ow'],
  ['ID y PIN', 'iy d eh iy p iy n'],
  ['p. m.', 'p eh pau eh m eh'],
  ['PM', 'p eh eh m eh'],
  ['EE UU', 'eh eh uw uw'],
])('gives the sounds of Spanish: %s', (text, sounds) => {
  expect(spanishPhones(text)).toBe(`pau ${sounds} pau`);
});

it.each([
  ['21', 'veintiuno'],
  ['100', 'cien'],
  ['2,021 personas', 'dos mil veintiuna personas'],
  ['21 días y 31 minutos', 'veintiún días y treinta y un minutos'],
  ['el 21 las clases', 'el veintiuno las clases'],
  ['el 31 cerramos', 'el treinta y uno cerramos'],
  ['200 llamadas, 500 créditos', 'doscientas llamadas, quinientos créditos'],
  ['200,000,201 personas', 'doscientos millones doscientas una personas'],
  ['3,000,000 personas', 'tres millones de personas'],
  ['1,000,000', 'un millón'],
  ['21,000,345', 'veintiún millones trescientos cuarenta y cinco'],
  ['1 persona', 'una persona'],
  ['1 crédito', 'un crédito'],
  ['0042', 'cero cero cuatro dos'],
  ['1234567890123', 'uno dos tres cuatro cinco seis siete ocho nueve cero uno dos tres'],
  ['a las 6:30', 'a las seis treinta'],
  ['a las 8:00', 'a las ocho'],
  ['a la 1:30', 'a la una treinta'],
  ['a la 1', 'a la una'],
  ['1 p. m.', 'una p. m.'],
  ['a las 21:05', 'a las veintiuna cinco'],
  ['06:30', 'seis treinta'],
  ['la 1.5', 'la uno punto cinco'],
  ['$5.50', 'cinco dólares con cincuenta centavos'],
  ['$1', 'un dólar'],
  ['$21.01', 'veintiún dólares con un centavo'],
  ['$1,200', 'mil doscientos dólares'],
  ['$1,000,000', 'un millón de dólares'],
  ['50 %', 'cincuenta por ciento'],
  ['(423) 555-0143', '(cuatro dos tres), cinco cinco cinco, cero uno cuatro tres'],
])('reads numbers the way people say them: %s', (text, words) => {
  expect(spanishPhones(text).replaceAll(' pau', '')).toBe(spanishPhones(words).replaceAll(' pau', ''));
});

it('leaves the comma after a price', () => {
  expect(spanishPhones('$5, por favor')).toBe(spanishPhones('cinco dólares, por favor'));
});

it.each([
  ['NO salgan', 'no salgan'],
  ['EVACÚE EL EDIFICIO. NO ENTRE.', 'evacúe el edificio. no entre.'],
  ['¿SÍ O NO? YA.', '¿sí o no? ya.'],
])('says words in capitals: %s', (loud, plain) => {
  expect(spanishPhones(loud)).toBe(spanishPhones(plain));
});

it.each([
  ['Sr. Pérez y Sra. Ruiz', 'señor Pérez y señora Ruiz'],
  ['la Srta. Díaz', 'la señorita Díaz'],
  ['el Dr. Gil y la DRA. GIL', 'el doctor Gil y la doctora Gil'],
  ['Av. Juárez', 'avenida Juárez'],
  ['avión, drama', 'avión, drama'],
])('says abbreviations in full: %s', (short, full) => {
  expect(spanishPhones(short)).toBe(spanishPhones(full));
});

it('has a sound for every letter, and nothing but sounds', () => {
  const known = new Set(
    'pau aa eh iy ow uw ay ey oy aw y w b ch d dh dx f g hh k l m n ng p r s t'.split(' '),
  );
  const every = 'abcdefghijklmnñopqrstuvwxyzáéíóúüç ¿¡ЖÅ漢🙂 -o /etc/passwd 1.5 @ # & %';
  for (const sound of spanishPhones(`${every} ${every.toUpperCase()} sí José’s`).split(' '))
    expect(known).toContain(sound);
});
