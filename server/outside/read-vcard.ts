/** The fields of a vCard (2.1 to 4.0) that a sync needs: a key, a name, phones, categories. */
export interface Card {
  uid: string;
  firstName: string;
  lastName: string;
  phones: string[];
  categories: string[];
}

/** Undefined if it isn't a person: a list of members is also a card. */
export function readVcard(text: string): Card | undefined {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/=\n/g, '')
    .replace(/\n[ \t]/g, '')
    .split('\n');
  const card: Card = { uid: '', firstName: '', lastName: '', phones: [], categories: [] };
  const mobile: string[] = [];
  let whole = '';
  for (const line of lines) {
    const colon = valueAt(line);
    if (colon === -1) continue;
    const [name = '', ...parameters] = line.slice(0, colon).split(';');
    const value = decode(line.slice(colon + 1), parameters);
    switch (name.replace(/^.*\./, '').toUpperCase()) {
      case 'UID':
        card.uid = value.trim();
        break;
      case 'KIND':
      case 'X-ADDRESSBOOKSERVER-KIND':
        if (value.trim().toLowerCase() === 'group') return undefined;
        break;
      case 'N': {
        const [last = '', first = ''] = divided(value, ';');
        card.firstName = first;
        card.lastName = last;
        break;
      }
      case 'FN':
        whole = unescaped(value).trim();
        break;
      case 'TEL': {
        const phone = unescaped(value).replace(/^tel:/i, '').split(';')[0]?.trim() ?? '';
        if (phone === '') break;
        if (/\b(cell|text|iphone)\b/i.test(parameters.join(' '))) mobile.push(phone);
        else if (!/\b(fax|pager)\b/i.test(parameters.join(' '))) card.phones.push(phone);
        break;
      }
      case 'CATEGORIES':
        card.categories.push(...divided(value, ',').filter((each) => each !== ''));
        break;
    }
  }
  card.phones = [...new Set([...mobile, ...card.phones])];
  if (card.firstName === '' && card.lastName === '') {
    const at = whole.lastIndexOf(' ');
    card.firstName = at === -1 ? whole : whole.slice(0, at);
    card.lastName = at === -1 ? '' : whole.slice(at + 1);
  }
  return card;
}

/** The colon before the value: not one within quotation marks. */
function valueAt(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at;
  }
  return -1;
}

function decode(value: string, parameters: string[]): string {
  if (!parameters.some((each) => /quoted-printable/i.test(each))) return value;
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Parts between separators that aren't escaped by a backslash. */
function divided(value: string, separator: ';' | ','): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '\\' && at + 1 < value.length) {
      part += value.slice(at, at + 2);
      at += 1;
    } else if (value[at] === separator) {
      parts.push(part);
      part = '';
    } else part += value[at];
  }
  parts.push(part);
  return parts.map((each) => unescaped(each).trim());
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, after: string) => (/n/i.test(after) ? '\n' : after));
}
