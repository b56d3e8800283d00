import type { QueryClient } from '@tanstack/react-query';
import { getConversation } from '../../contract/addresses/conversations.gen.ts';
import { getTextNumber } from '../../contract/addresses/numbers.gen.ts';
import type { Event } from '../../contract/events.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { browserPermission } from '../pieces/notifications/browser-permission.ts';
import { callQuery } from '../queries/calls.ts';
import { accountQuery, fullName } from '../queries/current-user.ts';
import { gatherFor } from '../queries/gather.ts';
import { hearEvents } from '../realtime.ts';
import { say } from '../ui/say.ts';
import { noticeChoice } from './notice-choice.ts';
import { playSound } from './play-sound.ts';
import { claimIn, isConversationPath, lastOfEach, ringOf } from './ring.ts';
import { showNotice } from './show-notice.ts';

type Received = Extract<Event, { type: 'message.received' }>;

const claimsKey = 'muster-rung';
/** Long enough for the visible tab to go first. */
const hiddenWaitsMs = 200;

/** Hundreds of texts ring once a second, for the latest few; nobody could hear or read more. */
const ringMs = 1_000;
const ringsAtOnce = 3;

/** Rings for new texts until the returned function is called. */
export function startRinging(client: QueryClient, onOpen: (conversationId: number) => void): () => void {
  const rings = gatherFor<Received>(ringMs, (texts) => {
    // If a text can't be announced (another user's number, a lost connection), it still shows in the list.
    for (const text of lastOfEach(texts, ringsAtOnce)) ring(client, text, onOpen).catch(() => undefined);
  });
  const stopHearing = hearEvents((happened) => {
    if (happened.type === 'message.received') rings.add([happened]);
  });
  return () => {
    stopHearing();
    rings.stop();
  };
}

async function ring(
  client: QueryClient,
  received: Received,
  onOpen: (conversationId: number) => void,
): Promise<void> {
  const { ConversationID, TextNumberID, TextMessageID } = received;
  const [account, number] = await Promise.all([
    client.ensureQueryData(accountQuery),
    client.fetchQuery({ ...callQuery(getTextNumber, { params: { TextNumberID } }), staleTime: 300_000 }),
  ]);
  const user = account.CurrentUser;
  if (!user || !(await claim(TextMessageID))) return;
  const isInFront = document.visibilityState === 'visible' && document.hasFocus();
  const { notice, sound } = ringOf({
    isDoNotDisturb: user.BrowserNotificationsDoNotDisturb,
    number,
    isOnInBrowser: browserPermission() === 'granted' && noticeChoice(user.UserID) === 'on',
    isLookedAt: isInFront && isConversationPath(window.location.pathname, ConversationID),
  });
  if (sound) void playSound();
  if (!notice) return;
  const conversation = await client.fetchQuery(callQuery(getConversation, { params: { ConversationID } }));
  const message = conversation.LastMessage;
  await showNotice(
    {
      ConversationID,
      Title: fullName(conversation) || formatPhone(conversation.PhoneNumber),
      // If an auto reply is the latest text by now, the notification only says that they wrote.
      Body: message?.IsInbound ? message.Message || say('Picture') : 'New text',
    },
    onOpen,
  );
}

/** Only one tab rings for a text: the visible one, if there is one. */
async function claim(messageId: number): Promise<boolean> {
  if (document.visibilityState !== 'visible') await new Promise((done) => setTimeout(done, hiddenWaitsMs));
  const take = () => {
    const kept = claimIn(localStorage.getItem(claimsKey), messageId);
    if (kept !== undefined) localStorage.setItem(claimsKey, kept);
    return kept !== undefined;
  };
  // Without locks (plain http), two tabs may both ring.
  return navigator.locks ? navigator.locks.request('muster-ring', take) : take();
}
