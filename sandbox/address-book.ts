/**
 * The people whom the sandbox's other systems know: Google, Microsoft, a CardDAV server, an LDAP directory and a
 * published sheet show the same ones. `PUT /sources/people` replaces them.
 */
export interface BookPerson {
  id: string;
  first: string;
  last: string;
  phone: string;
  /** Behind the first one. */
  morePhones?: string[];
  groups: string[];
}

export function phonesOf({ phone, morePhones = [] }: BookPerson): string[] {
  return [phone, ...morePhones].filter((one) => one !== '');
}

const names = [
  ...['Ada Lindqvist', 'Ben Okafor', 'Carla Mendez', 'Dev Patel', 'Elena Rossi', 'Femi Adeyemi'],
  ...['Grace Hollis', 'Hugo Brandt', 'Ivy Tran', 'Jonas Weber', 'Kira Novak', 'Leo Castellano'],
  ...['Maya Fischer', 'Noah Whitaker', 'Olive Barnes', 'Priya Raman', 'Quinn Delaney', 'Rosa Jimenez'],
  ...['Sven Larsen', 'Tara Nguyen', 'Umar Farouk', 'Vera Kowalski', 'Will Prescott', 'Zoe Armstrong'],
];
const groups = ['Volunteers', 'Coaches', 'Board'];

/** "v3", as the systems give it out; what is none is a version that nobody knows. */
export function versionOf(token: string): number {
  return Number(/^v(\d+)$/.exec(token)?.[1] ?? Number.NaN);
}

export class AddressBook {
  people: BookPerson[] = names.map((name, place) => ({
    id: `p${place + 1}`,
    first: name.split(' ')[0] ?? '',
    last: name.split(' ')[1] ?? '',
    phone: `+1 423-555-${String(7100 + place)}`,
    groups: [groups[place % groups.length] ?? '', ...(place % 8 === 0 ? ['Board'] : [])],
  }));
  version = 1;
  /** The people at each version, so that a sync token tells what changed. */
  readonly before = new Map<number, BookPerson[]>();
  /** Seconds that a token is good, and the number of times that one was renewed. */
  tokenSeconds = 3_600;
  refreshes = 0;
  isDown = false;
  /** Of a longer group the directory shows so many members at a time, as Active Directory does of more than 1,500. */
  mostMembers = Number.POSITIVE_INFINITY;
  /** Number of people it returned, to see that a sync reads only what changed. */
  told = 0;

  replace(people: BookPerson[]): void {
    this.before.set(this.version, this.people);
    this.people = people;
    this.version += 1;
  }

  /** Undefined for a version that it no longer knows. */
  changesSince(version: number): { changed: BookPerson[]; gone: BookPerson[] } | undefined {
    const before = version === this.version ? this.people : this.before.get(version);
    if (before === undefined) return undefined;
    const known = new Map(before.map((person) => [person.id, JSON.stringify(person)]));
    const ids = new Set(this.people.map(({ id }) => id));
    return {
      changed: this.people.filter((person) => known.get(person.id) !== JSON.stringify(person)),
      gone: before.filter(({ id }) => !ids.has(id)),
    };
  }

  groupNames(): string[] {
    return [...new Set(this.people.flatMap((person) => person.groups))].sort();
  }
}
