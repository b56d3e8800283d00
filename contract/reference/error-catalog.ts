import { accessDenied } from '../errors.ts';
import { deniedConversations, ownersAndAdmins, ownersOnly } from '../permissions.ts';
import { noTextNumbersTitle } from '../states/conversation-state.ts';
import { confirmConsent, fileNotProcessed, noFileProvided } from '../uploads/file-name.ts';
import { unsupportedConversationImage, unsupportedImage } from '../uploads/image.ts';
import { connectivity, somethingWrong } from './outage-sentences.ts';

/** The messages of the screen after a failure, keyed by the action that failed. */
export const errorCatalog = {
  unknown: 'Unknown error',
  missingUpload: noFileProvided,
  upload: fileNotProcessed,
  uploadConsent: confirmConsent,
  somethingWrong,
  network:
    'An unknown network error occurred. Please verify that you have an internet connection and try again.',
  connectivity,
  accessDenied,
  ownersOnly,
  ownersAndAdminsOnly: ownersAndAdmins,
  conversationsDenied: deniedConversations,
  noTextNumbers: noTextNumbersTitle,

  // Accounts and users
  onboardingProgress: 'There was an error updating your onboarding progress.',
  account: 'There was an error getting your account information.',
  information: 'There was an error getting your information.',
  accountUsers: "There was an error getting your account's users.",
  userTags: 'There was an error getting the tags assigned to the user.',
  signInToLabs: 'There was an error signing you in to Labs.',
  signOut: 'There was an error signing you out.',
  groupCode: 'The group code is not valid.',
  userInfo: 'There was an error getting your user info.',
  resetSession: 'There was an error resetting the session.',
  updatePassword: 'There was an error updating your password.',
  updateUserInfo: 'There was an error updating your user info.',
  saveImage: 'There was an error saving your image.',
  deleteImage: 'There was an error deleting your image.',
  signature: 'There was an error adding, getting or updating your signature',
  verifyPhone: 'There was an error verifying your phone number.',
  unregisteredLocalNumber: 'There was an error getting an unregistered local number.',

  // Conversations
  sendConversation: 'There was an error sending your conversation.',
  sendMessage: 'There was an error sending your message.',
  sendMessageInternal: 'Something went wrong when sending your message',
  closeConversation: 'There was an error closing your conversation.',
  startConversation: 'There was an error starting your conversation.',
  getConversation: 'There was an error getting your conversation.',
  getConversations: 'There was an error getting your conversations.',
  viewConversation: 'There was an error viewing your conversation.',
  nextConversation: 'There was an error getting your next conversation.',
  newConversation: 'There was an error receiving your new conversation.',
  pasteContacts: 'There was an error pasting your contacts.',
  textNumbers: 'There was an error getting your text numbers.',
  autoReply: 'There was an error updating your auto reply.',
  shortUrls: 'There was an error checking for short urls.',
  addImage: 'There was an error adding your image.',
  imageFormat: unsupportedConversationImage,
  addContact: 'There was an error adding your contact.',
  addContacts: 'There was an error adding your contacts.',

  // Billing
  creditCard: 'There was an error getting your credit card info.',
  purchase: 'There was a problem with your purchase.',
  upgrade: 'There was a problem upgrading your account.',
  payInvoice: 'There was a problem paying your invoice.',
  updateAccount: 'There was a problem updating your account.',
  createInvoice: 'There was an error creating the invoice. Try again.',
  invoicePreview: 'There was an error getting the preview for the invoice. Try again.',
  invoiceAddress: 'Please add an invoice billing address.',
  chargePreview: 'There was an error getting your preview. Please try again.',
  resendInvoice: 'There was an error trying to resend the invoice. Please try again.',
  defaultPayAsYouGoPricing: 'There was a problem getting the default pay-as-you-go pricing.',
  defaultMonthlyPricing: 'There was a problem getting the default monthly pricing.',
  defaultUnlimitedConversationsPricing:
    'There was a problem getting the default unlimited conversations pricing.',
  userPayAsYouGoPricing: 'There was a problem getting the user pay-as-you-go pricing.',
  userMonthlyPricing: 'There was a problem getting the user monthly pricing.',
  userUnlimitedConversationsPricing: 'There was a problem getting the user unlimited conversations pricing.',

  // Broadcasts and drip campaigns
  getBroadcasts: 'There was an error getting your broadcasts.',
  createBroadcast: 'There was an error creating your broadcast',
  createBroadcastTimedOut:
    'The connection timed out. However, the broadcast may have been created successfully. Please check the home page before trying again.',
  textNumberBlocked: "This text number is blocked. We're working to resolve this for you...",
  editNotEnoughCredits: 'Unable to modify broadcast. Not enough credits to send message.',
  recipientSummary: 'There was an error retrieving your Recipient summary.',
  startDate: 'There was an error validating your start date.',
  getDraft: 'There was an error getting your draft broadcast.',
  startDraft: 'There was an error starting your draft broadcast.',
  updateDraft: 'There was an error updating your draft broadcast.',
  createDrip: 'There was an error creating your drip campaign.',
  startDrip: 'There was an error starting your draft drip campaign.',
  getDrip: 'There was an error getting your draft drip campaign.',
  updateDrip: 'There was an error updating your draft drip campaign.',
  dripRecipients: 'There was an error retrieving your draft drip campaign recipients summary.',
  dripCredits: 'There was an error getting the credits calculation for this drip campaign.',

  // Integrations and registration
  connectIntegration: 'There was a problem connecting to your integration.',
  removeIntegration: 'There was an error removing this integration.',
  campaignDetails: 'Failed to fetch campaign details.',
  resendEmail: 'We were unable to resend the email.',
  resendText: 'We were unable to resend the text message.',
  website: 'There was an error validating your website',
  websiteResponse: 'Unexpected website validation response.',
  registrationExists: 'A registration request already exists for this account.',
  registrationNetwork: 'A network error occurred. Please try again later.',
} as const;

