import { createHash } from 'node:crypto';
import { type FileColumns, fileColumns } from '../../contract/imports.ts';
import { readPhone } from '../../contract/phone/read-phone.ts';

type Target = Exclude<keyof FileColumns, 'CustomData'>;
/** A whole name is put into the column of first names and split when the row is read. */
type Meaning = Target | 'WholeName' | 'Phone' | 'AreaCode';

/**
 * The meanings of headings, without spaces, punctuation and accents: English first, then Spanish, French and
 * German. A number at the end of a heading is removed before the lookup: phone2, "Telefon 3".
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
/** Headings that may mean phones as well as addresses, employers or people: the cells below decide. */
const perhapsPhones = new Set(
  'home work office business landline day daytime evening other alternate alt emergency mother father mom dad parent parents guardian spouse student casa trabajo oficina domicile travail bureau privat arbeit buro geschaftlich'.split(
    ' ',
  ),
);
const byHeading = new Map<string, Meaning>();
for (const [meaning, words] of Object.entries(meanings)) {
  for (const word of words.split(' ')) byHeading.set(word, meaning as Meaning);
}
/** A textable number comes before the others. */
const mobileWords = /cell|mobile|movil|celular|portable|handy|mobil|sms|text|whatsapp|gsm|primary|main/;

/** A heading in its normalized form: lower-case letters and digits, without accents. */
function plainHeading(heading: string): string {
  return heading
    .slice(0, 200)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function withoutNumber(plain: string): string {
  return plain.replace(/\d{1,2}$/, '');
}

function meaningOf(heading: string): Meaning | undefined {
  const plain = plainHeading(heading);
  const known = byHeading.get(plain) ?? byHeading.get(withoutNumber(plain));
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

/** The maximum number of rows above the headings, with titles, dates and remarks. */
const mostTitleRows = 5;

/** Finds the row of the headings among the first: the number of rows above it, and whether there is one at all. */
export function findHeader(rows: string[][], countryId: number): { hasHeader: boolean; titleRows: number } {
  const known = (row: string[]) => row.filter((cell) => meaningOf(cell) !== undefined).length;
  const isAlone = (row: string[]) => filledOf(row).length === 1;
  let best = 0;
  for (const [index, row] of rows.slice(0, mostTitleRows + 1).entries()) {
    if (filledOf(row).some((cell) => looksLikePhone(cell, countryId))) break;
    const most = known(rows[best] ?? []);
    // A list of one column has one heading; above two known headings there may be any text.
    const isHeader = known(row) >= 2 || (known(row) === 1 && rows.slice(0, index).every(isAlone));
    const isFuller = known(row) === most && isAlone(rows[best] ?? []) && !isAlone(row);
    if (index > 0 && isHeader && (known(row) > most || isFuller)) best = index;
  }
  if (best > 0) return { hasHeader: true, titleRows: best };
  // Unknown words above columns of numbers, and a single cell above them.
  const titles = rows.slice(0, mostTitleRows).findIndex((row) => !isAlone(row));
  const below = rows.slice(Math.max(titles, 0));
  const isBelow = titles > 0 && !hasHeader(rows, countryId) && hasHeader(below, countryId);
  return isBelow
    ? { hasHeader: true, titleRows: titles }
    : { hasHeader: hasHeader(rows, countryId), titleRows: 0 };
}

function filledOf(row: string[]): string[] {
  return row.filter((cell) => cell.trim() !== '');
}

/** True if the first row has headings instead of a contact. */
export function hasHeader(rows: string[][], countryId: number): boolean {
  const [first = [], ...others] = rows;
  const filled = filledOf(first);
  if (filled.length === 0 || filled.some((cell) => looksLikePhone(cell, countryId))) return false;
  if (filled.some((cell) => meaningOf(cell) !== undefined)) return true;
  // Words above columns of numbers.
  return first.some(
    (cell, index) =>
      cell.trim() !== '' &&
      !/\d{3}/.test(cell) &&
      others.some((row) => looksLikePhone(row[index] ?? '', countryId)),
  );
}

/** The contents of each column, by the headings, and by the cells where headings are missing or unknown. */
export function guessColumns(
  headings: string[] | undefined,
  rows: string[][],
  options: { countryId: number; fieldNames: string[] },
): FileColumns {
  const width = Math.max(headings?.length ?? 0, ...rows.map((row) => row.length));
  const columns = fileColumns.parse({});
  const fieldOf = fieldFinder(options.fieldNames);
  const phones: { column: number; isMobile: boolean }[] = [];
  const areaCodes: number[] = [];
  const unnamed: number[] = [];
  let wholeName: number | undefined;
  for (let column = 1; column <= width; column += 1) {
    const heading = headings?.[column - 1] ?? '';
    const field = fieldOf(heading);
    // An organization's own field takes precedence over the general meaning of the word: "Class", "Team".
    const meaning = field?.isExact ? undefined : meaningOf(heading);
    const isPhone = (cell: string) => looksLikePhone(cell, options.countryId);
    const isPerhaps = field === undefined && perhapsPhones.has(withoutNumber(plainHeading(heading)));
    if (meaning?.startsWith('Phone') || (isPerhaps && isMostly(rows, column, isPhone)))
      phones.push({ column, isMobile: mobileWords.test(plainHeading(heading)) });
    else if (meaning?.startsWith('AreaCode')) areaCodes.push(column);
    else if (meaning === 'WholeName') wholeName ??= column;
    else if (meaning !== undefined) columns[meaning as Target] ??= column;
    else if (field !== undefined) columns.CustomData.push({ ColumnNumber: column, Name: field.name });
    else unnamed.push(column);
  }
  if (columns.FirstName === null && columns.LastName === null) columns.FirstName = wholeName ?? null;
  // Phones under unknown headings.
  if (phones.length === 0) {
    const isPhone = (cell: string) => looksLikePhone(cell, options.countryId);
    for (const column of [...unnamed, ...columns.CustomData.map(({ ColumnNumber }) => ColumnNumber)])
      if (isMostly(rows, column, isPhone)) phones.push({ column, isMobile: false });
    columns.CustomData = columns.CustomData.filter(
      ({ ColumnNumber }) => !phones.some(({ column }) => column === ColumnNumber),
    );
  }
  placePhones(columns, phones, areaCodes, rows);
  if (headings === undefined) guessNames(columns, rows, unnamed);
  return columns;
}

/**
 * A custom field by its exact name, or else by the normalized one. A field that is already assigned isn't
 * used again.
 */
function fieldFinder(names: string[]) {
  const exact = new Map(names.map((name) => [name.toLowerCase(), name]));
  const alike = new Map(names.map((name) => [plainHeading(name), name]));
  const taken = new Set<string>();
  return (heading: string): { name: string; isExact: boolean } | undefined => {
    const own = exact.get(heading.trim().toLowerCase());
    const plain = plainHeading(heading);
    const name = own ?? (plain === '' ? undefined : alike.get(plain));
    if (name === undefined || taken.has(name)) return undefined;
    taken.add(name);
    return { name, isExact: own !== undefined };
  };
}

/** Mobile numbers first, otherwise in the file's order; area codes belong to the phone that follows them. */
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

/**
 * True if the column of first names contains whole names: there is no column of last names, and its heading indicates
 * it.
 */
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
