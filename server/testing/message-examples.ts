import type { CallExamples } from './call-names.ts';
import { tomorrow } from './sent-and-paid.ts';

function later(TextNumberID: number) {
  const Contacts = [{ PrimaryPhone: '4235550102' }];
  return { TextNumberID, Contacts, TextMessage: 'For later', StartDate: tomorrow() };
}

const everyDay = { Interval: 1, IntervalFrequency: 'days' };

/** Input with which each call about conversations, libraries, broadcasts and programs succeeds. */
export const messageExamples = {
  listConversations: () => ({ query: { isDone: 'true', q: 'hello' } }),
  getConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  createConversation: ({ TextNumberID }) => ({
    body: { TextNumberID, LastMessage: { Contact: { PrimaryPhone: '4235550102' }, Message: 'Hi' } },
  }),
  previewMerge: ({ PersonID }) => ({
    body: { Contacts: [{ PersonID, PrimaryPhone: '4235550102' }], TemplateText: 'Hi {{FirstName|there}}' },
  }),
  scheduleConversation: ({ TextNumberID }) => ({ body: later(TextNumberID) }),
  listScheduledConversations: () => ({ query: { q: 'later', ended: 'false' } }),
  getScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  updateScheduledConversation: ({ ScheduledConversationID, TextNumberID }) => ({
    params: { ScheduledConversationID },
    body: later(TextNumberID),
  }),
  sendScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  cancelScheduledConversation: ({ ScheduledConversationID }) => ({ params: { ScheduledConversationID } }),
  listTemplates: () => ({ query: { q: 'hello', sortby: 'used', isfavorite: 'false' } }),
  listAudio: () => ({ query: { q: 'snow', sort: 'newest', isshared: false, unused: true } }),
  getAudioSummary: () => ({}),
  listVoices: () => ({}),
  listTransferNumbers: () => ({}),
  addTransferNumber: 'elsewhere', // calling/voice-settings.test.ts: needs a number to call from
  updateTransferNumber: ({ TransferNumberID }) => ({
    params: { TransferNumberID },
    body: { IsDefault: true },
  }),
  deleteTransferNumber: ({ TransferNumberID }) => ({ params: { TransferNumberID } }),
  listCallerIds: () => ({}),
  addCallerId: 'elsewhere', // calling/voice-settings.test.ts: the provider is asked
  deleteCallerId: ({ CallerIDID }) => ({ params: { CallerIDID } }),
  setBroadcastAudio: ({ DraftBroadcastID, AudioID }) => ({
    params: { BroadcastID: DraftBroadcastID },
    body: { AudioID },
  }),
  setBroadcastAudioVM: ({ DraftBroadcastID, AudioID }) => ({
    params: { BroadcastID: DraftBroadcastID },
    body: { AudioID },
  }),
  uploadBroadcastAudio: 'elsewhere', // calling/record-message.test.ts: takes a raw file
  uploadBroadcastAudioVM: 'elsewhere', // the same
  createRecording: () => ({ body: { PhoneNumber: '4235550143' } }),
  getRecording: ({ RecordingID }) => ({ params: { RecordingID } }),
  listRecordings: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  callForRecording: ({ RecordingID }) => ({ params: { RecordingID }, body: { PhoneNumber: '4235550143' } }),
  testCall: 'elsewhere', // calling/record-message.test.ts: needs a draft with a message
  getIvrAuthorization: 'elsewhere', // calling/phone-launch.test.ts: 404 says that the ID is free
  getPhoneLaunch: () => ({}),
  setPhoneLaunch: () => ({ body: { PhoneLaunchID: '4712', PIN: '730514' } }),
  deletePhoneLaunch: () => ({}),
  getAudio: ({ AudioID }) => ({ params: { AudioID } }),
  uploadAudio: 'elsewhere', // audio/upload-audio.test.ts: takes a raw file
  updateAudio: ({ AudioID }) => ({ params: { AudioID }, body: { Name: 'Snow day', Favorite: true } }),
  updateAudioSelection: () => ({ body: { Selection: { Type: 'SelectedAll' }, Update: { Favorite: true } } }),
  deleteAudio: ({ AudioID }) => ({ body: { Selection: { Type: 'Selected', Items: [AudioID] } } }),
  undoAudio: 'elsewhere', // audio/audio-library.test.ts: needs something to undo
  downloadAudio: 'elsewhere', // audio/upload-audio.test.ts: answers with a file
  downloadAudioSelection: 'elsewhere', // audio/audio-library.test.ts: answers with a file
  previewSpeech: () => ({ body: { Text: 'Hello everybody.', VoiceID: 'flite:kal16' } }),
  createSpeech: () => ({
    body: { Name: 'Hello', Text: 'Good evening, everybody. '.repeat(10), VoiceID: 'flite:kal16' },
  }),
  addTemplate: () => ({ body: { TemplateName: 'Welcome', TemplateText: 'Hello', Shortcut: 'hi' } }),
  updateTemplate: ({ TemplateID }) => ({ params: { TemplateID }, body: { IsFavorite: true } }),
  getTemplateSummary: () => ({}),
  listSequences: () => ({}),
  beginSequence: () => ({ body: {} }),
  getSequence: ({ SequenceID }) => ({ params: { SequenceID } }),
  updateSequence: ({ SequenceID }) => ({
    params: { SequenceID },
    body: { name: 'Tests', steps: [{ message: 'Hi' }] },
  }),
  addSequenceStep: 'elsewhere', // broadcasts/drips/add-step.test.ts
  previewSequenceStep: 'elsewhere', // broadcasts/drips/add-step.test.ts
  deleteSequence: ({ SequenceID }) => ({ params: { SequenceID } }),
  calculateSequenceCredits: 'elsewhere', // broadcasts/drips/drips.test.ts
  createSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  pauseSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  resumeSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  cancelSequence: 'elsewhere', // broadcasts/drips/drips.test.ts
  listSequenceRecipients: ({ SequenceID }) => ({ params: { SequenceID } }),
  getSequenceCourse: ({ SequenceID }) => ({ params: { SequenceID } }),
  stopSequenceRecipient: 'elsewhere', // broadcasts/drips/drips.test.ts
  getTextActivity: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  downloadTextActivity: 'elsewhere', // reports/reports.test.ts: a file
  getDelivery: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  downloadDelivery: 'elsewhere', // reports/figures.test.ts: a file
  getCreditDays: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getBillingMonths: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getInvoiceMonths: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getOptOutCounts: () => ({ query: { 'date-from': '2026-01-01', 'date-to': '2026-03-01' } }),
  getOptInCounts: () => ({ query: { 'date-from': '2026-03-01', 'date-to': '2026-03-07' } }),
  listOptIns: () => ({ query: { pagesize: '5' } }),
  downloadOptIns: 'elsewhere', // reports/money-reports.test.ts: a file
  listReportViews: () => ({}),
  createReportView: () => ({
    body: { Report: 'usage-summary', Name: 'Every week', Search: { days: '7' }, Schedule: 'weekly' },
  }),
  updateReportView: ({ ReportViewID }) => ({
    params: { ReportViewID },
    body: { Name: 'Every month', Schedule: 'monthly' },
  }),
  deleteReportView: ({ ReportViewID }) => ({ params: { ReportViewID } }),
  listPhoneHistory: () => ({ params: { Number: '4235550102' }, query: { pagesize: '5' } }),
  downloadPhoneHistory: 'elsewhere', // reports/reports.test.ts: a file
  updateTemplateSelection: ({ TemplateID }) => ({
    query: { q: 'hello' },
    body: { Selection: { Type: 'Selected', Items: [TemplateID] }, Update: { IsShared: true } },
  }),
  deleteTemplates: ({ TemplateID }) => ({
    body: { Selection: { Type: 'SelectedAllExcept', Items: [TemplateID] } },
  }),
  noteTemplateUse: ({ TemplateID }) => ({ params: { TemplateID } }),
  deleteTemplate: ({ TemplateID }) => ({ params: { TemplateID } }),
  undoTemplates: 'elsewhere', // templates/templates.test.ts: needs something to undo
  updateConversation: ({ ConversationID }) => ({ params: { ConversationID }, body: { IsDone: false } }),
  updateConversations: () => ({
    query: { isDone: 'false' },
    body: { Selection: { Type: 'SelectedAll' }, Update: { IsDone: true } },
  }),
  undoConversations: ({ UndoID }) => ({ params: { UndoID } }),
  viewConversation: ({ ConversationID }) => ({ params: { ConversationID } }),
  getConversationsSummary: () => ({}),
  listDoneToday: () => ({}),
  listTextMessages: ({ ConversationID }) => ({ params: { ConversationID } }),
  sendTextMessage: ({ ConversationID }) => ({ params: { ConversationID }, body: { Message: 'Hello again' } }),
  getTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID } }),
  resendTextMessage: ({ TextMessageID }) => ({ params: { TextMessageID }, body: {} }),
  markConversationUnread: ({ ConversationID }) => ({ params: { ConversationID } }),
  moveConversations: ({ TextNumberID }) => ({
    body: { TextNumberIDTo: TextNumberID, Selection: { Type: 'SelectedAll' } },
  }),
  getSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID } }),
  updateSignatureSetting: ({ ConversationID }) => ({ params: { ConversationID }, body: { isEnabled: true } }),
  listTags: () => ({}),
  addTag: () => ({ body: { TagName: 'Another tag', Color: 3 } }),
  updateTag: ({ TagID }) => ({ params: { TagID }, body: { TagName: 'Renamed' } }),
  deleteTag: ({ TagID }) => ({ params: { TagID } }),
  listNotes: ({ ConversationID }) => ({ params: { ConversationID } }),
  addNote: ({ ConversationID }) => ({ params: { ConversationID }, body: { Note: 'Called back' } }),
  updateNote: ({ ConversationID, NoteID }) => ({
    params: { ConversationID, NoteID },
    body: { Note: 'Called back twice' },
  }),
  deleteNote: ({ ConversationID, NoteID }) => ({ params: { ConversationID, NoteID } }),
  createDraft: () => ({ body: { BroadcastName: 'Snow day' } }),
  listDrafts: () => ({ query: { q: 'a' } }),
  getDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, query: { textmessagelength: 200 } }),
  updateDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, body: { TextMessage: 'Closed' } }),
  updateDraftType: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { BroadcastTypeDesc: 'SMS', IsTextSurvey: true },
  }),
  deleteDraft: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  listDraftContacts: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, query: { q: 'a' } }),
  addDraftContact: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { FirstName: 'Jane', PrimaryPhone: '4235550171' },
  }),
  updateDraftContact: ({ DraftBroadcastID, DraftRecipientID }) => ({
    params: { DraftBroadcastID },
    body: { RecipientID: DraftRecipientID, FirstName: 'Pat', PrimaryPhone: '4235550173' },
  }),
  removeDraftContacts: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  undoDraftContacts: 'elsewhere', // drafts/undo-removal.test.ts: needs something to undo
  addDraftNumbers: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { Items: [{ PrimaryPhone: '4235550172' }] },
  }),
  addDraftLists: ({ DraftBroadcastID, ListID }) => ({
    params: { DraftBroadcastID },
    body: { Selection: { Type: 'Selected', Items: [{ ListID }] } },
  }),
  addDraftFile: ({ DraftBroadcastID, FileID }) => ({
    params: { DraftBroadcastID },
    body: { FileID, UserIndicatedConsentDeclared: true },
  }),
  contactsToNewDraft: ({ ListID }) => ({
    params: { ListID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  contactsToDraft: ({ ListID, DraftBroadcastID }) => ({
    params: { ListID, DraftBroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  listsToNewDraft: ({ ListID }) => ({ body: { Selection: { Type: 'Selected', Items: [{ ListID }] } } }),
  getContactSummary: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  setFrequencyAside: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID }, body: { IsSetAside: true } }),
  downloadLeftOut: 'elsewhere', // drafts/add-recipients.test.ts: answers with a file
  mergeDraft: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { TemplateText: 'Hi {{FirstName}}' },
  }),
  createTemplateMerge: ({ DraftBroadcastID }) => ({ body: { DraftBroadcastID } }),
  getTemplateMerge: ({ TemplateMergeID }) => ({ params: { TemplateMergeID } }),
  listMergedMessages: ({ TemplateMergeID }) => ({
    params: { TemplateMergeID },
    query: { filter: 'all', q: 'pat' },
  }),
  updateMergedMessages: 'elsewhere', // drafts/merge-draft.test.ts: needs a merge
  mergeSingle: ({ DraftBroadcastID }) => ({
    params: { DraftBroadcastID },
    body: { TemplateText: 'Hi {{FirstName}}' },
  }),
  mergeSingleOfBroadcast: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { TemplateText: 'Hi', Position: 1 },
  }),
  getPreflight: ({ DraftBroadcastID }) => ({ params: { DraftBroadcastID } }),
  sendTest: 'elsewhere', // drafts/get-preflight.test.ts: needs the user's own phone
  createBroadcast: ({ DraftBroadcastID }) => ({ body: { DraftBroadcastID } }),
  previewQuickSend: ({ ListID }) => ({ body: { Lists: [{ ListID }] } }),
  quickSend: ({ PersonID, TextNumberID }) => ({
    body: { People: [{ PersonID }], TextNumberID, TextMessage: 'No school today' },
  }),
  validateBroadcast: () => ({ body: { StartDate: tomorrow(), CheckCallingWindow: true } }),
  lookUpShortUrls: () => ({ body: { Text: 'See bit.ly/abc' } }),
  getMessagingLimits: () => ({}),
  hasScheduledEnhancedMessages: () => ({}),
  listBroadcasts: () => ({ query: { q: 'snow', category: 'Scheduled' } }),
  getBestHour: () => ({}),
  getEmergency: () => ({ query: { Key: '7d5e8a4c-1f0b-4c58-9d0e-2f6d9f1b7a11' } }),
  previewEmergency: ({ EmergencyMessageID }) => ({
    body: { EmergencyMessageID, Lists: [{ ListID: 0 }], Channel: 'Text' },
  }),
  startEmergency: ({ EmergencyMessageID }) => ({
    body: {
      EmergencyMessageID,
      Lists: [{ ListID: 0 }],
      Channel: 'Text',
      Key: '7d5e8a4c-1f0b-4c58-9d0e-2f6d9f1b7a11',
    },
  }),
  getEmergencySettings: () => ({}),
  updateEmergencySettings: ({ ListID }) => ({
    body: { Lists: [{ ListID }], DrillListID: ListID, IsForEveryone: false },
  }),
  addEmergencyMessage: () => ({
    body: { Title: 'Snow', TextMessage: 'School is closed.', SpokenText: 'School is closed today.' },
  }),
  updateEmergencyMessage: ({ EmergencyMessageID }) => ({
    params: { EmergencyMessageID },
    body: { Title: 'Snow', TextMessage: 'School is closed.', SpokenText: 'School is closed today.' },
  }),
  deleteEmergencyMessage: ({ EmergencyMessageID }) => ({ params: { EmergencyMessageID } }),
  getBroadcastsSummary: () => ({}),
  getBroadcast: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  getBroadcastProgress: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  listBroadcastDetails: ({ BroadcastID }) => ({
    params: { BroadcastID },
    query: { textresultcategory: 'Incomplete' },
  }),
  downloadBroadcastDetails: 'elsewhere', // broadcasts/results.test.ts: answers with a file
  deleteBroadcastDetails: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  detailsToList: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' }, Update: { ListName: 'Of the broadcast' } },
  }),
  detailsToDraft: ({ BroadcastID }) => ({
    params: { BroadcastID },
    body: { Selection: { Type: 'SelectedAll' } },
  }),
  getRecipientTimeline: ({ BroadcastID, RecipientID }) => ({ params: { BroadcastID, RecipientID } }),
  listTextReplies: ({ BroadcastID }) => ({ params: { BroadcastID }, query: { q: 'a' } }),
  downloadTextReplies: 'elsewhere', // broadcasts/record-replies.test.ts: answers with a file
  repliesToDraft: 'elsewhere', // broadcasts/record-replies.test.ts: needs replies
  listReplyGroups: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  listGroupReplies: ({ BroadcastID }) => ({ params: { BroadcastID }, query: { group: 'yes' } }),
  chooseText: 'elsewhere', // broadcasts/second-text/second-text.test.ts: needs a running A/B test
  moveReplies: 'elsewhere', // broadcasts/groups/answer-replies.test.ts: needs replies
  previewAnswer: 'elsewhere',
  answerReplies: 'elsewhere',
  listLabels: () => ({}),
  addLabel: () => ({ body: { LabelName: 'Sports' } }),
  updateLabel: ({ LabelID }) => ({ params: { LabelID }, body: { LabelName: 'Arts' } }),
  deleteLabel: ({ LabelID }) => ({ params: { LabelID } }),
  updateBroadcast: ({ BroadcastID, LabelID }) => ({
    params: { BroadcastID },
    body: { BroadcastStatus: 'Paused', Labels: [{ LabelID }] },
  }),
  deleteBroadcast: ({ BroadcastID }) => ({ params: { BroadcastID } }),
  undoBroadcasts: 'elsewhere', // broadcasts/change-broadcast.test.ts: needs something to undo
  validateSchedule: () => ({ body: { ...everyDay, StartDateTime: tomorrow() } }),
  createRepeating: 'elsewhere', // broadcasts/repeating.test.ts: needs a draft with a schedule
  listRepeating: () => ({ query: { q: 'lunch' } }),
  updateRepeating: ({ RepeatingBroadcastID }) => ({
    params: { RepeatingBroadcastID },
    body: { BroadcastName: 'Dinner', StartDateTime: tomorrow(), RepeatingBroadcastSchedule: everyDay },
  }),
  deleteRepeating: ({ RepeatingBroadcastID }) => ({ params: { RepeatingBroadcastID } }),
  canSafelyDeleteRepeating: ({ RepeatingBroadcastID }) => ({ params: { RepeatingBroadcastID } }),
  listRepeatingFailures: () => ({}),
  dismissRepeatingFailures: () => ({ body: { Items: [1] } }),
  subscribeHook: () => ({ body: { Event: 'message.received', TargetUrl: 'https://hooks.example.org/1' } }),
  unsubscribeHook: 'elsewhere', // zapier/zapier.test.ts: needs one that a program has created
  listHookSamples: () => ({ params: { Event: 'message.received' } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { Name: 'Bus tracker', Scopes: ['contacts:read'] } }),
  updateApiKey: ({ ApiKeyID }) => ({
    params: { ApiKeyID },
    body: { Name: 'Bus tracker', Scopes: ['contacts:read'], Addresses: ['203.0.113.0/24'] },
  }),
  rotateApiKey: ({ ApiKeyID }) => ({ params: { ApiKeyID }, body: { OverlapHours: 1 } }),
  revokeApiKey: ({ ApiKeyID }) => ({ params: { ApiKeyID } }),
} satisfies CallExamples;