/** The message of the screen after a resend. */
export const successMessages = {
  resendEmail: 'Email has been resent.',
  resendText: 'Text message has been resent.',
} as const;

/** The generic sentences of lists and single things. */
export const genericError = {
  getting: (plural: string) => `There was an error getting your ${plural}.`,
  adding: (singular: string) => `There was an error adding your ${singular}.`,
  updating: (singular: string) => `There was an error updating your ${singular}.`,
  deleting: (singular: string) => `There was an error deleting your ${singular}.`,
  undoing: (thing: string) => `There was an error undoing the change to your ${thing}`,
  /** Ours from "the" on: the specification's sentence is cut off. */
  contactExists: (group: string) => `Contact already exists in the ${group} group.`,
  integrationLogin: (integration: string) =>
    `There was an error logging into your ${integration} account. Please check any information you provided and try again.`,
} as const;

/** The part of an error reply that the functions below need. */
export interface FailedReply {
  status?: number;
  name?: string;
  body?: {
    ErrorCode?: number;
    ErrorType?: 'Display' | 'Informational' | 'Unknown';
    Message?: string;
    ExtendedData?: unknown;
  };
}

/** For POST: bodies with ErrorType Display or Informational show their Message; otherwise the generic text. */
export function shownMessage(reply: FailedReply, generic: string): string {
  const { ErrorType, Message } = reply.body ?? {};
  return (ErrorType === 'Display' || ErrorType === 'Informational') && Message ? Message : generic;
}

/** Sending a message: ExtendedData if present; servers are never mentioned. */
export function sendMessageError(reply: FailedReply): string {
  if (reply.body?.Message === 'Internal Server Error') return errorCatalog.sendMessageInternal;
  const extended = reply.body?.ExtendedData;
  return typeof extended === 'string' && extended !== ''
    ? extended
    : shownMessage(reply, errorCatalog.sendMessage);
}

/** Pictures: the server's short refusal becomes one that says what to do, shown in a dialog. */
export function imageError(message: string | undefined): { message: string; inDialog: boolean } {
  return message === unsupportedImage
    ? { message: errorCatalog.imageFormat, inDialog: true }
    : { message: errorCatalog.addImage, inDialog: false };
}

/**
 * Creating a broadcast: where the failure goes and what it says. No status means that there was no answer.
 * Nothing here may suggest to try again blindly after a time-out: the broadcast may be under way.
 */
export function createBroadcastError(
  reply: FailedReply,
):
  | { show: 'message'; message: string }
  | { show: 'more-credits' }
  | { show: 'blocked-number'; message: string } {
  if (reply.status === undefined) return { show: 'message', message: errorCatalog.network };
  if (reply.body?.ErrorCode === 4100) return { show: 'more-credits' };
  if (reply.status === 504) return { show: 'message', message: errorCatalog.createBroadcastTimedOut };
  if (reply.name === 'TextNumberBlocked')
    return { show: 'blocked-number', message: errorCatalog.textNumberBlocked };
  const isUnknown = reply.body?.ErrorType === 'Unknown';
  return {
    show: 'message',
    message: (!isUnknown && reply.body?.Message) || errorCatalog.createBroadcast,
  };
}

/** The invoice preview: a missing address (ID 0) is something the person can fix. */
export function invoicePreviewError(message: string | undefined): string {
  const isAddress = message !== undefined && /invoice address id\D{0,20}0\b/i.test(message);
  return isAddress ? errorCatalog.invoiceAddress : errorCatalog.invoicePreview;
}
