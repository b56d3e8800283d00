import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type CapabilityName, can, capabilityNames, type Who } from '../../contract/permissions.ts';

/**
 * Walks every page behind sign-in as every kind of person. Content and actions are refused by the server,
 * which server/access/access-walk.test.ts tests. This tests which pages open, and that no link leads to one
 * that doesn't.
 */
const web = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(web, path), 'utf8');

/** One of these is enough. */
type Gate = CapabilityName[];

/**
 * The capabilities that `<OnlyFor>` asks for in a file. Of a list one is enough; where it depends on the address, all
 * are asked for here.
 */
function gatesIn(source: string): Gate[] {
  return [...source.matchAll(/<OnlyFor capability=(?:"(\w+)"|\{([^}]+)\})/g)].flatMap(
    ([, name = '', choice = '']) => {
      const names = [name, ...namesIn(choice)].filter(isCapability);
      return choice.startsWith('[') ? [names] : names.map((each) => [each]);
    },
  );
}

const namesIn = (source: string) => [...source.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);

function isCapability(name: string): name is CapabilityName {
  return (capabilityNames as string[]).includes(name);
}

/** The route's file, the layouts around it, and the page that it shows. */
function sourcesOf(file: string): string[] {
  const source = read(file);
  const pages = [...source.matchAll(/from '(\.[^']+-page\.tsx)'/g)].map(([, path = '']) =>
    read(join(dirname(file), path)),
  );
  const layout = `${dirname(file)}.tsx`;
  return [source, ...pages, ...(existsSync(join(web, layout)) ? sourcesOf(layout) : [])];
}

/** By address. A page that only leads on to another has none of its own. */
const pages = Object.fromEntries(
  globSync('routes/_app/**/*.tsx', { cwd: web })
    .filter((file) => !/\bredirect\(/.test(read(file)))
    .map((file) => {
      const [, address = ''] = /createFileRoute\('\/_app([^']*)'\)/.exec(read(file)) ?? [];
      const path = address
        .replace(/\/_\w+/g, '')
        .replace(/_(?=\/|$)/g, '')
        .replace(/\/$/, '');
      return [path, sourcesOf(file).flatMap(gatesIn)];
    }),
);

interface Way {
  to: string;
  gate: Gate | undefined;
}

/** The links of a navigation: those who lack the capability don't see one. */
function waysIn(file: string, pattern: RegExp): Way[] {
  return [...read(file).matchAll(pattern)].map(({ groups = {} }) => ({
    to: groups.to ?? '',
    gate: groups.capability === undefined ? undefined : namesIn(groups.capability).filter(isCapability),
  }));
}

const ways = [
  ...waysIn('shell/places.ts', /\bto: '(?<to>[^']+)',[^}]*?capability: (?<capability>'\w+')/g),
  ...waysIn(
    'settings/settings-tabs.tsx',
    /\{ to: '(?<to>[^']+)'[^}]*?(?:capability: (?<capability>'\w+'|\[[^\]]+\]) )?\}/g,
  ),
  ...waysIn(
    'reports/report-frame.tsx',
    /^ {2}'?(?<to>[\w-]+)'?: \{ label: .*capability: (?<capability>'\w+')/gm,
  ).map(({ to, ...way }) => ({ ...way, to: `/reports/${to}` })),
];

/** Every role with every flag that the table of capabilities asks for. */
function* everybody(): Generator<Who> {
  const flags = 11;
  for (const role of ['owner', 'admin', 'user']) {
    for (const AccountTypeID of [0, 1]) {
      for (let bits = 0; bits < 2 ** flags; bits += 1) {
        const is = (flag: number) => (bits & (2 ** flag)) !== 0;
        yield {
          user: {
            IsMasterUser: role === 'owner',
            IsAccountAdmin: role === 'admin',
            IsActive: true,
            CanCreateBroadcast: is(0),
            Permissions: { CanSeeAllBroadcasts: is(1), CanSeeAllRoster: is(1), CanSeeGroupAudio: is(1) },
            Features: is(2) ? ['DripCampaignsBeta', 'PromotionalTextMessaging', 'LabsUser'] : [],
            HasTextNumberAssigned: is(3),
          },
          account: {
            AccountTypeID,
            IsFreeTrial: is(4),
            CountryID: is(5) ? 1 : 3,
            maySend: is(6),
            VoiceAllowed: is(7),
            IsApiAuthorized: is(8),
            InvoiceSelfService: is(9),
            hasCardOnFile: is(9),
            EmergenciesByEveryone: is(10),
          },
          hasRegisteredUsNumber: is(3),
        };
      }
    }
  }
}

it('a page is opened by a capability, or knowingly by everybody', () => {
  const open = Object.entries(pages)
    .filter(([, gates]) => gates.length === 0)
    .map(([path]) => path);
  expect(open.sort()).toEqual([
    '/$',
    '/broadcast-details/$broadcastId',
    '/broadcast-details/$broadcastId/$sub',
    '/broadcast-details/$broadcastId/recipients/$recipientId',
    '/broadcast-details/$broadcastId/reply-groups',
    '/broadcast-details/$broadcastId/text-replies',
    '/broadcast-details/$broadcastId/text-replies/$conversationId',
    '/broadcasts',
    '/contacts',
    '/contacts/contact/$personId',
    '/contacts/group/$listId',
    '/contacts/import',
    '/contacts/import/$fileId',
    '/contacts/paste',
    '/home',
    // Without a text number it says whom to ask for one.
    '/inbox',
    '/inbox/$conversationId',
    '/inbox/scheduled-conversations',
    // Whoever isn't an owner is told to ask one.
    '/local-number-registration',
    '/message-library/audio/{-$view}',
    '/message-library/text/{-$view}',
    '/reports/opt-out-report',
    '/reports/phone-number-history',
    '/settings',
    '/settings/profile',
    '/settings/security',
    '/settings/text',
    '/text-setup',
    '/upgrade/purchase-complete',
    '/upgrade/text-registration',
  ]);
});

it('nobody is led to a page that doesn’t open, and no page that opens is hidden', () => {
  expect(ways.length).toBeGreaterThan(25);
  const wrong = new Set<string>();
  for (const who of everybody()) {
    const passes = (gate: Gate) => gate.some((name) => can(name, who));
    for (const { to, gate } of ways) {
      const isShown = gate === undefined || passes(gate);
      const gates = pages[to] ?? [];
      const opens = gates.every(passes);
      if (isShown && !opens) wrong.add(`${to} is shown and doesn’t open`);
      if (!isShown && opens && gates.length > 0) wrong.add(`${to} opens and isn’t shown`);
    }
  }
  expect([...wrong]).toEqual([]);
});
