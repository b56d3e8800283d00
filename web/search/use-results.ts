import { useNavigate } from '@tanstack/react-router';
import {
  AudioLines,
  FilePen,
  FolderClosed,
  ListTree,
  type LucideIcon,
  Megaphone,
  MessageSquareText,
  Repeat,
  SquarePen,
  UserRound,
} from 'lucide-react';
import { searchEverything } from '../../contract/addresses/search.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import type { Found, FoundKind } from '../../contract/search.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useTimeZone, useUser } from '../queries/current-user.ts';
import { useStartBroadcast } from '../queries/start-broadcast.ts';
import { countOf, formatDate } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import {
  actions,
  type Command,
  findCommands,
  hasWords,
  isAllowed,
  pages,
  readRecipient,
} from './commands.ts';
import { noteRecent, type Recent, readRecent } from './recent.ts';

export interface Result {
  key: string;
  label: string;
  /** A phone, a date, how many. */
  detail: string;
  icon: LucideIcon;
  run: () => void;
}

interface Section {
  title: string;
  results: Result[];
}

const kinds: Record<FoundKind, { title: string; icon: LucideIcon }> = {
  Person: { title: 'People', icon: UserRound },
  Group: { title: 'Groups', icon: FolderClosed },
  Draft: { title: 'Drafts', icon: FilePen },
  Broadcast: { title: 'Broadcasts', icon: Megaphone },
  RepeatingBroadcast: { title: 'Repeating broadcasts', icon: Repeat },
  Template: { title: 'Saved texts', icon: MessageSquareText },
  Audio: { title: 'Audio', icon: AudioLines },
  DripCampaign: { title: 'Drip campaigns', icon: ListTree },
};

/** Before anything is typed, this many pages would only be in the way. */
const mostCommands = 5;
const restsMs = 120;

/** The dialog's results for the typed words: those found by the server, and pages and actions found here. */
export function useResults(q: string, onClose: () => void) {
  const user = useUser();
  const open = useOpen(onClose);
  const navigate = useNavigate();
  const { withLists } = useStartBroadcast();
  const zone = useTimeZone();
  const denied = user?.Denied ?? {};
  const mayUse = (command: Command) => isAllowed(command, denied);
  const recipient = mayUse(actions[0] as Command) ? readRecipient(q) : undefined;
  const asked = useDebounced(recipient ?? q, restsMs);
  const search = useCallQuery(
    searchEverything,
    { query: { q: asked } },
    { enabled: asked !== '' && q !== '', keepPrevious: true },
  );
  const recent = user ? readRecent(user.UserID) : [];
  const isRecent = ({ Kind, ID }: Found) => recent.some((one) => one.Kind === Kind && one.ID === ID);
  // Similar results are only for when nothing has the words: neither the server nor a page or action.
  const isNamed = [...actions, ...pages].some((command) => mayUse(command) && hasWords(command, q));
  // Of those that were found, the ones opened lately first.
  const found = (q === '' ? [] : (search.data?.Items ?? []))
    .filter(({ IsSimilar }) => !(IsSimilar && isNamed))
    .toSorted((a, b) => Number(isRecent(b)) - Number(isRecent(a)));

  const toResult = (one: Found | Recent): Result => ({
    key: `${one.Kind} ${one.ID}`,
    label: one.Name || 'No name',
    detail: 'IsSimilar' in one ? detailOf(one, zone) : '',
    icon: kinds[one.Kind].icon,
    run: () => {
      if (user) noteRecent({ ...one, userId: user.UserID });
      void open(one);
    },
  });
  const toCommand = (command: Command): Result => ({
    key: command.label,
    label: command.label,
    detail: '',
    icon: command.icon,
    run: () => void open(command),
  });
  const toBroadcast = (group: Found): Result => ({
    key: `broadcast ${group.ID}`,
    label: `New broadcast to ${group.Name}`,
    detail: detailOf(group, zone),
    icon: Megaphone,
    run: () => {
      onClose();
      void withLists([group.ID]);
    },
  });

  const toText = (person: Found): Result => ({
    key: `text ${person.ID}`,
    label: `New text to ${person.Name || formatPhone(person.PhoneNumber ?? '')}`,
    detail: detailOf(person, zone),
    icon: SquarePen,
    run: () => {
      onClose();
      void navigate({ to: '/inbox', search: { compose: true, people: String(person.ID) } });
    },
  });

  const groups = found.filter(({ Kind }) => Kind === 'Group');
  const commands = (all: readonly Command[]) => findCommands(all.filter(mayUse), q).slice(0, mostCommands);
  const sections: Section[] = [];
  const add = (title: string, results: Result[]) => {
    if (results.length > 0) sections.push({ title, results });
  };
  if (recipient !== undefined) {
    const people = denied.createConversation === undefined ? found.filter(isTextable) : [];
    add(say('Actions'), [...groups.map(toBroadcast), ...people.map(toText)]);
  } else if (q === '') {
    add(say('Recent'), recent.map(toResult));
    add(say('Actions'), commands(actions).map(toCommand));
  } else {
    for (const [kind, { title }] of Object.entries(kinds))
      add(
        title,
        found.filter(({ Kind }) => Kind === kind).map((one) => toResult(one)),
      );
    const [group] = groups;
    const canStart = group !== undefined && mayUse(actions[0] as Command);
    add(say('Actions'), [...(canStart ? [toBroadcast(group)] : []), ...commands(actions).map(toCommand)]);
    add(say('Pages'), commands(pages).map(toCommand));
  }
  return {
    sections,
    isSearching: q !== '' && (asked !== (recipient ?? q) || search.isFetching),
    isSimilar: found.some(({ IsSimilar }) => IsSimilar),
    hasFailed: search.isError,
  };
}

const isTextable = ({ Kind, PhoneNumber }: Found) => Kind === 'Person' && PhoneNumber !== null;

function detailOf({ PhoneNumber, RosterCount, Timestamp }: Found, zone: string): string {
  if (PhoneNumber !== null) return formatPhone(PhoneNumber);
  if (RosterCount !== null) return countOf(RosterCount, 'person', 'people');
  return Timestamp === null ? '' : formatDate(Timestamp, Date.now(), zone);
}

/** Goes to what was chosen and closes the search. */
function useOpen(onClose: () => void) {
  const navigate = useNavigate();
  return (one: Pick<Found, 'Kind' | 'ID' | 'Name'> | Command) => {
    onClose();
    if (!('Kind' in one)) return navigate({ to: one.to, ...(one.search ? { search: one.search } : {}) });
    const { ID, Name: q } = one;
    switch (one.Kind) {
      case 'Person':
        return navigate({ to: '/contacts/contact/$personId', params: { personId: ID } });
      case 'Group':
        return navigate({ to: '/contacts/group/$listId', params: { listId: ID } });
      case 'Draft':
        return navigate({ to: '/broadcasts/create', search: { draft: ID } });
      case 'Broadcast':
        return navigate({ to: '/broadcast-details/$broadcastId', params: { broadcastId: ID } });
      case 'RepeatingBroadcast':
        return navigate({ to: '/broadcasts', search: { tab: 'repeating', q } });
      case 'Template':
        return navigate({ to: '/message-library/text/{-$view}', search: { q } });
      case 'Audio':
        return navigate({ to: '/message-library/audio/{-$view}', search: { q } });
      case 'DripCampaign':
        return navigate({ to: '/drip-campaigns/$sequenceId', params: { sequenceId: ID } });
    }
  };
}
