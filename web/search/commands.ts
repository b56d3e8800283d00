import type { LinkProps } from '@tanstack/react-router';
import {
  CirclePlus,
  Coins,
  FileUp,
  Hash,
  ListTree,
  type LucideIcon,
  Megaphone,
  PanelTop,
  Siren,
  SquarePen,
} from 'lucide-react';
import type { CapabilityName } from '../../contract/permissions.ts';
import { say } from '../ui/say.ts';

/** A page or an action that is found by its words. */
export interface Command {
  label: string;
  /** Other words that people would look for. */
  words: string;
  to: NonNullable<LinkProps['to']>;
  search?: { compose: true } | { open: 'credits' };
  icon: LucideIcon;
  /** Users without this capability don't see it. One of several is enough. */
  capability: CapabilityName | readonly CapabilityName[];
}

/** True if a user without these capabilities sees it. */
export function isAllowed({ capability }: Pick<Command, 'capability'>, denied: Denied): boolean {
  return [capability].flat().some((name) => denied[name] === undefined);
}
type Denied = Partial<Record<CapabilityName, string>>;

/** Things to do, in the order in which they are offered before anything is typed. */
export const actions: readonly Command[] = [
  {
    label: 'New broadcast',
    words: 'create send message text call survey everybody announcement',
    to: '/broadcasts/create',
    icon: Megaphone,
    capability: 'createTextBroadcast',
  },
  {
    label: 'New text',
    words: 'write compose send message conversation',
    to: '/inbox',
    search: { compose: true },
    icon: SquarePen,
    capability: 'createConversation',
  },
  {
    label: 'Import contacts',
    words: 'upload add people file csv excel spreadsheet',
    to: '/contacts/import',
    icon: FileUp,
    capability: 'manageOwnContacts',
  },
  {
    label: 'Paste contacts',
    words: 'add people copy list',
    to: '/contacts/paste',
    icon: CirclePlus,
    capability: 'manageOwnContacts',
  },
  {
    label: 'New drip campaign',
    words: 'create sequence series steps',
    to: '/drip-campaigns/new',
    icon: ListTree,
    capability: 'createDripCampaign',
  },
  {
    label: 'Get a text number',
    words: 'buy order local toll-free phone area code',
    to: '/get-registered-number',
    icon: Hash,
    capability: 'buyLocalNumber',
  },
  {
    label: 'Buy credits',
    words: 'purchase pay card top up more',
    to: '/settings/billing',
    search: { open: 'credits' },
    icon: Coins,
    capability: 'buyCredits',
  },
  {
    label: 'Start an emergency',
    words: 'alert lockdown closed weather drill urgent',
    to: '/emergency',
    icon: Siren,
    capability: 'startEmergency',
  },
];

const page = (
  label: string,
  words: string,
  to: Command['to'],
  capability: Command['capability'],
): Command => ({
  label,
  words,
  to,
  icon: PanelTop,
  capability,
});

