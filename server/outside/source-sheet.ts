/** A spreadsheet that is published on the web as CSV, as in Google Sheets and Excel for the web. */
import {
  type ContactSource,
  countGroups,
  type SourceContact,
  SourceError,
  sourceProblems,
  wholeSource,
} from './contact-source.ts';
import { plainSourceError, type SourceLine } from './source-line.ts';

export interface SheetLogin {
  SheetUrl: string;
}

const everyone = 'all';
/** Published sheets redirect to another host of the same company. */
const mostRedirects = 5;

export function createSheetSource(
  line: SourceLine,
  { SheetUrl }: SheetLogin,
  /** The people in the sheet, and the groups that its rows name. Throws a SourceError if it isn't a list. */
  read: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<(Omit<SourceContact, 'groups'> & { groupNames: readonly string[] })[]>,
): ContactSource {
  const address = csvAddress(SheetUrl);
  const host = URL.parse(address)?.host ?? address;

  async function load(
    mark: string | null,
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; mark: string | null } | undefined> {
    let at = address;
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      const answer = await line.fetch(at, { headers: mark === null ? {} : { 'if-none-match': mark } });
      const next = answer.headers.get('location');
      if (answer.status === 304) return undefined;
      if (answer.status >= 300 && answer.status < 400 && next !== null) {
        await answer.body?.cancel();
        at = new URL(next, at).href;
        continue;
      }
      if (answer.status === 401 || answer.status === 403)
        throw new SourceError(
          'login',
          'The sheet isn’t published. Publish it on the web as CSV and try again.',
        );
      if (answer.status !== 200)
        throw new SourceError('odd', `There is no sheet at this address of ${host}.`);
      // The rest may not come, or be too much.
      const body = await answer.arrayBuffer().catch((error) => {
        throw plainSourceError(error, host);
      });
      return { bytes: new Uint8Array(body), mark: answer.headers.get('etag') };
    }
    throw sourceProblems.odd(host);
  }

  async function everybody(bytes: Uint8Array<ArrayBuffer>): Promise<SourceContact[]> {
    const rows = await read(bytes);
    return rows.map(({ groupNames, ...row }) => ({
      ...row,
      groups: [everyone, ...groupNames.map((name) => `group:${name}`)],
    }));
  }

  return wholeSource({
    async check() {
      const loaded = await load(null);
      await everybody(loaded?.bytes ?? new Uint8Array());
      return host;
    },
    async groups() {
      const loaded = await load(null);
      const people = await everybody(loaded?.bytes ?? new Uint8Array());
      const many = countGroups(people);
      const named = [...many.keys()].filter((key) => key !== everyone).sort();
      return [
        { key: everyone, name: 'Everyone in the sheet', type: '', count: people.length },
        ...named.map((key) => ({
          key,
          name: key.slice('group:'.length),
          type: '',
          count: many.get(key) ?? 0,
        })),
      ];
    },
    async changesSince(mark) {
      const loaded = await load(mark);
      if (loaded === undefined) return { isWhole: false, contacts: [], gone: [], mark };
      return { isWhole: true, contacts: await everybody(loaded.bytes), gone: [], mark: loaded.mark };
    },
  });
}

/** The URL that people copy from the browser is that of a page; the sheet as a file has a related URL. */
function csvAddress(given: string): string {
  const text = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const edited =
    /^https:\/\/docs\.google\.com\/spreadsheets\/d\/([\w-]+)\/(?:edit|view)\b.*?(?:[#?&]gid=(\d+))?$/.exec(
      text,
    );
  if (edited === null) return text;
  return `https://docs.google.com/spreadsheets/d/${edited[1]}/export?format=csv&gid=${edited[2] ?? 0}`;
}
