import { createHash } from 'node:crypto';
import { type FileColumns, fileColumns } from '../../contract/imports.ts';
import { readPhone } from '../../contract/phone/read-phone.ts';

type Target = Exclude<keyof FileColumns, 'CustomData'>;
/** A whole name is put into the column of first names and divided when the row is read. */
type Meaning = Target | 'WholeName' | 'Phone' | 'AreaCode';

/**
 * What headings mean, without spaces, signs and accents: English first, then Spanish, French and German. A number
 * at the end of a heading is taken off before it is looked up: phone2, "Telefon 3".
 */
const meanings: Record<Meaning, string> = {
  FirstName:
    'firstname first fname givenname given forename christianname preferredname studentfirstname parentfirstname contactfirstname nombre nombres primernombre prenom vorname rufname voornaam nome',
  LastName:
    'lastname last lname surname familyname family secondname studentlastname parentlastname contactlastname apellido apellidos primerapellido nom nomdefamille nachname familienname zuname achternaam cognome sobrenome',
  WholeName:
    'name fullname wholename contact contactname studentname parentname membername customername patientname clientname displayname person recipient nombrecompleto nomcomplet vollstandigername namen',
  Phone:
    'phone phonenumber phoneno phones telephone telephonenumber tel telno cell cellphone cellular cellnumber cellphonenumber mobile mobilephone mobilenumber mobileno mobilephonenumber number contactnumber contactphone smsnumber sms text textnumber primaryphone mainphone homephone homenumber workphone worknumber businessphone dayphone eveningphone parentphone guardianphone studentphone emergencyphone whatsapp telefono telefonomovil movil celular numero numerodetelefono numerotelefono telephoneportable portable gsm numerodetelephone telefon telefonnummer handy handynummer mobil mobilnummer mobiltelefon rufnummer nummer telefoon telefoonnummer telefone cellulare',
  AreaCode:
    'areacode area code phoneareacode cellareacode homeareacode prefix codigodearea codigoarea lada prefijo indicatif vorwahl',
  Notes:
    'notes note comment comments remark remarks memo description details nota notas comentario comentarios observaciones commentaire commentaires remarque remarques notiz notizen bemerkung bemerkungen kommentar',
  Groups:
    'groups group groupname list lists listname tag tags category categories segment segments team teams class classes grupo grupos lista listas etiqueta etiquetas groupe groupes liste listes gruppe gruppen',
  Phone1: 'phone1 primaryphonenumber primarymobile primarycell',
  Phone2:
    'secondaryphone secondaryphonenumber secondphone alternatephone altphone otherphone alternatenumber phone2 telefono2',
  Phone3: 'tertiaryphone tertiaryphonenumber thirdphone phone3 telefono3',
  AreaCode1: 'areacode1',
  AreaCode2: 'areacode2',
  AreaCode3: 'areacode3',
};
const byHeading = new Map<string, Meaning>();
for (const [meaning, words] of Object.entries(meanings)) {
  for (const word of words.split(' ')) byHeading.set(word, meaning as Meaning);
}
/** A number that can be texted comes before the others. */
const mobileWords = /cell|mobile|movil|celular|portable|handy|mobil|sms|text|whatsapp|gsm|primary|main/;

/** A heading as it is compared: small letters and digits, without accents. */
function plainHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function meaningOf(heading: string): Meaning | undefined {
  const plain = plainHeading(heading);
  const known = byHeading.get(plain) ?? byHeading.get(plain.replace(/\d{1,2}$/, ''));
  if (known !== undefined) return known;
  if (/phone|telefon|mobile|cellular/.test(plain) && !/type|carrier|ext|opt|status|valid/.test(plain))
    return 'Phone';
  return undefined;
}

function looksLikePhone(cell: string, countryId: number): boolean {
  const text = cell.trim();
  return (
    text.length >= 7 && text.length < 30 && /\d/.test(text) && readPhone(text, countryId).error === undefined
  );
}

/** Whether the first row names the columns instead of being a contact. */
export function hasHeader(rows: string[][], countryId: number): boolean {
  const [first = [], ...others] = rows;
  const filled = first.filter((cell) => cell.trim() !== '');
  if (filled.length === 0 || filled.some((cell) => looksLikePhone(cell, countryId))) return false;
  if (filled.some((cell) => meaningOf(cell) !== undefined)) return true;
  // Words over columns of numbers.
  return first.some(
    (cell, index) =>
      cell.trim() !== '' &&
      !/\d{3}/.test(cell) &&
      others.some((row) => looksLikePhone(row[index] ?? '', countryId)),
  );
}