export const pages: readonly Command[] = [
  page(say('Home'), 'start dashboard', '/home', 'useMuster'),
  page(say('Inbox'), 'conversations replies texts messages', '/inbox', 'seeTextNumbers'),
  page(say('Broadcasts'), 'sent scheduled results drafts', '/broadcasts', 'seeBroadcasts'),
  page(say('Contacts'), 'people groups segments', '/contacts', 'manageOwnContacts'),
  page('Duplicate contacts', 'merge same twice', '/contacts/duplicates', 'manageOwnContacts'),
  page('Drip campaigns', 'sequences series', '/drip-campaigns', 'openDripCampaigns'),
  page(
    'Saved texts',
    'message library templates canned',
    '/message-library/text/{-$view}',
    'useMessageLibrary',
  ),
  page(
    'Audio library',
    'recordings voice messages mp3',
    '/message-library/audio/{-$view}',
    'useMessageLibrary',
  ),
  page(
    'Scheduled texts',
    'later planned conversations waiting',
    '/inbox/scheduled-conversations',
    'seeTextNumbers',
  ),
  page('Usage summary', 'reports sent used credits by day', '/reports/usage-summary', 'seeUsageSummary'),
  page(say('Delivery'), 'reports arrived failed carrier errors', '/reports/delivery', 'seeDelivery'),
  page('Credit balance', 'reports credits left spent', '/reports/credit-balance', 'seeCreditBalance'),
  page('Billing history', 'reports payments charges paid', '/reports/billing-history', 'seeBillingHistory'),
  page(say('Invoices'), 'reports bills receipts pdf', '/reports/invoices', 'seeInvoices'),
  page(
    'Promotional opt-in',
    'reports consent marketing agreed',
    '/reports/promotional-opt-in',
    'seePromotionalOptIn',
  ),
  page('Opt-out report', 'stop unsubscribed reports', '/reports/opt-out-report', 'seeOptOutReport'),
  page('Text activity', 'reports sent received chart', '/reports/text-activity', 'seeTextActivity'),
  page(
    'Phone number history',
    'reports one phone consent timeline',
    '/reports/phone-number-history',
    'seePhoneNumberHistory',
  ),
  page(
    'Profile settings',
    'my name password picture theme notifications',
    '/settings/profile',
    'editOwnProfile',
  ),
  page(
    'Account settings',
    'organization company time zone quiet hours',
    '/settings/account',
    'editAccountSettings',
  ),
  page('Text settings', 'numbers signature keywords auto replies', '/settings/text', 'editOwnProfile'),
  page('Voice settings', 'caller id calling window lines retries', '/settings/voice', [
    'createVoiceBroadcast',
    'editVoiceSettings',
  ]),
  page(
    'Emergency settings',
    'prepared messages groups drill who may start',
    '/settings/emergency',
    'editAccountSettings',
  ),
  page(say('Users'), 'team invite roles permissions members', '/settings/users', 'manageUsers'),
  page(
    say('Security'),
    'second factor passkey signed in devices single sign-on',
    '/settings/security',
    'editOwnProfile',
  ),
  page(say('Billing'), 'settings plan subscription card buy credits', '/settings/billing', 'viewBilling'),
  page(say('Developers'), 'settings api keys programs zapier', '/settings/developers', 'manageApiKeys'),
  page(say('Webhooks'), 'settings events addresses programs', '/settings/webhooks', 'manageWebhooks'),
  page(
    say('Integrations'),
    'settings automation connect sync google planning center directory',
    '/automation',
    'manageIntegrations',
  ),
  page('Audit log', 'who changed what history', '/settings/audit-log', 'seeAuditLog'),
];

/**
 * Those whose name or other words have every word that was typed; names that begin with it first. If there are none,
 * those that have words like them.
 */
export function findCommands(commands: readonly Command[], q: string): Command[] {
  const typed = withoutAccents(q);
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const isLike = (command: Command) =>
    words.every((word) =>
      allOf(command)
        .split(' ')
        .some((known) => known.includes(word) || isMisspelled(word, known)),
    );
  const rank = ({ label }: Command) => {
    const name = withoutAccents(label);
    if (name.startsWith(typed)) return 0;
    return name.includes(typed) ? 1 : 2;
  };
  const found = commands.filter((command) => hasWords(command, q));
  return (found.length > 0 ? found : commands.filter(isLike)).sort((a, b) => rank(a) - rank(b));
}

const allOf = ({ label, words }: Command) => withoutAccents(`${label} ${words}`);

/** True if its name or other words have every word that was typed, spelled like that. */
export function hasWords(command: Command, q: string): boolean {
  const words = withoutAccents(q).split(/\s+/);
  return words.every((word) => allOf(command).includes(word));
}

/** As people type it who leave accents away: "configuracion". */
function withoutAccents(words: string): string {
  return words.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** One letter is missing, too many or wrong, or two are the other way round. In shorter words, anything would match. */
function isMisspelled(typed: string, known: string): boolean {
  if (typed.length < 4 || Math.abs(typed.length - known.length) > 1) return false;
  let at = 0;
  while (at < known.length && typed[at] === known[at]) at += 1;
  const rest = (word: string, skip: number) => word.slice(at + skip);
  return (
    rest(typed, 1) === rest(known, 1) ||
    rest(typed, 1) === rest(known, 0) ||
    rest(typed, 0) === rest(known, 1) ||
    (typed[at] === known[at + 1] && typed[at + 1] === known[at] && rest(typed, 2) === rest(known, 2))
  );
}

/** "New broadcast to Grade 5": the words after "to". Undefined for any other search. */
export function readRecipient(q: string): string | undefined {
  const english =
    /^(?:new\s+|start\s+|send\s+)?(?:a\s+)?(?:broadcast|text|message|announcement)\s+to\s+(\S.*)$/i;
  const spanish =
    /^(?:nuev[ao]\s+|enviar\s+)?(?:una?\s+)?(?:difusi[oó]n|mensaje|aviso)\s+(?:nuev[ao]\s+)?(?:a|para)\s+(\S.*)$/i;
  return (english.exec(q) ?? spanish.exec(q))?.[1];
}
