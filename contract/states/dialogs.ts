import { machine } from './machine.ts';

/**
 * File upload dialog steps: SELECT, METADATA, PROCESS, REVIEW, EDIT, SAVING, VIEW, IMPORT. A file is chosen,
 * its columns are named, it is read, its rows are shown and can be fixed, and it is imported; a failure at
 * any step leads back to where it can be fixed.
 */
export type FileUploadStep =
  | 'SELECT'
  | 'METADATA'
  | 'PROCESS'
  | 'REVIEW'
  | 'EDIT'
  | 'SAVING'
  | 'VIEW'
  | 'IMPORT';
export type FileUploadEvent =
  | 'uploaded'
  | 'columns named'
  | 'processed'
  | 'edit'
  | 'save'
  | 'saved'
  | 'view'
  | 'import'
  | 'back'
  | 'fail';

export const fileUploadDialog = machine<FileUploadStep, FileUploadEvent>({
  initial: 'SELECT',
  transitions: {
    SELECT: { uploaded: 'METADATA' },
    METADATA: { 'columns named': 'PROCESS', back: 'SELECT', fail: 'SELECT' },
    PROCESS: { processed: 'REVIEW', fail: 'METADATA' },
    REVIEW: { edit: 'EDIT', view: 'VIEW', import: 'IMPORT', back: 'METADATA' },
    EDIT: { save: 'SAVING', back: 'REVIEW' },
    SAVING: { saved: 'REVIEW', fail: 'EDIT' },
    VIEW: { back: 'REVIEW', import: 'IMPORT' },
    IMPORT: { fail: 'REVIEW' },
  },
});

/** More-credits dialog steps: select, then calculate. */
export const moreCreditsDialog = machine<'select' | 'calculate', 'calculate' | 'back'>({
  initial: 'select',
  transitions: { select: { calculate: 'calculate' }, calculate: { back: 'select' } },
});

/** Paste contacts: PASTE to PARSE to REVIEW to EDIT to IMPORT, then VIEW to COMPLETE. COMPLETE stays. */
export type PasteStep = 'PASTE' | 'PARSE' | 'REVIEW' | 'EDIT' | 'IMPORT' | 'VIEW' | 'COMPLETE';

export const pasteContactsDialog = machine<PasteStep, 'next' | 'back' | 'skip edit' | 'fail'>({
  initial: 'PASTE',
  transitions: {
    PASTE: { next: 'PARSE' },
    PARSE: { next: 'REVIEW', fail: 'PASTE' },
    /** Nothing to fix: straight to the import. */
    REVIEW: { next: 'EDIT', 'skip edit': 'IMPORT', back: 'PASTE' },
    EDIT: { next: 'IMPORT', back: 'REVIEW' },
    IMPORT: { next: 'VIEW', fail: 'REVIEW' },
    VIEW: { next: 'COMPLETE' },
    COMPLETE: {},
  },
});

/** A simpler variant is paste, import, complete. */
export const simplePasteDialog = machine<'paste' | 'import' | 'complete', 'next' | 'fail'>({
  initial: 'paste',
  transitions: { paste: { next: 'import' }, import: { next: 'complete', fail: 'paste' }, complete: {} },
});

/** Integration connect: request, then either a redirect opening in a new window or dialog, or a success dialog. */
export type IntegrationConnectState = 'request' | 'new window' | 'dialog' | 'success' | 'failed';

export const integrationConnect = machine<
  IntegrationConnectState,
  'open window' | 'open dialog' | 'connected' | 'fail' | 'again'
>({
  initial: 'request',
  transitions: {
    request: { 'open window': 'new window', 'open dialog': 'dialog', connected: 'success', fail: 'failed' },
    'new window': { connected: 'success', fail: 'failed', again: 'request' },
    dialog: { connected: 'success', fail: 'failed', again: 'request' },
    success: {},
    failed: { again: 'request' },
  },
});

export interface LoginInstructions {
  RedirectUrl?: string | null;
  ShowInNewWindow?: boolean;
}

/** The event for the reply to a connect request. */
export function connectEvent({
  RedirectUrl,
  ShowInNewWindow,
}: LoginInstructions): 'open window' | 'open dialog' | 'connected' {
  if (!RedirectUrl) return 'connected';
  return ShowInNewWindow ? 'open window' : 'open dialog';
}

/** Scheduled conversation: can be sent now or canceled, while it waits. */
export const scheduledConversation = machine<
  'scheduled' | 'sending' | 'sent' | 'canceled' | 'failed',
  'send now' | 'due' | 'cancel' | 'sent' | 'fail'
>({
  initial: 'scheduled',
  transitions: {
    scheduled: { 'send now': 'sending', due: 'sending', cancel: 'canceled' },
    sending: { sent: 'sent', fail: 'failed' },
    failed: { 'send now': 'sending', cancel: 'canceled' },
    sent: {},
    canceled: {},
  },
});