/** Which column holds what, by the headings, and by the cells where headings don't say. */
export function guessColumns(
  headings: string[] | undefined,
  rows: string[][],
  options: { countryId: number; fieldNames: string[] },
): FileColumns {
  const width = Math.max(headings?.length ?? 0, ...rows.map((row) => row.length));
  const columns = fileColumns.parse({});
  const fields = new Map(options.fieldNames.map((name) => [plainHeading(name), name]));
  const phones: { column: number; isMobile: boolean }[] = [];
  const areaCodes: number[] = [];
  const unnamed: number[] = [];
  let wholeName: number | undefined;
  for (let column = 1; column <= width; column += 1) {
    const heading = headings?.[column - 1] ?? '';
    const meaning = meaningOf(heading);
    const field = fields.get(plainHeading(heading));
    if (meaning === 'Phone' || meaning?.startsWith('Phone'))
      phones.push({ column, isMobile: mobileWords.test(plainHeading(heading)) });
    else if (meaning?.startsWith('AreaCode')) areaCodes.push(column);
    else if (meaning === 'WholeName') wholeName ??= column;
    else if (meaning !== undefined) columns[meaning as Target] ??= column;
    else if (field !== undefined && heading !== '')
      columns.CustomData.push({ ColumnNumber: column, Name: field });
    else unnamed.push(column);
  }
  if (columns.FirstName === null && columns.LastName === null) columns.FirstName = wholeName ?? null;
  // Phones that stand under no heading we know.
  if (phones.length === 0)
    for (const column of unnamed)
      if (isMostly(rows, column, (cell) => looksLikePhone(cell, options.countryId)))
        phones.push({ column, isMobile: false });
  placePhones(columns, phones, areaCodes, rows);
  if (headings === undefined) guessNames(columns, rows, unnamed);
  return columns;
}

/** Mobile numbers first, otherwise in the file's order; area codes to the phone that follows them. */
function placePhones(
  columns: FileColumns,
  phones: { column: number; isMobile: boolean }[],
  areaCodes: number[],
  rows: string[][],
): void {
  const isUsed = ({ column }: { column: number }) =>
    rows.length === 0 || rows.some((row) => (row[column - 1] ?? '').trim() !== '');
  const sorted = [...phones].sort(
    (a, b) =>
      Number(isUsed(b)) - Number(isUsed(a)) || Number(b.isMobile) - Number(a.isMobile) || a.column - b.column,
  );
  const places = [
    ['Phone1', 'AreaCode1'],
    ['Phone2', 'AreaCode2'],
    ['Phone3', 'AreaCode3'],
  ] as const;
  for (const [index, [phone, areaCode]] of places.entries()) {
    const column = sorted[index]?.column;
    if (column === undefined) return;
    columns[phone] = column;
    columns[areaCode] =
      areaCodes.find((each) => each === column - 1) ??
      (areaCodes.length === 1 && index === 0 ? areaCodes[0] : undefined) ??
      null;
  }
}

/** Without headings: the words before or after the phone are a first and a last name. */
function guessNames(columns: FileColumns, rows: string[][], unnamed: number[]): void {
  const words = unnamed.filter(
    (column) =>
      column !== columns.Phone1 &&
      isMostly(rows, column, (cell) => /^[\p{L}\p{M}'’.\- ]{1,40}$/u.test(cell.trim())),
  );
  columns.FirstName = words[0] ?? null;
  columns.LastName = words[1] ?? null;
}

function isMostly(rows: string[][], column: number, holds: (cell: string) => boolean): boolean {
  const cells = rows.map((row) => row[column - 1] ?? '').filter((cell) => cell.trim() !== '');
  return cells.length > 0 && cells.filter(holds).length * 2 > cells.length;
}

/** Whether the column of first names holds whole names: no column of last names, and its heading says so. */
export function splitsNames(columns: FileColumns, headings: string[] | undefined): boolean {
  if (columns.FirstName === null || columns.LastName !== null) return false;
  if (headings === undefined) return true;
  return meaningOf(headings[columns.FirstName - 1] ?? '') !== 'FirstName';
}

/** Two files whose headings have the same words in the same order have the same shape. */
export function shapeHash(headings: string[]): Buffer {
  const words = headings.map(plainHeading);
  while (words.at(-1) === '') words.pop();
  return createHash('sha256').update(words.join('\u001f')).digest();
}
