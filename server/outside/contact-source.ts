/**
 * A system in which an organization keeps its people, in our terms. Each transport is a file beside this one
 * (docs/integrations.md explains how to add one).
 */

export interface SourceContact {
  /** The same person has the same key at every sync. */
  key: string;
  firstName: string;
  lastName: string;
  /** As they are written there, the one for texts first. */
  phones: string[];
  /** The groups that they are in. */
  groups: string[];
}

export interface SourceGroup {
  key: string;
  name: string;
  /** The key of its type; empty without types. */
  type: string;
  count: number | null;
}

export interface SourceGroupType {
  key: string;
  name: string;
}

export interface SourceChanges {
  /**
   * Everybody is in `contacts`, and anybody missing has left. Otherwise only those who changed, and `gone`.
   */
  isWhole: boolean;
  contacts: SourceContact[];
  gone: string[];
  /** Mark to continue from the next time; null if only everybody can be requested. */
  mark: string | null;
}

export interface ContactSource {
  /** Signs in; returns whose account it is. */
  check(): Promise<string>;
  groupTypes(): Promise<SourceGroupType[]>;
  groups(): Promise<SourceGroup[]>;
  contacts(
    group: string,
    page: { page: number; size: number; search: string },
  ): Promise<{ contacts: SourceContact[]; total: number }>;
  /** Without a mark: everybody. */
  changesSince(mark: string | null): Promise<SourceChanges>;
}

/**
 * login: the name, the password or the permission is no longer valid. The others describe a problem with the
 * connection.
 */
type SourceProblem = 'login' | 'certificate' | 'down' | 'private' | 'odd';

/** Its message is for the user who connects the system: what is wrong, never what was sent. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly problem: SourceProblem;
  constructor(problem: SourceProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

export const sourceProblems = {
  login: (host: string) => new SourceError('login', `${host} didn’t accept the user name or password.`),
  permission: (host: string) =>
    new SourceError('login', `${host} no longer lets Muster in. Connect it again.`),
  certificate: (host: string) =>
    new SourceError('certificate', `The certificate of ${host} can’t be trusted, so no password was sent.`),
  down: (host: string) => new SourceError('down', `${host} doesn’t answer. Try again in a few minutes.`),
  unknown: (host: string) => new SourceError('down', `There is no ${host}. Is the address right?`),
  private: (host: string) =>
    new SourceError('private', `${host} is in a private network. Ask whoever runs Muster to allow it.`),
  notSafe: (host: string, scheme: string) =>
    new SourceError('private', `The address of ${host} has to begin with ${scheme}.`),
  odd: (host: string) => new SourceError('odd', `${host} gave an answer that Muster doesn’t understand.`),
  tooLarge: (host: string) => new SourceError('odd', `${host} sent more than Muster can read.`),
  failed: (name: string) =>
    new SourceError('odd', `Something went wrong in the sync with ${name}. Muster will try again.`),
  tooMany: (host: string) => new SourceError('odd', `${host} has more people than an integration can hold.`),
} as const;

/** Number of people in each group. */
export function countGroups(people: readonly SourceContact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { groups } of people)
    for (const key of new Set(groups)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** A page of those who are in a group and whose name or phone contains the searched text. */
function pageOf(
  everybody: SourceContact[],
  group: string,
  { page, size, search }: { page: number; size: number; search: string },
): { contacts: SourceContact[]; total: number } {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = everybody.filter(
    ({ groups, firstName, lastName, phones }) =>
      groups.includes(group) &&
      words.every((word) => `${firstName} ${lastName} ${phones.join(' ')}`.toLowerCase().includes(word)),
  );
  found.sort(
    (a, b) => a.lastName.localeCompare(b.lastName, 'en') || a.firstName.localeCompare(b.firstName, 'en'),
  );
  return { contacts: found.slice((page - 1) * size, page * size), total: found.length };
}

/** Time that people who were read for one page are cached for the next. */
const rememberedMs = 60_000;

/** The rest of a source that can only return everybody. */
export function wholeSource(source: {
  check(): Promise<string>;
  groupTypes?: () => Promise<SourceGroupType[]>;
  groups(): Promise<SourceGroup[]>;
  changesSince(mark: string | null): Promise<SourceChanges>;
}): ContactSource {
  let remembered: Promise<SourceContact[]> | undefined;
  const everybody = () => {
    if (remembered === undefined) {
      const contacts = source.changesSince(null).then((all) => all.contacts);
      const forget = () => {
        if (remembered === contacts) remembered = undefined;
      };
      contacts.then(() => setTimeout(forget, rememberedMs).unref(), forget);
      remembered = contacts;
    }
    return remembered;
  };
  return {
    check: source.check,
    groupTypes: source.groupTypes ?? (async () => []),
    groups: source.groups,
    contacts: async (group, page) => pageOf(await everybody(), group, page),
    changesSince: source.changesSince,
  };
}
