/** Subscribes this browser to push, so that notifications arrive while no page is open. */

import {
  addPushToken,
  deletePushToken,
  listNotifications,
} from '../../contract/addresses/notifications.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { callApi } from '../api.ts';
import { firebaseToken } from './firebase-token.ts';
import { pushKey } from './notice-choice.ts';

type Push = Reply<typeof listNotifications>['Push'];

interface Kept {
  UserID: number;
  PushTokenID: number;
  /** Identifies the subscription. A new one must be sent to the server. */
  endpoint: string;
}

function readKept(): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(pushKey) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in globalThis;

/** Installs the service worker, which also shows the notifications of open pages. Undefined where unsupported. */
export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  await navigator.serviceWorker.register('/service-worker.js');
  return navigator.serviceWorker.ready;
}

/**
 * Subscribes, or makes sure that the server knows the current subscription. Resolves to whether notifications work
 * while no page is open, because some browsers and networks have no push service.
 */
export async function subscribe(userId: number): Promise<boolean> {
  const worker = await findWorker();
  if (!worker || !canPush()) return false;
  try {
    const { Push } = await callApi(listNotifications, { query: { pagesize: 1 } }, { missing: 'refuse' });
    const subscription = await subscriptionFor(worker, Push);
    const { endpoint } = subscription;
    const kept = readKept();
    const isKnown = kept !== undefined && Push.PushTokenIDs.includes(kept.PushTokenID);
    if (isKnown && kept.UserID === userId && kept.endpoint === endpoint) return true;
    const Token =
      Push.Provider === 'Firebase'
        ? await firebaseToken(subscription, Push)
        : JSON.stringify(subscription.toJSON());
    const body = { Token, Provider: Push.Provider };
    const { PushTokenID } = await callApi(addPushToken, { body }, { missing: 'refuse' });
    localStorage.setItem(pushKey, JSON.stringify({ UserID: userId, PushTokenID, endpoint } satisfies Kept));
    return true;
  } catch {
    return false;
  }
}

/** The browser's subscription, renewed if it was made for another server key. */
async function subscriptionFor(worker: ServiceWorkerRegistration, push: Push): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: push.PublicKey };
  try {
    return await worker.pushManager.subscribe(options);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  }
}

/**
 * Unsubscribes at the server first. The other way round, the server would keep pushing until the push service refused.
 */
export async function unsubscribe(): Promise<void> {
  const kept = readKept();
  localStorage.removeItem(pushKey);
  // A missing subscription is already gone, which is what we want.
  if (kept) await callApi(deletePushToken, { params: { PushTokenID: kept.PushTokenID } });
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}
