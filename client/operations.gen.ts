// Written by "npm run generate" from docs/openapi.json.

import type { CallOptions, FileBody } from './muster.ts';

export type GetAccountReplyCurrentUserPermissions = { CanSeeAllBroadcasts: boolean; CanSeeAllRoster: boolean; CanSeeGroupAudio: boolean };

export type GetAccountReplyCurrentUser = { UserID: number; UserName: string; FirstName: string; LastName: string; Email: string; Phone: string; CallerID: string; IsMasterUser: boolean; IsAccountAdmin: boolean; IsActive: boolean; CanCreateBroadcast: boolean; Permissions: GetAccountReplyCurrentUserPermissions; Features: Array<string>; TimeZoneOffset: number; TimeZoneOffsetDecimal: number; DaylightSavings: boolean; ObservesDaylightSavings: boolean; TimeZone: string; LanguageID: number; AgreedToTermsOfUse: boolean; IsTermsOfUseCurrent: boolean; NeedsEmailVerification: boolean; NeedsOnboarding: boolean; HasTextNumberAssigned: boolean; BrowserNotificationsDoNotDisturb: boolean; DefaultSettingCharacterCount: number; DefaultSettingCharacterCountOptions: Array<number>; TextMessageCharacterLimit: number; MaxMessageLength: number; NotificationPhone: string; CallThrottle: number; Retries: number; CallingWindowDays: Array<string>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number }; ContinueOnNextDay: boolean; TextNumbers: Array<number>; UserHash: string; Signature: { IsEnabled: boolean; SignatureText: string }; PictureUrl: (string | null); IsInternalStaff: boolean; Version: number; Denied: Record<string, string> };

export type IntegrationGroupsToDraftReply = { DraftBroadcastID: number; Status: ("Complete" | "InProgress"); WorkID: (number | null); AddedCount: number; LeftOutCount: number };

export type BeginSequenceReplyStepsItemMediaItem = { mediaId: number; contentType: string; fileName: string; full: string; preview: string; explicitStatus: (number | null); isClean: boolean; isExplicit: boolean; senderName: string; timestamp: string };

export type BeginSequenceReply = { SequenceID: number; DraftBroadcastID: number; Name: string; Status: ("draft" | "running" | "paused" | "completed" | "canceled"); PausedBecause: string; NobodyJoinsBecause: string; TextNumberID: (number | null); StartsOn: ("dates" | "group" | "keyword" | "join"); GroupID: (number | null); KeywordID: (number | null); StartsOnName: string; IncludesMembers: boolean; SkipsWeekends: boolean; StopsOnReply: boolean; ShortenLinks: boolean; RecipientCount: number; LeftOutCount: number; StepCount: number; SentStepCount: number; NextStepDate: (string | null); CreateTimestamp: string; User: { UserID: number; Name: string }; Zone: string; Steps: Array<{ Position: number; Message: string; Date: string; Time: string; HasWait: boolean; StartDate: (string | null); AfterDays: (number | null); Media: Array<BeginSequenceReplyStepsItemMediaItem>; State: ("waiting" | "preparing" | "sent" | "failed" | "skipped"); BroadcastID: (number | null); WaitingCount: number; SentCount: number; DeliveredCount: number; ReplyCount: number }>; StepsVersion: string; DeletedGroups: Array<string> };

export type UpdateSequenceBodyStepsItem = { message?: string; date?: string; time?: string; hasWait?: boolean; mediaIds?: Array<number>; afterDays?: (number | null); startDate?: (string | null) };

export type AddSequenceStepBody = { message?: string; date?: string; time?: string; mediaIds?: Array<number>; afterDays?: (number | null) };

export type CalculateSequenceCreditsBody = { draftBroadcastId: number; name?: string; textNumberId?: (number | null); steps: Array<UpdateSequenceBodyStepsItem>; startsOn?: ("dates" | "group" | "keyword" | "join"); groupId?: (number | null); keywordId?: (number | null); includesMembers?: boolean; skipsWeekends?: boolean; stopsOnReply?: boolean; shortenLinks?: boolean };

export type ListSequenceRecipientsReplyItemsItem = { RecipientID: number; PersonID: (number | null); FirstName: string; LastName: string; PhoneNumber: string; State: ("active" | "done" | "stopped" | "replied" | "opted_out" | "left"); Position: number; JoinedDate: (string | null); NextStepDate: (string | null); LeftOutBecause: string };

export type GetTextActivityReplyTotal = { Sent: number; Refused: number; Delivered: number; Failed: number; Received: number; Credits: number };

export type ListPhoneHistoryReplyItemsItem = { Kind: ("text" | "call" | "consent" | "added" | "imported" | "edited"); Timestamp: string; PhoneNumber: string; Message: string; IsInbound: boolean; Status: string; ConversationID: (number | null); TextMessageID: (number | null); ConsentState: string; ConsentChannel: string; ConsentSource: string; UserName: string; FileName: string; Seconds?: (number | null); Broadcast?: ({ BroadcastID: number; BroadcastName: string } | null) };

export type ListTextNumbersReplyItemsItem = { TextNumberID: number; Name: string; TextPhoneNumber: string; Description: string; RegistrationStatus: ("Not Registered" | "Pending" | "Rejected" | "Registered"); IsDefault: boolean; IsBlocked: boolean; CanCreateBroadcast: boolean; CanText: boolean; FlatRateConversation: boolean; FlatRateConversationStatus: (("Active" | "CancelPending" | "BillingProblem") | null); FlatRateSubscriptionEndDate: (string | null); AggregatorID: (2 | 5 | 6); RcsAgent: (string | null); ReleaseDate: (string | null); Notifications: { IsActive: boolean; Type: "TextUnread"; PeriodMinutes: number; Method: ("Email" | "Text"); NotificationWindow: { Days: Array<("Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday")>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number } } }; BrowserNotificationsEnabled: boolean; AudioNotificationsEnabled: boolean };

export type UpdateTextNumbersBodyUpdateNotifications = { IsActive: boolean; Type: "TextUnread"; PeriodMinutes: number; Method: ("Email" | "Text"); NotificationWindow: { Days: Array<("Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday")>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number } } };

export type ListTransferNumbersReplyItemsItem = { ID: number; PhoneNumber: string; Status: ("Pending" | "Approved"); IsDefault: boolean };

export type SetBroadcastAudioReply = { BroadcastID: number; AudioID: number; BroadcastStatus: string };

export type GetPhoneLaunchReply = { PhoneLaunchID: string; HasPIN: boolean; LockedUntil: (string | null); PhoneNumbers: Array<string> };

export type ListContactsReplyItemsItemListsItem = { ListID: number; ListName: string; Color: number };

export type ListContactsReplyItemsItem = { PersonID: number; FirstName: string; LastName: string; Notes: string; PrimaryPhone: string; SecondaryPhone: string; TertiaryPhone: string; PrimaryPhoneTextable: boolean; SecondaryPhoneTextable: boolean; TertiaryPhoneTextable: boolean; PrimaryPhoneError: string; PrimaryPhoneOptedIn: boolean; PrimaryPhoneOptedOut: boolean; CustomData: Record<string, string>; Lists: Array<ListContactsReplyItemsItemListsItem>; LastTextTimestamp: (string | null); LastTextStatus: string; CreateTimestamp: string };

export type RemoveContactsReply = { UndoID: (number | null); Size: number; WorkID: (number | null) };

export type AddContactReplyPhonesItem = { PhoneNumber: string; PhoneTextable: boolean; PhoneError: string; PhoneTextOptInStatus: ("OptedIn" | "OptedOut" | "None"); PhoneSMSAuthorizationMethod: string; DoNotCallPhone: boolean; GlobalDoNotCallPhone: boolean; LineType: string; CarrierName: string; SharedWith: number };

export type AddContactReply = { PersonID: number; FirstName: string; LastName: string; Notes: string; PrimaryPhone: string; SecondaryPhone: string; TertiaryPhone: string; PrimaryPhoneTextable: boolean; SecondaryPhoneTextable: boolean; TertiaryPhoneTextable: boolean; PrimaryPhoneError: string; PrimaryPhoneOptedIn: boolean; PrimaryPhoneOptedOut: boolean; CustomData: Record<string, string>; Lists: Array<ListContactsReplyItemsItemListsItem>; LastTextTimestamp: (string | null); LastTextStatus: string; CreateTimestamp: string; Phones: Array<AddContactReplyPhonesItem>; UpdateTimestamp: string; IsDeleted: boolean; CreatedBy: string; FileName: string };

export type GetWorkReply = { WorkID: number; Kind: string; Status: ("InProgress" | "Complete" | "Error"); Done: number; Total: number; UndoID: (number | null); ErrorMessage: string };

export type ListListsReplyItemsItem = { ListID: number; ListName: string; ListType: ("User" | "System"); RosterCount: number; Color: number; Segment: ({ Match: ("all" | "any"); Rules: Array<({ Kind: "field"; Field: ("firstname" | "lastname" | "notes" | "phone" | "custom"); FieldID?: number; Is: ("contains" | "equals" | "startswith" | "isempty" | "isnotempty"); Value: string } | { Kind: "group"; Is: ("in" | "notin"); ListID: number } | { Kind: "consent"; Is: ("optedin" | "optedout" | "notasked" | "donotcall") } | { Kind: "lastcontact"; Is: ("within" | "notwithin" | "never"); Days: number } | { Kind: "added"; Is: ("within" | "notwithin"); Days: number })> } | null); PhoneListID: string };

export type AddListBodySegmentRulesItem = { Kind: "field"; Field: ("firstname" | "lastname" | "notes" | "phone" | "custom"); FieldID?: number; Is: ("contains" | "equals" | "startswith" | "isempty" | "isnotempty"); Value?: string };

export type AddListBodySegmentRulesItem2 = { Kind: "group"; Is: ("in" | "notin"); ListID: number };

export type AddListBodySegmentRulesItem3 = { Kind: "lastcontact"; Is: ("within" | "notwithin" | "never"); Days?: number };

export type AddListBodySegmentRulesItem4 = { Kind: "added"; Is: ("within" | "notwithin"); Days: number };

export type ListConversationsReplyItemsItemLastMessage = { TextMessageID: number; Message: string; IsInbound: boolean; HasMedia: boolean; Status: string; CreateTimestamp: string };

export type ListConversationsReplyItemsItemViewsItem = { UserID: number; Name: string; LastViewTime: string };

export type ListConversationsReplyItemsItemAssignedTo = { UserID: number; Name: string; PictureUrl: (string | null) };

export type ListConversationsReplyItemsItemTagsItem = { TagID: number; TagName: string; Color: number };

export type CreateConversationBodyLastMessageContact = { PersonID?: number; FirstName?: string; LastName?: string; PrimaryPhone: string; TextMessage?: string };

export type GetConversationReply = { ConversationID: number; PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; Notes: string; TextNumberID: number; IsDone: boolean; IsRetired: boolean; IsAutoOptOut: boolean; OptedIn: boolean; OptedOut: boolean; UnreadCount: number; LastMessage: (ListConversationsReplyItemsItemLastMessage | null); Views: Array<ListConversationsReplyItemsItemViewsItem>; AssignedTo: (ListConversationsReplyItemsItemAssignedTo | null); SnoozedUntil: (string | null); Tags: Array<ListConversationsReplyItemsItemTagsItem>; ContinuedInID: (number | null) };

export type ListTextMessagesReplyItemsItem = { TextMessageID: number; IsInbound: boolean; Message: string; CreateTimestamp: string; Mms: boolean; MmsOutboundMedia: Array<{ MediaID: number }>; Media: Array<BeginSequenceReplyStepsItemMediaItem>; ExplicitStatus: (number | null); Status: string; StatusTimestamp: (string | null); Segments: number; Credits: number; Origin: ("conversation" | "inbound" | "broadcast" | "automatic" | "notification"); SentBy: ({ UserID: number; Name: string } | null); Broadcast?: ({ BroadcastID: number; BroadcastName: string } | null) };

export type ListNotesReplyItemsItem = { NoteID: number; Kind: ("note" | "assigned" | "unassigned" | "moved"); Note: string; User: { UserID: number; Name: string }; AssignedTo: ({ UserID: number; Name: string } | null); CreateTimestamp: string; EditTimestamp: (string | null); ReadOnly: boolean };

export type ScheduleConversationReply = { ScheduledConversationID: number; Status: ("Scheduled" | "Sent" | "Canceled" | "Failed"); StartDate: string; TextNumberID: number; TextMessage: string; Media: Array<BeginSequenceReplyStepsItemMediaItem>; IncludeSignature: boolean; KeepCharacters: boolean; Contacts: Array<{ PersonID: (number | null); FirstName: string; LastName: string; PhoneNumber: string; TextMessage: (string | null); ConversationID: (number | null); Error: string }>; User: { UserID: number; Name: string }; CreateTimestamp: string; EndTimestamp: (string | null); Error: string };

export type ListAudioReplyItemsItem = { AudioID: number; Name: string; Length: number; Uri: string; Favorite: boolean; Shared: boolean; ReadOnly: boolean; AudioType: ("announcement" | "survey" | "transfer-connect"); Origin: ("Upload" | "Recording" | "Converted" | "Speech"); PlayUri: string; Peaks: Array<number>; SilenceBefore: number; SilenceAfter: number; SilenceCut: boolean; Problem: (string | null); Text: (string | null); VoiceID: (string | null); UseCount: number; LastUsedTimestamp: (string | null); AddedBy: string; CreateTimestamp: string };

export type ListTemplatesReplyItemsItem = { TemplateID: number; TemplateName: string; TemplateText: string; TemplateType: "Text"; Shortcut: string; IsShared: boolean; IsFavorite: boolean; ReadOnly: boolean; Media: Array<BeginSequenceReplyStepsItemMediaItem>; Labels: Array<string>; UseCount: number; LastUsedTimestamp: (string | null); AddedBy: string };

export type GetPhoneNumberReply = { Number: string; IsValid: boolean; IsTextable: boolean; OptedIn: boolean; OptedOut: boolean; DoNotCall: boolean; LineType: string; CarrierName: string; LookupTimestamp: (string | null) };

export type UploadFileReply = { FileID: number; FileName: string; FileSize: number; Status: ("InProgress" | "Complete" | "Error"); Stage: ("mapping" | "processing" | "review" | "importing" | "imported" | "undoing" | "undone" | "canceled" | "failed"); ErrorMessage: string; FileStructure: { Tabs: Array<{ FirstName: (number | null); LastName: (number | null); Phone1: (number | null); Phone2: (number | null); Phone3: (number | null); AreaCode1: (number | null); AreaCode2: (number | null); AreaCode3: (number | null); Notes: (number | null); Groups: (number | null); CustomData: Array<{ ColumnNumber: number; Name: string }>; TabNumber: number; TabName: string; HasHeader: boolean; TitleRows: number; RowCount: (number | null); Columns: Array<{ ColumnNumber: number; Header: string }>; Rows: Array<{ RowNumber: number; Cells: Array<string> }>; IsRemembered: boolean }> }; Choice: ({ TabNumber: number; HasHeader: boolean; Columns: { FirstName: (number | null); LastName: (number | null); Phone1: (number | null); Phone2: (number | null); Phone3: (number | null); AreaCode1: (number | null); AreaCode2: (number | null); AreaCode3: (number | null); Notes: (number | null); Groups: (number | null); CustomData: Array<{ ColumnNumber: number; Name: string }> }; Duplicates: ("update" | "skip" | "add") } | null); Progress: { Done: number; Total: (number | null); PerSecond: number; SecondsLeft: (number | null) }; Summary: ({ RowCount: number; GoodRecordCount: number; RepairedCount: number; DuplicateCount: number; ExistingCount: number; RejectedCount: number; Reasons: Array<{ Problem: string; Count: number }>; CreatedCount: number; UpdatedCount: number; SkippedCount: number } | null); ListID: (number | null); Groups: Array<{ ListID: (number | null); ListName: string; IsNew: boolean }>; UserIndicatedConsentDeclared: boolean; UndoID: (number | null); CreateTimestamp: string };

export type ListFileRowsReplyItemsItem = { RowNumber: number; Kind: ("good" | "repaired" | "duplicate" | "existing" | "rejected"); FirstName: string; LastName: string; Notes: string; PrimaryPhone: string; SecondaryPhone: string; TertiaryPhone: string; Groups: Array<string>; CustomData: Record<string, string>; Problem: string; FirstRow: (number | null); PersonID: (number | null); Cells: Array<string> };

export type ListAutoRepliesReplyItemsItem = { ID: number; Active: boolean; AutoReplyTypeID: (1 | 2); Message: string; Keyword: string; DaySchedules: { Sunday: ({ StartTime: string; StopTime: string } | null); Monday: ({ StartTime: string; StopTime: string } | null); Tuesday: ({ StartTime: string; StopTime: string } | null); Wednesday: ({ StartTime: string; StopTime: string } | null); Thursday: ({ StartTime: string; StopTime: string } | null); Friday: ({ StartTime: string; StopTime: string } | null); Saturday: ({ StartTime: string; StopTime: string } | null) }; TextNumberIDs: Array<number> };

export type AddAutoReplyBody = { Active?: boolean; AutoReplyTypeID?: (1 | 2); Message?: string; Keyword?: string; DaySchedules?: { Sunday?: ({ StartTime: string; StopTime: string } | null); Monday?: ({ StartTime: string; StopTime: string } | null); Tuesday?: ({ StartTime: string; StopTime: string } | null); Wednesday?: ({ StartTime: string; StopTime: string } | null); Thursday?: ({ StartTime: string; StopTime: string } | null); Friday?: ({ StartTime: string; StopTime: string } | null); Saturday?: ({ StartTime: string; StopTime: string } | null) }; TextNumberIDs?: Array<number> };

export type ListKeywordsReplyItemsItem = { ID: number; Keyword: string; Message: string; Active: boolean; TextNumberIDs: Array<number>; ListID: (number | null); ListName: string };

export type AddKeywordBody = { Keyword?: string; Message?: string; Active?: boolean; TextNumberIDs?: Array<number>; ListID?: (number | null) };

export type CreateDraftBodySecondText = { TextMessage: string; Share: (5 | 10 | 15 | 20 | 25); DecideBy: ("Replies" | "Clicks"); Hours: (1 | 2 | 4 | 8 | 24) };

export type CreateDraftBodyRepeatingBroadcastSchedule = { ScheduleFrequency?: ("Daily" | "Weekly" | "Weekdays" | "Monthly" | "Custom"); Interval: number; IntervalFrequency: ("days" | "weeks" | "months"); DaysOfWeek?: Array<string>; EndDateTime?: (string | null) };

export type CreateDraftBody = { BroadcastName?: string; BroadcastType?: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey?: boolean; TextNumberID?: (number | null); TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; KeepCharacters?: boolean; ShortenLinks?: boolean; SecondText?: (CreateDraftBodySecondText | null); TextSurveyAutoReplies?: Array<{ Label: ("Yes" | "No"); Message: string }>; TemplateID?: (number | null); startOption?: ("START_IMMEDIATELY" | "START_LATER" | "REPEATING"); StartDate?: (string | null); RepeatingBroadcastSchedule?: (CreateDraftBodyRepeatingBroadcastSchedule | null); PerMinute?: (5 | 50 | 500 | 1000 | null); Step?: number; RecipientsConfirmed?: boolean; CallerID?: string; CallThrottle?: number; Retries?: (0 | 1 | 2 | 3); CheckCallingWindow?: boolean; CallingWindowDays?: Array<("Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday")>; StartTimeOfDay?: { Hour: number; Minute: number }; StopTimeOfDay?: { Hour: number; Minute: number }; ContinueOnNextDay?: boolean; Audio?: ({ AudioID: number } | null); AudioVM?: ({ AudioID: number } | null); RecordLater?: boolean; RecordLaterVM?: boolean; voiceOption?: ("create message" | "select message" | "record later"); voiceType?: ("create message" | "select message" | "record later"); IsTransfer?: boolean; TransferNumber?: ({ ID: number } | null); TransferLines?: (number | null); CountryID?: number; MaxMessageLength?: (30 | 45 | 60 | 75 | 90 | 105 | 120); TextPhoneNumber?: string; startTimeText?: string; YesAutoReply?: string; NoAutoReply?: string; TemplateName?: string };

export type CreateDraftReplyRepeatingBroadcastSchedule = { ScheduleFrequency?: ("Daily" | "Weekly" | "Weekdays" | "Monthly" | "Custom"); Interval: number; IntervalFrequency: ("days" | "weeks" | "months"); DaysOfWeek: Array<string>; EndDateTime?: (string | null) };

export type CreateDraftReplyAudio = { AudioID: number; Name: string; Length: number; Uri: string; PlayUri: string; Peaks: Array<number>; Text: (string | null) };

export type CreateDraftReply = { DraftBroadcastID: number; BroadcastName: string; BroadcastType: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey: boolean; TextNumberID: (number | null); TextMessage: string; Media: Array<BeginSequenceReplyStepsItemMediaItem>; IncludeSignature: boolean; KeepCharacters: boolean; ShortenLinks: boolean; LinkBase: string; SecondText: ({ TextMessage: string; Share: (5 | 10 | 15 | 20 | 25); DecideBy: ("Replies" | "Clicks"); Hours: (1 | 2 | 4 | 8 | 24) } | null); TextSurveyAutoReplies: Array<{ Label: ("Yes" | "No"); Message: string }>; TemplateID: (number | null); startOption: ("START_IMMEDIATELY" | "START_LATER" | "REPEATING"); StartDate: (string | null); RepeatingBroadcastSchedule: (CreateDraftReplyRepeatingBroadcastSchedule | null); PerMinute: (number | null); CallerID: string; CallThrottle: number; Retries: number; CheckCallingWindow: boolean; CallingWindowDays: Array<string>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number }; ContinueOnNextDay: boolean; Audio: (CreateDraftReplyAudio | null); AudioVM: (CreateDraftReplyAudio | null); RecordLater: boolean; RecordLaterVM: boolean; voiceOption: ("create message" | "select message" | "record later"); voiceType: ("create message" | "select message" | "record later"); IsTransfer: boolean; TransferNumber: ({ ID: number; PhoneNumber: string; Status: ("Pending" | "Approved") } | null); TransferLines: (number | null); CountryID: number; MaxMessageLength: number; Step: number; RecipientsConfirmed: boolean; CustomData: Array<string>; TextNumberCount: number; TotalTextNumberCount: number; VoiceNumberCount: number; TotalVoiceNumberCount: number; MinCallUnitsRequired: number; TextNumberCredits: number; PotentialUniqueCount: number; StartDateAllocatedTextCredits: number; RosterChangedSinceLastMerge: boolean; UniqueCountThresholdExceeded: boolean; IsAdding: boolean; Starts: (string | null); Ends: (string | null); UpdateTimestamp: string };

export type ListDraftContactsReplyItemsItem = { RecipientID: number; PersonID: (number | null); FirstName: string; LastName: string; PrimaryPhone: string; PrimaryPhoneTextable: boolean; PrimaryPhoneError: string; Problem: (("duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often") | null); DuplicateOf: ({ RecipientID: number; Name: string } | null); CustomData: Record<string, string>; Source: string };

export type GetContactSummaryReply = { Total: number; Good: number; LeftOut: Array<{ Problem: ("duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often"); Count: number }>; Zones: Array<{ Zones: Array<string>; Label: string; Count: number }>; Sources: Array<{ SourceID: number; Kind: string; Name: string; Count: number }>; IsFrequencySetAside: boolean };

export type GetPreflightReplyCost = { Credits: number; Segments: Array<{ Segments: number; Count: number }>; Balance: number; Reserved: number; After: number; IsFree: boolean };

export type GetPreflightReplyPlanItem = { Zones: Array<string>; Label: string; Count: number; Opens: string; Done: string };

export type MergeDraftReply = { TemplateMergeID: number; Status: ("InProgress" | "Complete"); Done: number; Total: number; InvalidMessageUri: string; InvalidMessageCount: number; ExcludedMessageCount: number; MissingFields: Array<{ Field: string; Count: number; Exists: boolean }>; AcceptsMissing: boolean; Preview: string; SummaryUri: string };

export type ListMergedMessagesReplyItemsItem = { MergedMessageID: number; PhoneNumber: string; FirstName: string; LastName: string; TextMessage: string; Segments: number; Exclude: boolean; TemplateMergeMessageStatus: ("Valid" | "MissingData" | "ExceedsLimit" | "InvalidField" | "InvalidPhone" | "NotTextable" | "OptedOut" | "NotOptedIn" | "NotVerified" | "AccountBlocked" | "Duplicate"); Error: string };

export type MergeSingleBody = { TemplateText: string; IncludeSignature?: boolean; KeepCharacters?: boolean; HasMedia?: boolean; RecipientID?: number; Position?: number };

export type MergeSingleReply = { MergedMessageID: number; PhoneNumber: string; FirstName: string; LastName: string; TextMessage: string; Segments: number; Exclude: boolean; TemplateMergeMessageStatus: ("Valid" | "MissingData" | "ExceedsLimit" | "InvalidField" | "InvalidPhone" | "NotTextable" | "OptedOut" | "NotOptedIn" | "NotVerified" | "AccountBlocked" | "Duplicate"); Error: string; Position: number; Total: number };

export type ListRegistrationRequestsReplyItemsItem = { requestId: number; kind: ("Local" | "TollFree"); status: ("Complete" | "Failed" | "Processing" | "PendingContactAuthentication"); brand: { entityType: string; displayName: string; companyName: string; contactPhone: string; authPlusEmail: string }; reasons: Array<{ field: string; message: string }>; submittedAt: string; updatedAt: string; resendAt: string };

export type CreateBroadcastBody = { DraftBroadcastID: number; ExpectedCount?: number; ExpectedCredits?: number };

export type PreviewQuickSendReplyRecipientsItem = { PersonID: (number | null); FirstName: string; LastName: string; PrimaryPhone: string; PrimaryPhoneError: string; Problem: (("duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often") | null); TextMessage: string; Segments: number; Remark: string };

export type GetBroadcastReplySecondTextFirst = { TextMessage: string; Segments: number; PeopleCount: number; SentCount: number; DeliveredCount: number; RepliedCount: number; ClickedCount: number; OptedOutCount: number };

export type GetBroadcastReply = { BroadcastID: number; BroadcastName: string; BroadcastType: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey: boolean; BroadcastStatus: ("Scheduled" | "AuthorizationApproved" | "PendingMessage" | "NeedsMessage" | "Processing" | "Broadcasting" | "Paused" | "Sent" | "Completed" | "Canceled"); BroadcastStatusCategory: ("Scheduled" | "NeedsMessage" | "Processing" | "Broadcasting" | "Completed"); StartDate: (string | null); EndDate: (string | null); RepeatingScheduleDescription: string; IsPartOfRepeatingBroadcastSequence: boolean; RepeatingBroadcastID: (number | null); IsSampleBroadcast: boolean; IsFree: boolean; IsEmergency: boolean; IsDrill: boolean; IsArchived: boolean; TextMessage: string; TextNumberID: (number | null); PhoneNumberCount: number; LeftOutCount: number; MaxMessageLength: number; CustomData: Array<string>; Media: Array<BeginSequenceReplyStepsItemMediaItem>; Labels: Array<{ LabelID: number; LabelName: string }>; User: { UserID: number; Name: string }; HeldReason: string; PerMinute: (number | null); CallTotal: number; CallsUp: number; CallerID: string; IsTransfer: boolean; LivePersonTotal: number; AnsweringMachineTotal: number; BusyNoAnswerTotal: number; InvalidNumberTotal: number; TransferTotal: number; IncompleteCallTotal: number; WaitingCallTotal: number; RetryingCallTotal: number; DeliveredTexts: number; ReadCount: number; FailedTextTotal: number; InvalidTextCount: number; NotDeliveredTexts: number; TextOptedOut: number; StoppedTotal: number; RepliedTotal: number; NotRepliedTotal: number; SurveyResponseTotal: number; TextSurveyResponseTotal: number; WaitingTotal: number; SentTotal: number; CanceledTotal: number; Links: Array<{ Url: string; PeopleCount: number; ClickCount: number; PreviewCount: number }>; SecondText: ({ Share: number; DecideBy: ("Replies" | "Clicks"); Hours: number; State: ("Ahead" | "Trying" | "Waiting" | "Decided" | "Stopped"); First: GetBroadcastReplySecondTextFirst; Second: GetBroadcastReplySecondTextFirst; Decides: (string | null); Winner: (("First" | "Second") | null); Reason: string; Decided: (string | null); RestCount: number; RestSentCount: number } | null); IncludeSignature: boolean; HoursSetAsideBy: string; TextSurveyAutoReplies: Array<{ Label: ("Yes" | "No"); Message: string }>; TextSurveyResponses: Array<{ ID: number; Label: ("Yes" | "No"); Count: number }>; SurveyResponses: Array<{ ID: number; Label: string; Count: number }>; Audio: (CreateDraftReplyAudio | null); AudioVM: (CreateDraftReplyAudio | null); RecordLater: boolean; RecordLaterVM: boolean; CallThrottle: number; Retries: number; CallingWindowDays: Array<string>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number }; ContinueOnNextDay: boolean; TransferNumber: string; TransferLines: number; TransferLinesUp: number; TransferSeconds: number; AbandonedTotal: number; EnhancedMessageAddOnCharge: ({ ChargeAmount: number } | null); Segments: number; Credits: { Reserved: number; Settled: number; Released: number }; CurrentPerMinute: number; EstimatedEnd: (string | null); CanChange: boolean; IsRcs: boolean; UnansweredTotal: number };

export type ListBroadcastDetailsReplyItemsItem = { RecipientID: number; PersonID: (number | null); FirstName: string; LastName: string; PhoneNumber: string; TextResultCategory: ("" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut"); TextResult: string; Problem: (("duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often") | null); LastChange: (string | null); TextResponses: Array<{ Message: string; CreateTimestamp: string }>; TextSurveyResponse: ({ ID: number; Label: ("Yes" | "No") } | null); StoppedAt: (string | null); ConversationID: (number | null); CallResultCategory: ("" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete"); CallResult: string; SurveyResult: string; TransferredAt: (string | null); TransferSeconds: (number | null); LastCallTime: (string | null); NextCallTime: (string | null); numberofattempts: number; CallSeconds: (number | null) };

export type ListRepeatingReplyItemsItem = { RepeatingBroadcastID: number; BroadcastName: string; BroadcastType: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey: boolean; TextMessage: string; Media: Array<BeginSequenceReplyStepsItemMediaItem>; TextNumberID: (number | null); PhoneNumberCount: number; PerMinute: (number | null); RepeatingBroadcastSchedule: CreateDraftReplyRepeatingBroadcastSchedule; ScheduleDescription: string; NextStartDate: (string | null); LastBroadcastID: (number | null); User: { UserID: number; Name: string } };

/** Every call that an API key can make, by domain. */
export interface Operations {
  accounts: {
    /** Returns the signed-in user’s organization. With include=currentuser, includes the user. (any key) */
    getAccount(input?: { query?: { include?: "currentuser" } }, options?: CallOptions): Promise<{ AccountID: number; CompanyName: string; State: string; CountryID: number; TimeZone: string; AccountStatusID: number; AccountTypeID: number; IsFreeTrial: boolean; FreeTrialConversion: boolean; IsText2: boolean; AccountKeyword: string; RequireTextOptIn: boolean; IsAutoReplyOn: boolean; AutoReplyMessage: string; SubscriptionEndDate: (string | null); SubscriptionCycleStartDate: (string | null); SubscriptionCycleEndDate: (string | null); MonthlyLevel: (number | null); NextMonthlyLevel: (number | null); NextMonthlyFee: (number | null); MonthlyFee: (number | null); AvailableCallUnits: number; CallBalance: number; PendingCallBalance: number; UniqueCallCount: number; GroupCode: string; HasSpecialGroupCode: boolean; IndustryID: (number | null); InvoiceSelfService: boolean; PaysInvoicesOffline: boolean; IsMonthlyMMSEnabled: boolean; PartialCreditsEnabled: boolean; Created: string; ReactivationDate: (string | null); InvoiceRenewal: ({ RenewalDate: (string | null); InvoiceDuration: number; AutoRenewal: boolean } | null); Profile: { VoiceAllowed: boolean; PrependOrganizationToText: boolean; AllowAddIndividualNumbersInBroadcast: boolean; AllowCopyPasteInBroadcast: boolean; ExplicitOptInRequired: boolean }; SenderName: string; MessengerCount: number; IsApiAuthorized: boolean; PAYGPricingPlanID: (number | null); MonthlyPricingPlanID: (number | null); FlatRateConversationPricingID: (number | null); CountryValidationPattern: string; QuietHours: { IsOn: boolean; Start: string; Stop: string }; BroadcastLimit: ({ Most: number; Days: number } | null); CurrentUser?: GetAccountReplyCurrentUser }>;
    /** Returns the signed-in user. (any key) */
    getUser(input?: Record<string, never>, options?: CallOptions): Promise<GetAccountReplyCurrentUser>;
    /** Lists the organization’s users by name. page=all returns everyone, enabled=true only active users. Those who manage users get the whole user, others what they need to assign conversations. (conversations:read) */
    listAccountUsers(input?: { query?: { page?: ("all" | number); pagesize?: number; sortby?: ("name" | "-name" | "lastseen" | "-lastseen"); q?: string; enabled?: (("true" | "false") | boolean); invited?: (("true" | "false") | boolean); role?: ("owner" | "admin" | "user") } }, options?: CallOptions): Promise<{ Items: Array<({ UserID: number; UserName: string; FirstName: string; LastName: string; Email: string; Phone: string; CallerID: string; IsMasterUser: boolean; IsAccountAdmin: boolean; IsActive: boolean; CanCreateBroadcast: boolean; Permissions: GetAccountReplyCurrentUserPermissions; Features: Array<string>; TimeZoneOffset: number; TimeZoneOffsetDecimal: number; DaylightSavings: boolean; ObservesDaylightSavings: boolean; TimeZone: string; LanguageID: number; AgreedToTermsOfUse: boolean; IsTermsOfUseCurrent: boolean; NeedsEmailVerification: boolean; NeedsOnboarding: boolean; HasTextNumberAssigned: boolean; BrowserNotificationsDoNotDisturb: boolean; DefaultSettingCharacterCount: number; DefaultSettingCharacterCountOptions: Array<number>; TextMessageCharacterLimit: number; MaxMessageLength: number; NotificationPhone: string; CallThrottle: number; Retries: number; CallingWindowDays: Array<string>; StartTimeOfDay: { Hour: number; Minute: number }; StopTimeOfDay: { Hour: number; Minute: number }; ContinueOnNextDay: boolean; TextNumbers: Array<number>; Signature: { IsEnabled: boolean; SignatureText: string }; PictureUrl: (string | null); IsInternalStaff: boolean; Version: number; LastSeenTimestamp: (string | null); HasSecondFactor: boolean; Invitation: ({ SentTimestamp: string; ExpireTimestamp: string; IsExpired: boolean; Problem: (string | null) } | null) } | { UserID: number; FirstName: string; LastName: string; UserName: string; IsActive: boolean; TextNumbers: Array<number>; PictureUrl: (string | null) })>; Size: number }>;
  };
  audit: {
    /** Lists who did what in the account, newest first. (audit:read) */
    listAuditLog(input?: { query?: { q?: string; who?: ("system" | number); what?: ("security" | "users" | "account" | "billing" | "numbers" | "broadcasts" | "conversations" | "contacts" | "library" | "integrations" | "other"); object?: number; 'date-from'?: string; 'date-to'?: string; entry?: string; pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ EntryID: string; Number: number; Timestamp: string; Kind: string; What: string; Area: ("security" | "users" | "account" | "billing" | "numbers" | "broadcasts" | "conversations" | "contacts" | "library" | "integrations" | "other"); Who: { Kind: ("user" | "key" | "operator" | "system"); UserID: (number | null); Name: string }; Address: string; Agent: string; Object: ({ ID: number; Name: string } | null); Count: number; Changes: Array<{ Field: string; Before: (string | null); After: string }> }>; Next: (string | null); Size?: number; Days: Array<{ Date: string; Count: number }>; KeptMonths: number }>;
    /** The audit log as a CSV file, with the same filters. (audit:read) */
    downloadAuditLog(input?: { query?: { q?: string; who?: ("system" | number); what?: ("security" | "users" | "account" | "billing" | "numbers" | "broadcasts" | "conversations" | "contacts" | "library" | "integrations" | "other"); object?: number; 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
  };
  webhooks: {
    /** Lists the organization’s webhooks, with what arrived in the last seven days. (webhooks:read) */
    listWebhooks(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ WebhookID: number; Url: string; Description: string; EventTypes: Array<string>; IsEnabled: boolean; OffReason: ("" | "hand" | "failing" | "gone" | "key"); MadeBy: ("page" | "zapier"); FailingSince: (string | null); SecretEnd: string; OldSecretUntil: (string | null); CreateTimestamp: string; Delivered: number; Failed: number; Waiting: number }>; Size: number }>;
  };
  integrations: {
    /** Lists the integrations that this installation offers, and which of them are connected. (contacts:read) */
    listIntegrations(input?: { query?: { page?: number; pagesize?: number; connected?: (("true" | "false") | boolean); type?: ("Contact" | "SSO") } }, options?: CallOptions): Promise<{ Items: Array<{ IntegrationID: number; Connected: boolean; Type: ("Contact" | "SSO"); Description: string; Features: { HasGroupTypes: boolean; ContactFeatures: { Searchable: boolean } }; LoginInstructions: { Name: string; Data: { Model: Array<{ Name: string; Label: string; IsSecret: boolean; Example: string; Value: string }>; PostBackUrl: string; RedirectUrl: string; ShowInNewWindow: boolean } }; AccountName: string; ConnectTimestamp: (string | null); Sync: ({ State: ("idle" | "waiting" | "running" | "undoing" | "held" | "failed" | "paused"); ErrorMessage: string; GroupCount: number; PersonCount: number; LastTimestamp: (string | null); NextTimestamp: (string | null); HeldCount: (number | null); HeldOf: (number | null); HeldGroups: Array<string> } | null) }>; Size: number }>;
    /** Lists the kinds of groups that an integration has. (contacts:read) */
    listIntegrationGroupTypes(input: { params: { IntegrationID: number } }, options?: CallOptions): Promise<{ Items: Array<{ GroupTypeID: string; GroupTypeName: string }>; Size: number }>;
    /** Lists the groups of an integration as it has them now. (contacts:read) */
    listIntegrationGroups(input: { params: { IntegrationID: number }; query?: { grouptype?: string; page?: number; pagesize?: number } }, options?: CallOptions): Promise<{ Items: Array<{ GroupID: string; GroupName: string; GroupTypeID: string; ContactCount: (number | null); ListID: (number | null); ListName: string }>; Size: number }>;
    /** Lists the people in a group of an integration as it has them now. (contacts:read) */
    listIntegrationContacts(input: { params: { IntegrationID: number; Group: string }; query?: { q?: string; page?: number; pagesize?: number } }, options?: CallOptions): Promise<{ Items: Array<{ ContactID: string; FirstName: string; LastName: string; PrimaryPhone: string; PrimaryPhoneError: string }>; Size: number }>;
    /** Adds everyone in these groups of an integration to a draft. (broadcasts:write) */
    integrationGroupsToDraft(input: { params: { IntegrationID: number; DraftBroadcastID: number }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<{ GroupID: string }> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Adds people in a group of an integration to a draft. (broadcasts:write) */
    integrationContactsToDraft(input: { params: { IntegrationID: number; Group: string; DraftBroadcastID: number }; query?: { q?: string }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<{ ContactID: string }> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
  };
  zapier: {
    /** Subscribes an address to an event (REST hooks). It is posted to as a webhook. (webhooks:write) */
    subscribeHook(input: { body: { Event: ("message.received" | "message.delivered" | "message.failed" | "call.ended" | "broadcast.sent" | "broadcast.completed" | "link.opened" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in"); TargetUrl: string } }, options?: CallOptions): Promise<{ HookID: number }>;
    /** Ends a subscription. (webhooks:write) */
    unsubscribeHook(input: { params: { WebhookID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Shows what a subscription to an event gets, as a sample. (webhooks:read) */
    listHookSamples(input: { params: { Event: ("message.received" | "message.delivered" | "message.failed" | "call.ended" | "broadcast.sent" | "broadcast.completed" | "link.opened" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in") } }, options?: CallOptions): Promise<{ Items: Array<Record<string, unknown>> }>;
  };
  sequences: {
    /** Begins a draft of a drip campaign. Its recipients are those of its draft broadcast. (broadcasts:write) */
    beginSequence(input: { body: Record<string, unknown> }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Lists the drip campaigns, newest first. (broadcasts:read) */
    listSequences(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "newest"; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ SequenceID: number; DraftBroadcastID: number; Name: string; Status: ("draft" | "running" | "paused" | "completed" | "canceled"); PausedBecause: string; NobodyJoinsBecause: string; TextNumberID: (number | null); StartsOn: ("dates" | "group" | "keyword" | "join"); GroupID: (number | null); KeywordID: (number | null); StartsOnName: string; IncludesMembers: boolean; SkipsWeekends: boolean; StopsOnReply: boolean; ShortenLinks: boolean; RecipientCount: number; LeftOutCount: number; StepCount: number; SentStepCount: number; NextStepDate: (string | null); CreateTimestamp: string; User: { UserID: number; Name: string } }>; Next: (string | null); Size?: number }>;
    /** Returns a drip campaign with its steps. (broadcasts:read) */
    getSequence(input: { params: { SequenceID: number } }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Saves a draft as far as it is written, or changes the steps of a campaign that haven’t gone out. Steps that went out must stay as they are. With the StepsVersion that was read, steps that somebody else changed meanwhile aren’t overwritten (409). (broadcasts:write) */
    updateSequence(input: { params: { SequenceID: number }; body: { name?: string; textNumberId?: (number | null); steps?: Array<UpdateSequenceBodyStepsItem>; stepsVersion?: string; startsOn?: ("dates" | "group" | "keyword" | "join"); groupId?: (number | null); keywordId?: (number | null); includesMembers?: boolean; skipsWeekends?: boolean; stopsOnReply?: boolean; shortenLinks?: boolean } }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Deletes a draft, or a campaign that has ended. Its broadcasts stay. (broadcasts:write) */
    deleteSequence(input: { params: { SequenceID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Adds a step to a campaign that was started. Its date says which place it has; in a campaign that people join it comes last, and those who have finished get it if its day is still to come for them. (broadcasts:send) */
    addSequenceStep(input: { params: { SequenceID: number }; body: AddSequenceStepBody }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Returns who would get a step that is added to a campaign, in which place it comes and what it costs. (broadcasts:read) */
    previewSequenceStep(input: { params: { SequenceID: number }; body: AddSequenceStepBody }, options?: CallOptions): Promise<{ Position: number; StepCount: number; RecipientCount: number; FinishedCount: number; PassedCount: number; Credits: number; RemainingCredits: number; AvailableCredits: number }>;
    /** Returns what a drip campaign costs, and each of its steps. (broadcasts:read) */
    calculateSequenceCredits(input: { body: CalculateSequenceCreditsBody }, options?: CallOptions): Promise<{ Credits: number; CreditsEach: number; Steps: Array<{ Segments: number; Credits: number }>; RecipientCount: number }>;
    /** Starts a drip campaign. metaData.FailureCount says how many recipients can’t be texted. (broadcasts:send) */
    createSequence(input: { body: CalculateSequenceCreditsBody }, options?: CallOptions): Promise<{ SequenceID: number; metaData: { FailureCount: number } }>;
    /** Pauses a drip campaign: no further step goes out until it is resumed. (broadcasts:write) */
    pauseSequence(input: { params: { SequenceID: number } }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Resumes a drip campaign. Steps whose time has passed are skipped or sent now, one after the other, and the one that couldn’t go out is tried again unless it is to be skipped; in a campaign that people join, everybody goes on with their next step. (broadcasts:send) */
    resumeSequence(input: { params: { SequenceID: number }; body: { Missed?: ("skip" | "send"); Failed?: ("skip" | "send") } }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Ends a drip campaign. Texts that are on their way still arrive. (broadcasts:write) */
    cancelSequence(input: { params: { SequenceID: number } }, options?: CallOptions): Promise<BeginSequenceReply>;
    /** Lists the people of a drip campaign and where each of them is; with leftout those who couldn’t be texted when it was started or when they joined, and why. (broadcasts:read) */
    listSequenceRecipients(input: { params: { SequenceID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: "name"; next?: string; leftout?: (("true" | "false") | boolean) } }, options?: CallOptions): Promise<{ Items: Array<ListSequenceRecipientsReplyItemsItem>; Next: (string | null); Size?: number }>;
    /** Takes one person out of the steps that are still to come. (broadcasts:write) */
    stopSequenceRecipient(input: { params: { SequenceID: number; RecipientID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Returns every step as one person gets it: when, and with which words. (broadcasts:read) */
    getSequenceCourse(input: { params: { SequenceID: number }; query?: { recipientId?: number; position?: number } }, options?: CallOptions): Promise<{ Recipient: (ListSequenceRecipientsReplyItemsItem | null); Items: Array<{ Position: number; Date: (string | null); State: ("sent" | "waiting" | "skipped"); Message: string; Media: Array<BeginSequenceReplyStepsItemMediaItem>; Note: string }> }>;
  };
  reports: {
    /** Returns texts sent and received by day and by text number, and the totals of the days before. Covers 30 days if no dates are given. (reports:read) */
    getTextActivity(input?: { query?: { 'date-from'?: string; 'date-to'?: string; textNumberID?: number } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Total: GetTextActivityReplyTotal; Before: GetTextActivityReplyTotal; Days: Array<{ Date: string; Sent: number; Refused: number; Delivered: number; Failed: number; Received: number; Credits: number }>; Numbers: Array<{ TextNumberID: number; TextNumber: string; Name: string; IsReleased: boolean; Sent: number; Refused: number; Delivered: number; Failed: number; Received: number; Credits: number }> }>;
    /** Downloads text activity: one row per day and text number. (reports:read) */
    downloadTextActivity(input?: { query?: { 'date-from'?: string; 'date-to'?: string; textNumberID?: number } }, options?: CallOptions): Promise<Response>;
    /** Lists what happened with a phone: texts, calls, consent, and how its contacts were added. (reports:read) */
    listPhoneHistory(input: { params: { Number: string }; query?: { pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListPhoneHistoryReplyItemsItem>; Next: (string | null); Size?: number; PhoneNumber: string; Contacts: Array<{ PersonID: number; FirstName: string; LastName: string }> }>;
    /** Downloads everything that happened with a phone. (reports:read) */
    downloadPhoneHistory(input: { params: { Number: string } }, options?: CallOptions): Promise<Response>;
    /** Returns the credit balance at the end of each day, and what was bought, given, refunded and used. Covers a year if no dates are given. (reports:read) */
    getCreditDays(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Before: number; Balance: number; Bought: number; Given: number; Refunded: number; Used: number; Days: Array<{ Date: string; Balance: number }> }>;
    /** Returns what was paid by card each month, and what for. Covers a year if no dates are given. (reports:read) */
    getBillingMonths(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Paid: number; Refunded: number; Payments: number; Credits: number; Subscriptions: number; Invoices: number; Months: Array<{ Month: string; Credits: number; Subscriptions: number; Invoices: number }> }>;
    /** Returns what was invoiced each month, paid and due. Covers a year if no dates are given. (reports:read) */
    getInvoiceMonths(input?: { query?: { 'date-from'?: string; 'date-to'?: string; category?: ("Unpaid" | "Partially Paid" | "Pending" | "Paid" | "Voided" | "outstanding") } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Invoices: number; Total: number; Paid: number; Due: number; Months: Array<{ Month: string; Paid: number; Due: number }> }>;
    /** Returns when the phones that are opted out did so, by day or by month. Covers a year if no dates are given. (consent:read) */
    getOptOutCounts(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Texts: number; Calls: number; Periods: Array<{ Period: string; Texts: number; Calls: number }> }>;
    /** Returns when the phones that agreed to get texts did so, by day or by month. Covers a year if no dates are given. (reports:read) */
    getOptInCounts(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; OptIns: number; Periods: Array<{ Period: string; OptIns: number }> }>;
    /** Lists the phones that agreed to get texts, newest first, with what they said. Phones whose consent a file declared are not listed. (reports:read) */
    listOptIns(input?: { query?: { 'date-from'?: string; 'date-to'?: string; pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; Timestamp: string; Source: string; Wording: string }>; Next: (string | null); Size?: number }>;
    /** Downloads the phones that agreed to get texts. (reports:read) */
    downloadOptIns(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
  };
  numbers: {
    /** Lists the text numbers that the user can use. (numbers:read) */
    listTextNumbers(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("name" | "textphonenumber"); next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListTextNumbersReplyItemsItem>; Size: number }>;
    /** Updates this user’s notifications for selected text numbers. (numbers:write) */
    updateTextNumbers(input: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("name" | "textphonenumber"); next?: string }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: { Notifications?: UpdateTextNumbersBodyUpdateNotifications; BrowserNotificationsEnabled?: boolean; AudioNotificationsEnabled?: boolean } } }, options?: CallOptions): Promise<{ Size: number }>;
    /** Returns a text number. (numbers:read) */
    getTextNumber(input: { params: { TextNumberID: number } }, options?: CallOptions): Promise<ListTextNumbersReplyItemsItem>;
    /** Updates a text number: name, description and default (admins), and this user’s notifications for it. (numbers:write) */
    updateTextNumber(input: { params: { TextNumberID: number }; body: { Notifications?: UpdateTextNumbersBodyUpdateNotifications; BrowserNotificationsEnabled?: boolean; AudioNotificationsEnabled?: boolean; Name?: string; Description?: string; IsDefault?: true } }, options?: CallOptions): Promise<ListTextNumbersReplyItemsItem>;
    /** Returns texts, credits and who may use it for each text number that the user can use. Covers the last 30 days if no dates are given. (reports:read) */
    listTextNumberUsage(input?: { query?: { page?: number; pagesize?: number; 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ Items: Array<{ TextNumberID: number; Sent: number; Delivered: number; Failed: number; Received: number; Credits: number; UserCount: number; UserNames: Array<string> }>; Size: number }>;
  };
  calling: {
    /** Lists the numbers that calls can be transferred to. The default comes first. (broadcasts:read) */
    listTransferNumbers(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<ListTransferNumbersReplyItemsItem> }>;
    /** Adds a transfer number. The organization’s own numbers are approved at once; we call others and read out a code. (numbers:write) */
    addTransferNumber(input: { body: { PhoneNumber: string } }, options?: CallOptions): Promise<ListTransferNumbersReplyItemsItem>;
    /** Approves a transfer number with the code from the call (Code), makes it the default, or calls it again (CallAgain). (numbers:write) */
    updateTransferNumber(input: { params: { TransferNumberID: number }; body: { Code?: string; IsDefault?: boolean; CallAgain?: boolean } }, options?: CallOptions): Promise<ListTransferNumbersReplyItemsItem>;
    /** Deletes a transfer number. Broadcasts that were sent keep it. (numbers:write) */
    deleteTransferNumber(input: { params: { TransferNumberID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Lists the numbers that the user can call from: the organization’s own, and verified ones. (broadcasts:read) */
    listCallerIds(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ CallerIDID: (number | null); PhoneNumber: string; Name: string; Status: ("Pending" | "Verified"); IsDefault: boolean; Code: string }> }>;
    /** Deletes a verified caller ID. (numbers:write) */
    deleteCallerId(input: { params: { CallerIDID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Gives a draft or a broadcast that needs its message the recording for live answers. (broadcasts:write) */
    setBroadcastAudio(input: { params: { BroadcastID: number }; body: { AudioID: number } }, options?: CallOptions): Promise<SetBroadcastAudioReply>;
    /** Uploads an MP3 or WAV file as the raw body and uses it for live answers. (broadcasts:write) */
    uploadBroadcastAudio(input: { params: { BroadcastID: number }; body: FileBody }, options?: CallOptions): Promise<SetBroadcastAudioReply>;
    /** The same for voicemail. (broadcasts:write) */
    setBroadcastAudioVM(input: { params: { BroadcastID: number }; body: { AudioID: number } }, options?: CallOptions): Promise<SetBroadcastAudioReply>;
    /** The same for voicemail. (broadcasts:write) */
    uploadBroadcastAudioVM(input: { params: { BroadcastID: number }; body: FileBody }, options?: CallOptions): Promise<SetBroadcastAudioReply>;
    /** Calls the user’s phone or the given one and plays the message for live answers or for voicemail. (broadcasts:send) */
    testCall(input: { params: { DraftBroadcastID: number }; body: { Part?: ("Audio" | "AudioVM"); PhoneNumber?: string } }, options?: CallOptions): Promise<{ PhoneNumber: string; Credits: number }>;
    /** Tells whether a phone launch ID can be taken: 200 if it’s the user’s own, 403 if it’s taken, 404 if it’s free. (broadcasts:read) */
    getIvrAuthorization(input: { params: { PhoneLaunchID: string } }, options?: CallOptions): Promise<{ PhoneLaunchID: string; Message: "This is already your existing phone launch ID." }>;
    /** Returns the user’s phone launch ID, and the numbers to call to start a broadcast by telephone. (broadcasts:read) */
    getPhoneLaunch(input?: Record<string, never>, options?: CallOptions): Promise<GetPhoneLaunchReply>;
    /** Sets the user’s phone launch ID and PIN. An empty PIN keeps the one that was set before. (broadcasts:send) */
    setPhoneLaunch(input: { body: { PhoneLaunchID: string; PIN?: string } }, options?: CallOptions): Promise<GetPhoneLaunchReply>;
    /** Deletes the user’s phone launch ID and PIN: they can’t start broadcasts by telephone any more. (broadcasts:send) */
    deletePhoneLaunch(input?: Record<string, never>, options?: CallOptions): Promise<GetPhoneLaunchReply>;
  };
  contacts: {
    /** Lists the contacts of a group, Everyone (0), Unfiled (-1) or Deleted (-2). Searches any part of a name, number, note or custom field. (contacts:read) */
    listContacts(input: { params: { ListID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: ("name" | "-name" | "newest" | "oldest"); next?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) } }, options?: CallOptions): Promise<{ Items: Array<ListContactsReplyItemsItem>; Size: number; Next: (string | null); IsMore: boolean; IsSimilar: boolean }>;
    /** Removes selected contacts from a group, or deletes them with removefromeveryone. Contacts in Deleted (-2) are deleted permanently. (contacts:write) */
    removeContacts(input: { params: { ListID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean); removefromeveryone?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<RemoveContactsReply>;
    /** Sets notes or custom fields of selected contacts. (contacts:write) */
    updateContacts(input: { params: { ListID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: { Notes?: string; CustomData?: Record<string, string> } } }, options?: CallOptions): Promise<RemoveContactsReply>;
    /** Adds a contact, optionally to groups. Fails with 422 if its phone is already in Everyone. (contacts:write) */
    addContact(input: { body: { FirstName?: string; LastName?: string; Notes?: string; PrimaryPhone?: string; SecondaryPhone?: string; TertiaryPhone?: string; CustomData?: Record<string, string>; ListIDs?: Array<number>; AllowDuplicate?: boolean } }, options?: CallOptions): Promise<AddContactReply>;
    /** Returns a contact with details of each phone. (contacts:read) */
    getContact(input: { params: { PersonID: number } }, options?: CallOptions): Promise<AddContactReply>;
    /** Updates a contact. ListIDs, if given, replaces all of its groups. (contacts:write) */
    updateContact(input: { params: { PersonID: number }; body: { FirstName?: string; LastName?: string; Notes?: string; PrimaryPhone?: string; SecondaryPhone?: string; TertiaryPhone?: string; CustomData?: Record<string, string>; ListIDs?: Array<number> } }, options?: CallOptions): Promise<{ PersonID: number; FirstName: string; LastName: string; Notes: string; PrimaryPhone: string; SecondaryPhone: string; TertiaryPhone: string; PrimaryPhoneTextable: boolean; SecondaryPhoneTextable: boolean; TertiaryPhoneTextable: boolean; PrimaryPhoneError: string; PrimaryPhoneOptedIn: boolean; PrimaryPhoneOptedOut: boolean; CustomData: Record<string, string>; Lists: Array<ListContactsReplyItemsItemListsItem>; LastTextTimestamp: (string | null); LastTextStatus: string; CreateTimestamp: string; Phones: Array<AddContactReplyPhonesItem>; UpdateTimestamp: string; IsDeleted: boolean; CreatedBy: string; FileName: string; UndoID: (number | null) }>;
    /** Moves a contact to Deleted, where it can be restored. (contacts:write) */
    deleteContact(input: { params: { PersonID: number } }, options?: CallOptions): Promise<{ UndoID: (number | null) }>;
    /** Lists a contact’s history: texts and calls with each phone, consent, and how the contact was added and edited. (contacts:read) */
    listContactHistory(input: { params: { PersonID: number }; query?: { pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListPhoneHistoryReplyItemsItem>; Next: (string | null) }>;
    /** Adds selected contacts to a group. Move also removes them from the list they were selected in. Moving from Deleted (-2) to Everyone (0) or a group restores them. (contacts:write) */
    copyContacts(input: { params: { ListID: number; TargetID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Move?: boolean } }, options?: CallOptions): Promise<RemoveContactsReply>;
    /** Undoes a change to contacts or groups. (contacts:write) */
    undoContacts(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Lists phones that belong to more than one contact, with those contacts. (contacts:read) */
    listDuplicates(input?: { query?: { pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ PhoneNumber: string; Contacts: Array<ListContactsReplyItemsItem> }>; Next: (string | null) }>;
    /** Merges several contacts into one. IsPreview only returns the result. (contacts:write) */
    mergeContacts(input: { body: { PersonIDs: Array<number>; IsPreview?: boolean } }, options?: CallOptions): Promise<{ UndoID: (number | null); Contact: AddContactReply; DroppedPhones: Array<string> }>;
    /** Returns the progress of a bulk change. (any key) */
    getWork(input: { params: { WorkID: number } }, options?: CallOptions): Promise<GetWorkReply>;
    /** Lists the user’s bulk changes in progress. (any key) */
    listWork(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<GetWorkReply> }>;
    /** Lists Everyone, Unfiled and Deleted, then the groups by name. (contacts:read) */
    listLists(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "name"; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListListsReplyItemsItem>; Size: number }>;
    /** Creates a group, or a segment if Segment is given. (contacts:write) */
    addList(input: { body: { ListName?: string; Color?: number; Segment?: ({ Match?: ("all" | "any"); Rules: Array<(AddListBodySegmentRulesItem | AddListBodySegmentRulesItem2 | { Kind: "consent"; Is: ("optedin" | "optedout" | "notasked" | "donotcall") } | AddListBodySegmentRulesItem3 | AddListBodySegmentRulesItem4)> } | null); PhoneListID?: string } }, options?: CallOptions): Promise<ListListsReplyItemsItem>;
    /** Returns a group. (contacts:read) */
    getList(input: { params: { ListID: number } }, options?: CallOptions): Promise<ListListsReplyItemsItem>;
    /** Renames a group, or changes its color, its segment conditions or its list ID for phone launch. (contacts:write) */
    updateList(input: { params: { ListID: number }; body: { ListName?: string; Color?: number; Segment?: ({ Match?: ("all" | "any"); Rules: Array<(AddListBodySegmentRulesItem | AddListBodySegmentRulesItem2 | { Kind: "consent"; Is: ("optedin" | "optedout" | "notasked" | "donotcall") } | AddListBodySegmentRulesItem3 | AddListBodySegmentRulesItem4)> } | null); PhoneListID?: string } }, options?: CallOptions): Promise<ListListsReplyItemsItem>;
    /** Deletes a group. Its contacts stay. (contacts:write) */
    deleteList(input: { params: { ListID: number } }, options?: CallOptions): Promise<{ UndoID: (number | null) }>;
    /** Counts the contacts that match a segment, and returns the first ones. (contacts:read) */
    countSegment(input: { body: { Segment: { Match?: ("all" | "any"); Rules: Array<(AddListBodySegmentRulesItem | AddListBodySegmentRulesItem2 | { Kind: "consent"; Is: ("optedin" | "optedout" | "notasked" | "donotcall") } | AddListBodySegmentRulesItem3 | AddListBodySegmentRulesItem4)> } } }, options?: CallOptions): Promise<{ Size: number; IsMore: boolean; Items: Array<ListContactsReplyItemsItem> }>;
    /** Lists the organization’s custom fields, oldest first. (contacts:read) */
    listCustomFields(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ FieldID: number; Name: string }> }>;
    /** Adds a custom field. (contacts:write) */
    addCustomField(input: { body: { Name?: string } }, options?: CallOptions): Promise<{ FieldID: number; Name: string }>;
    /** Renames a custom field. (contacts:write) */
    updateCustomField(input: { params: { FieldID: number }; body: { Name?: string } }, options?: CallOptions): Promise<{ FieldID: number; Name: string }>;
    /** Deletes a custom field and its values. (contacts:write) */
    deleteCustomField(input: { params: { FieldID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Prepares an export of selected contacts. Uri is its download address. (contacts:write) */
    exportContacts(input: { params: { ListID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Format?: ("csv" | "xlsx") } }, options?: CallOptions): Promise<{ ExportID: number; Uri: string }>;
    /** Downloads an export as it is created. (contacts:read) */
    downloadExport(input: { params: { ExportID: number; FileName: string } }, options?: CallOptions): Promise<Response>;
  };
  conversations: {
    /** Lists conversations, newest first. A search without dates covers the last two weeks. (conversations:read) */
    listConversations(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("latest" | "oldest"); next?: string; isDone?: (("true" | "false") | boolean); unread?: (("true" | "false") | boolean); viewing?: ("all" | "unread" | "waiting" | "noanswer" | "mine" | "unassigned" | "snoozed"); assignedTo?: number; textNumberId?: number; broadcastId?: number; tag?: ("autooptout" | number); notags?: (("true" | "false") | boolean); searchin?: ("both" | "people" | "texts"); 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ Items: Array<{ ConversationID: number; PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; Notes: string; TextNumberID: number; IsDone: boolean; IsRetired: boolean; IsAutoOptOut: boolean; OptedIn: boolean; OptedOut: boolean; UnreadCount: number; LastMessage: (ListConversationsReplyItemsItemLastMessage | null); Views: Array<ListConversationsReplyItemsItemViewsItem>; AssignedTo: (ListConversationsReplyItemsItemAssignedTo | null); SnoozedUntil: (string | null); Tags: Array<ListConversationsReplyItemsItemTagsItem>; ContinuedInID: (number | null); Found?: (ListConversationsReplyItemsItemLastMessage | null) }>; Next: (string | null); Size?: number; SearchedFrom?: (string | null); BroadcastName?: string }>;
    /** Texts up to 15 phones. Starts a conversation with each, or continues the existing one. Items says what happened to each phone. Fails if no text can be sent. (conversations:send) */
    createConversation(input: { body: { TextNumberID: number; IncludeSignature?: boolean; KeepCharacters?: boolean; LastMessage: { Contact: CreateConversationBodyLastMessageContact; Message?: string; MmsOutboundMedia?: Array<{ MediaID: number }> }; Contacts?: Array<CreateConversationBodyLastMessageContact>; UserID?: number } }, options?: CallOptions): Promise<{ ConversationID: number; PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; Notes: string; TextNumberID: number; IsDone: boolean; IsRetired: boolean; IsAutoOptOut: boolean; OptedIn: boolean; OptedOut: boolean; UnreadCount: number; LastMessage: (ListConversationsReplyItemsItemLastMessage | null); Views: Array<ListConversationsReplyItemsItemViewsItem>; AssignedTo: (ListConversationsReplyItemsItemAssignedTo | null); SnoozedUntil: (string | null); Tags: Array<ListConversationsReplyItemsItemTagsItem>; ContinuedInID: (number | null); TextMessageID: number; Items: Array<{ PersonID: (number | null); PhoneNumber: string; ConversationID: (number | null); TextMessageID: (number | null); Error: string }> }>;
    /** Updates selected conversations: done, unread, assigned, snoozed, tags. UndoID undoes the change. (conversations:write) */
    updateConversations(input: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("latest" | "oldest"); next?: string; isDone?: (("true" | "false") | boolean); unread?: (("true" | "false") | boolean); viewing?: ("all" | "unread" | "waiting" | "noanswer" | "mine" | "unassigned" | "snoozed"); assignedTo?: number; textNumberId?: number; broadcastId?: number; tag?: ("autooptout" | number); notags?: (("true" | "false") | boolean); searchin?: ("both" | "people" | "texts"); 'date-from'?: string; 'date-to'?: string }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: { IsDone?: boolean; AssignedUserID?: (number | null); SnoozedUntil?: (string | null); IsUnread?: true; AddTagIDs?: Array<number>; RemoveTagIDs?: Array<number> } } }, options?: CallOptions): Promise<{ UndoID: (number | null); Size: number; WorkID?: number }>;
    /** Returns a conversation. (conversations:read) */
    getConversation(input: { params: { ConversationID: number } }, options?: CallOptions): Promise<GetConversationReply>;
    /** Updates a conversation: done, opted in or out, assigned, snoozed, tags. Opting in requires a declaration of consent. UndoID undoes the change. (conversations:write) */
    updateConversation(input: { params: { ConversationID: number }; body: { IsDone?: boolean; AssignedUserID?: (number | null); SnoozedUntil?: (string | null); IsAutoOptOut?: boolean; UserIndicatedConsentDeclared?: boolean; notags?: boolean; TagIDs?: Array<number> } }, options?: CallOptions): Promise<{ ConversationID: number; PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; Notes: string; TextNumberID: number; IsDone: boolean; IsRetired: boolean; IsAutoOptOut: boolean; OptedIn: boolean; OptedOut: boolean; UnreadCount: number; LastMessage: (ListConversationsReplyItemsItemLastMessage | null); Views: Array<ListConversationsReplyItemsItemViewsItem>; AssignedTo: (ListConversationsReplyItemsItemAssignedTo | null); SnoozedUntil: (string | null); Tags: Array<ListConversationsReplyItemsItemTagsItem>; ContinuedInID: (number | null); UndoID: (number | null) }>;
    /** Previews each recipient’s text, or the reason they can’t get one, in the order given. (conversations:read) */
    previewMerge(input: { body: { Contacts: Array<CreateConversationBodyLastMessageContact>; HasMedia?: boolean; IncludeSignature?: boolean; KeepCharacters?: boolean; TemplateText?: string } }, options?: CallOptions): Promise<Array<{ TemplateMergeMessageStatus: ("Valid" | "MissingData" | "ExceedsLimit" | "InvalidField" | "InvalidPhone" | "NotTextable" | "OptedOut" | "NotOptedIn" | "NotVerified" | "AccountBlocked" | "Duplicate"); TextMessage: string; PhoneNumber: string; PersonID: (number | null); Error: string; Segments: number; Credits: number }>>;
    /** Undoes a change to conversations. The returned UndoID redoes it. (conversations:write) */
    undoConversations(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Reports that the user is viewing the conversation, and marks it as read. (conversations:write) */
    viewConversation(input: { params: { ConversationID: number } }, options?: CallOptions): Promise<GetConversationReply>;
    /** Counts the conversations in each view. (conversations:read) */
    getConversationsSummary(input?: { query?: { textNumberId?: number } }, options?: CallOptions): Promise<{ UnreadCount: number; OpenCount: number; MineCount: number; MineUnreadCount: number; UnassignedCount: number; SnoozedCount: number; DoneCount: number; AutoOptOutCount: number; NoAnswerCount: number; TextNumbers: Array<{ TextNumberID: number; UnreadCount: number; OpenCount: number }> }>;
    /** Returns the last 20 conversations marked done since midnight in the user’s time zone, and the total. (conversations:read) */
    listDoneToday(input?: { query?: { textNumberId?: number } }, options?: CallOptions): Promise<{ Items: Array<GetConversationReply>; Size: number }>;
    /** Lists the texts of a conversation, newest first, 50 per page. (conversations:read) */
    listTextMessages(input: { params: { ConversationID: number }; query?: { pagesize?: number; next?: string; around?: number; previous?: string } }, options?: CallOptions): Promise<{ Items: Array<ListTextMessagesReplyItemsItem>; Next: (string | null); Size?: number; Previous?: (string | null) }>;
    /** Sends a text in a conversation. (conversations:send) */
    sendTextMessage(input: { params: { ConversationID: number }; body: { Message?: string; MmsOutboundMedia?: Array<{ MediaID: number }>; IncludeSignature?: boolean; KeepCharacters?: boolean; LastTextMessageID?: number; UserID?: number } }, options?: CallOptions): Promise<ListTextMessagesReplyItemsItem>;
    /** Returns a text and its conversation. (conversations:read) */
    getTextMessage(input: { params: { TextMessageID: number } }, options?: CallOptions): Promise<{ TextMessageID: number; IsInbound: boolean; Message: string; CreateTimestamp: string; Mms: boolean; MmsOutboundMedia: Array<{ MediaID: number }>; Media: Array<BeginSequenceReplyStepsItemMediaItem>; ExplicitStatus: (number | null); Status: string; StatusTimestamp: (string | null); Segments: number; Credits: number; Origin: ("conversation" | "inbound" | "broadcast" | "automatic" | "notification"); SentBy: ({ UserID: number; Name: string } | null); Broadcast?: ({ BroadcastID: number; BroadcastName: string } | null); ConversationID: number }>;
    /** Sends a failed text again as a new text. TruncateIfExceedsLimit shortens a text over the user’s limit; without it, the call fails. (conversations:send) */
    resendTextMessage(input: { params: { TextMessageID: number }; body: { TruncateIfExceedsLimit?: boolean } }, options?: CallOptions): Promise<ListTextMessagesReplyItemsItem>;
    /** Puts a conversation back among the unread. (conversations:write) */
    markConversationUnread(input: { params: { ConversationID: number } }, options?: CallOptions): Promise<GetConversationReply>;
    /** Moves selected conversations, or one phone, to another text number. Tags, notes and the assignee move along. The old conversations become read-only. (conversations:write) */
    moveConversations(input: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("latest" | "oldest"); next?: string; isDone?: (("true" | "false") | boolean); unread?: (("true" | "false") | boolean); viewing?: ("all" | "unread" | "waiting" | "noanswer" | "mine" | "unassigned" | "snoozed"); assignedTo?: number; textNumberId?: number; broadcastId?: number; tag?: ("autooptout" | number); notags?: (("true" | "false") | boolean); searchin?: ("both" | "people" | "texts"); 'date-from'?: string; 'date-to'?: string }; body: { TextNumberIDFrom?: number; TextNumberIDTo: number; PhoneNumber?: string; Selection?: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<{ Size: number; ConversationID: (number | null); WorkID?: number }>;
    /** Lists the organization’s tags by name. Doesn’t include the built-in tag for auto opt-outs. (conversations:read) */
    listTags(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<ListConversationsReplyItemsItemTagsItem>; Size: number }>;
    /** Adds a tag. (conversations:write) */
    addTag(input: { body: { TagName: string; Color?: number } }, options?: CallOptions): Promise<ListConversationsReplyItemsItemTagsItem>;
    /** Renames a tag or changes its color. (conversations:write) */
    updateTag(input: { params: { TagID: number }; body: { TagName?: string; Color?: number } }, options?: CallOptions): Promise<ListConversationsReplyItemsItemTagsItem>;
    /** Deletes a tag and removes it from all conversations. (conversations:write) */
    deleteTag(input: { params: { TagID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Lists the notes of a conversation, newest first. (conversations:read) */
    listNotes(input: { params: { ConversationID: number }; query?: { pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListNotesReplyItemsItem>; Next: (string | null); Size?: number }>;
    /** Adds a note to a conversation. Only the team sees it. (conversations:write) */
    addNote(input: { params: { ConversationID: number }; body: { Note: string } }, options?: CallOptions): Promise<ListNotesReplyItemsItem>;
    /** Updates a note. (conversations:write) */
    updateNote(input: { params: { ConversationID: number; NoteID: number }; body: { Note: string } }, options?: CallOptions): Promise<ListNotesReplyItemsItem>;
    /** Deletes a note. (conversations:write) */
    deleteNote(input: { params: { ConversationID: number; NoteID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
  };
  scheduled: {
    /** Schedules a text to up to 15 people. It’s sent once, at that minute, or as soon as the server is running again. (conversations:send) */
    scheduleConversation(input: { body: { Contacts: Array<CreateConversationBodyLastMessageContact>; TextNumberID: number; TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; KeepCharacters?: boolean; PrimaryPhoneNumbersOnly?: boolean; StartDate: string; User?: { UserID: number } } }, options?: CallOptions): Promise<ScheduleConversationReply>;
    /** Lists the scheduled texts of the user’s text numbers, next one first. ended=true lists those that were sent, canceled or failed. (conversations:read) */
    listScheduledConversations(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("startdate" | "-startdate"); next?: string; textNumberId?: number; ended?: (("true" | "false") | boolean) } }, options?: CallOptions): Promise<{ Items: Array<ScheduleConversationReply>; Size: number }>;
    /** Returns a scheduled text. (conversations:read) */
    getScheduledConversation(input: { params: { ScheduledConversationID: number } }, options?: CallOptions): Promise<ScheduleConversationReply>;
    /** Updates a scheduled text. Fails once it was sent or canceled. (conversations:send) */
    updateScheduledConversation(input: { params: { ScheduledConversationID: number }; body: { Contacts: Array<CreateConversationBodyLastMessageContact>; TextNumberID: number; TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; KeepCharacters?: boolean; PrimaryPhoneNumbersOnly?: boolean; StartDate: string } }, options?: CallOptions): Promise<ScheduleConversationReply>;
    /** Sends a scheduled text now. Repeating the call doesn’t send it twice. (conversations:send) */
    sendScheduledConversation(input: { params: { ScheduledConversationID: number } }, options?: CallOptions): Promise<ScheduleConversationReply>;
    /** Cancels a scheduled text. (conversations:write) */
    cancelScheduledConversation(input: { params: { ScheduledConversationID: number } }, options?: CallOptions): Promise<ScheduleConversationReply>;
  };
  audio: {
    /** Lists the recordings that the user can use: their own, and shared ones if they can see group audio. (library:read) */
    listAudio(input?: { query?: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); type?: ("announcement" | "survey" | "transfer-connect"); page?: number; pagesize?: number; sort?: ("name" | "-name" | "newest" | "oldest" | "length" | "-length" | "used") } }, options?: CallOptions): Promise<{ Items: Array<ListAudioReplyItemsItem>; Size: number }>;
    /** Stars or shares the selected recordings that match the filter. (library:write) */
    updateAudioSelection(input: { query?: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); type?: ("announcement" | "survey" | "transfer-connect") }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: ({ Favorite: boolean } | { Shared: boolean }) } }, options?: CallOptions): Promise<{ UndoID: (number | null); Size: number }>;
    /** Deletes the selected recordings that match the filter, except read-only ones. (library:write) */
    deleteAudio(input: { query?: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); type?: ("announcement" | "survey" | "transfer-connect") }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<{ UndoID: (number | null); Size: number }>;
    /** Counts the recordings in each view. (library:read) */
    getAudioSummary(input?: Record<string, never>, options?: CallOptions): Promise<{ All: number; Favorited: number; Shared: number; Unused: number }>;
    /** Lists the text-to-speech voices. Omits voices of a service that isn’t responding. (library:read) */
    listVoices(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ VoiceID: string; Name: string; Language: string; Provider: string; IsNatural: boolean }> }>;
    /** Returns a recording. (library:read) */
    getAudio(input: { params: { AudioID: number } }, options?: CallOptions): Promise<ListAudioReplyItemsItem>;
    /** Renames, stars or shares a recording, or trims silence from its start and end. You can only star recordings of other users. (library:write) */
    updateAudio(input: { params: { AudioID: number }; body: { Name?: string; AudioType?: ("announcement" | "survey" | "transfer-connect"); Favorite?: boolean; Shared?: boolean; SilenceCut?: boolean } }, options?: CallOptions): Promise<ListAudioReplyItemsItem>;
    /** Uploads an MP3 or WAV file as the raw body and prepares it for calls. X-Audio-Origin says where the recording came from. (library:write) */
    uploadAudio(input: { params: { FileName: string }; query?: { type?: ("announcement" | "survey" | "transfer-connect"); cutsilence?: (("true" | "false") | boolean) }; body: FileBody }, options?: CallOptions): Promise<ListAudioReplyItemsItem>;
    /** Undoes a change to recordings. (library:write) */
    undoAudio(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Downloads a recording as MP3. Include=archived also finds deleted recordings. (library:read) */
    downloadAudio(input: { params: { AudioID: number }; query?: { Include?: "archived" } }, options?: CallOptions): Promise<Response>;
    /** Downloads the selected recordings as MP3 files in one archive. (library:read) */
    downloadAudioSelection(input: { query: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); type?: ("announcement" | "survey" | "transfer-connect"); select: ("Selected" | "SelectedAll" | "SelectedAllExcept"); items?: string } }, options?: CallOptions): Promise<Response>;
    /** Converts text to speech without saving it. Returns a WAV file in Base64 and any problem with its length. (library:write) */
    previewSpeech(input: { body: { Text: string; VoiceID: string; Rate?: number } }, options?: CallOptions): Promise<{ Length: number; Peaks: Array<number>; Wav: string; Problem: (string | null) }>;
    /** Converts text to speech and saves the recording. (library:write) */
    createSpeech(input: { body: { Text: string; VoiceID: string; Rate?: number; Name: string; AudioType?: ("announcement" | "survey" | "transfer-connect") } }, options?: CallOptions): Promise<ListAudioReplyItemsItem>;
  };
  templates: {
    /** Lists the saved texts that the user can use: their own and shared ones. q searches name, shortcut, text and labels. (library:read) */
    listTemplates(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("name" | "-name" | "newest" | "used" | "-used"); next?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); label?: string } }, options?: CallOptions): Promise<{ Items: Array<ListTemplatesReplyItemsItem>; Size: number }>;
    /** Saves a text. (library:write) */
    addTemplate(input: { body: { TemplateName: string; TemplateText?: string; TemplateType?: "Text"; Shortcut?: string; IsShared?: boolean; Media?: Array<{ MediaID: number }>; Labels?: Array<string> } }, options?: CallOptions): Promise<ListTemplatesReplyItemsItem>;
    /** Stars or shares the selected saved texts that match the filter. (library:write) */
    updateTemplateSelection(input: { query?: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); label?: string }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: ({ IsFavorite: boolean } | { IsShared: boolean }) } }, options?: CallOptions): Promise<{ UndoID: (number | null); Size: number }>;
    /** Deletes the selected saved texts that match the filter, except read-only ones. (library:write) */
    deleteTemplates(input: { query?: { q?: string; isfavorite?: (("true" | "false") | boolean); isshared?: (("true" | "false") | boolean); unused?: (("true" | "false") | boolean); label?: string }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<{ UndoID: (number | null); Size: number }>;
    /** Counts the saved texts in each view, and those with each label. (library:read) */
    getTemplateSummary(input?: Record<string, never>, options?: CallOptions): Promise<{ All: number; Favorited: number; Shared: number; Unused: number; Labels: Array<{ Name: string; Count: number }> }>;
    /** Updates or stars a saved text. You can only star texts of other users. Admins can also update shared texts. (library:write) */
    updateTemplate(input: { params: { TemplateID: number }; body: { TemplateName?: string; TemplateText?: string; Shortcut?: string; IsShared?: boolean; IsFavorite?: boolean; Media?: Array<{ MediaID: number }>; Labels?: Array<string> } }, options?: CallOptions): Promise<ListTemplatesReplyItemsItem>;
    /** Deletes a saved text. (library:write) */
    deleteTemplate(input: { params: { TemplateID: number } }, options?: CallOptions): Promise<{ UndoID: (number | null) }>;
    /** Undoes a change to saved texts. (library:write) */
    undoTemplates(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
  };
  consents: {
    /** Lists the phones that have opted out of texts, calls or both, newest first. (consent:read) */
    listOptOuts(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "latest"; next?: string; filter?: ("all" | "voice" | "text" | "both"); 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ Items: Array<{ PhoneNumber: string; PersonID: (number | null); FirstName: string; LastName: string; TextOptedOut: boolean; TextTimestamp: (string | null); VoiceOptedOut: boolean; VoiceTimestamp: (string | null); Source: string; Wording: string }>; Next: (string | null); Size?: number }>;
    /** Downloads the opt-outs as a file. (consent:read) */
    downloadOptOuts(input?: { query?: { q?: string; filter?: ("all" | "voice" | "text" | "both"); 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
    /** Lists a phone’s opt-ins and opt-outs, newest first. (reports:read) */
    listConsentEvents(input: { params: { Number: string }; query?: { pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ ConsentEventID: number; Timestamp: string; Channel: ("text" | "voice" | "both"); State: ("in" | "out" | "none"); Source: ("inbound" | "user" | "carrier" | "import" | "web" | "call"); Wording: string; UserName: string; FileName: string; TextMessageID: (number | null); Address: string }>; Next: (string | null); Size?: number }>;
    /** Downloads the consent record of a phone: every opt-in and opt-out with its time, source, user and wording. (reports:read) */
    downloadConsentEvents(input: { params: { Number: string } }, options?: CallOptions): Promise<Response>;
    /** Opts a phone in or out. Opting in requires a declaration of consent. (consent:write) */
    changeConsent(input: { params: { Number: string }; body: { Channel: ("text" | "voice" | "both"); State: ("in" | "out"); Wording?: string; UserIndicatedConsentDeclared?: boolean } }, options?: CallOptions): Promise<{ UndoID: (number | null) }>;
    /** Undoes an opt-in or opt-out that a user made. (consent:write) */
    undoConsent(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Returns whether a number can be texted, and its consent. (contacts:read) */
    getPhoneNumber(input: { params: { Number: string }; query?: { include?: "all" } }, options?: CallOptions): Promise<GetPhoneNumberReply>;
    /** Does the same for up to 1,000 numbers, keyed by the number as given. (contacts:write) */
    lookUpPhoneNumbers(input: { query?: { include?: "all" }; body: { Source: Array<string> } }, options?: CallOptions): Promise<Record<string, GetPhoneNumberReply>>;
    /** Says whether a number can be reached and, with includeTextability, whether it can be texted. (contacts:read) */
    validatePhoneNumber(input: { query?: { includeTextability?: ("true" | "false") }; body: { Source: string; CountryID?: number } }, options?: CallOptions): Promise<{ Success: boolean; ErrorMessage: string; IsTextablePhone?: boolean }>;
  };
  imports: {
    /** Uploads a spreadsheet (CSV or XLSX). Returns its tabs, headings, first rows and suggested columns. (contacts:write) */
    uploadFile(input: { params: { FileName: string }; body: FileBody }, options?: CallOptions): Promise<UploadFileReply>;
    /** Lists the user’s recent files, including imports in progress. (contacts:read) */
    listFiles(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<UploadFileReply> }>;
    /** Returns a file and its progress. (contacts:read) */
    getFile(input: { params: { FileID: number } }, options?: CallOptions): Promise<UploadFileReply>;
    /** Sets the columns, then reads and checks the whole file. If the columns haven’t changed, keeps the result and any fixed rows. (contacts:write) */
    processFile(input: { params: { FileID: number }; body: { TabNumber: number; HasHeader: boolean; Columns: { FirstName?: (number | null); LastName?: (number | null); Phone1?: (number | null); Phone2?: (number | null); Phone3?: (number | null); AreaCode1?: (number | null); AreaCode2?: (number | null); AreaCode3?: (number | null); Notes?: (number | null); Groups?: (number | null); CustomData?: Array<{ ColumnNumber: number; Name: string }> }; Duplicates?: ("update" | "skip" | "add") } }, options?: CallOptions): Promise<UploadFileReply>;
    /** Cancels a file. Undoes an import in progress completely. (contacts:write) */
    cancelFile(input: { params: { FileID: number } }, options?: CallOptions): Promise<UploadFileReply>;
    /** Lists the rows of a file as they were read, by kind. (contacts:read) */
    listFileRows(input: { params: { FileID: number }; query?: { kind?: ("good" | "repaired" | "duplicate" | "existing" | "rejected"); pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListFileRowsReplyItemsItem>; Next: (string | null); Size?: number }>;
    /** Corrects or leaves out rows. Returns the rows that still have a problem, with the reason. (contacts:write) */
    mendFileRows(input: { params: { FileID: number }; body: { Items: Array<{ RowNumber: number; IsRemoved?: boolean; FirstName?: string; LastName?: string; Notes?: string; PrimaryPhone?: string; SecondaryPhone?: string; TertiaryPhone?: string }> } }, options?: CallOptions): Promise<{ Items: Array<ListFileRowsReplyItemsItem>; File: UploadFileReply }>;
    /** Downloads every row that was left out, as it was in the file, with the reason. (contacts:read) */
    downloadRejectedRows(input: { params: { FileID: number } }, options?: CallOptions): Promise<Response>;
    /** Imports the rows of a file into a group or Everyone (0). (contacts:write) */
    importFile(input: { params: { ListID: number }; body: { FileID: number; UserIndicatedConsentDeclared?: boolean } }, options?: CallOptions): Promise<UploadFileReply>;
    /** Undoes an import completely. (contacts:write) */
    undoFile(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Adds pasted contacts to a group or Everyone (0). Existing contacts are only added to the group. (contacts:write) */
    pasteContacts(input: { params: { ListID: number }; body: { Items: Array<{ Name?: string; PrimaryPhone: string }>; UserIndicatedConsentDeclared?: boolean } }, options?: CallOptions): Promise<{ CreatedCount: number; ExistingCount: number; Existing: Array<{ Position: number; PersonID: number; FirstName: string; LastName: string }>; Invalid: Array<{ Position: number; Message: string }>; UndoID: (number | null) }>;
  };
  replies: {
    /** Lists the auto replies of text numbers, oldest first. (numbers:read) */
    listAutoReplies(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "id"; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListAutoRepliesReplyItemsItem>; Size: number }>;
    /** Creates an auto reply for text numbers. (numbers:write) */
    addAutoReply(input: { body: AddAutoReplyBody }, options?: CallOptions): Promise<ListAutoRepliesReplyItemsItem>;
    /** Updates an auto reply, its schedule and its text numbers. (numbers:write) */
    updateAutoReply(input: { params: { AutoReplyID: number }; body: AddAutoReplyBody }, options?: CallOptions): Promise<ListAutoRepliesReplyItemsItem>;
    /** Deletes an auto reply. Its numbers use the account’s auto reply again. (numbers:write) */
    deleteAutoReply(input: { params: { AutoReplyID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Returns the auto reply of a text number, if it has one. (numbers:read) */
    listAutoRepliesOfNumber(input: { params: { TextNumberID: number } }, options?: CallOptions): Promise<{ Items: Array<ListAutoRepliesReplyItemsItem>; Size: number }>;
    /** Lists the keywords alphabetically. (numbers:read) */
    listKeywords(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "keyword"; next?: string; textNumberId?: number } }, options?: CallOptions): Promise<{ Items: Array<ListKeywordsReplyItemsItem>; Size: number }>;
    /** Adds a keyword to text numbers. (numbers:write) */
    addKeyword(input: { body: AddKeywordBody }, options?: CallOptions): Promise<ListKeywordsReplyItemsItem>;
    /** Updates a keyword, its reply, its group or its text numbers. (numbers:write) */
    updateKeyword(input: { params: { KeywordID: number }; body: AddKeywordBody }, options?: CallOptions): Promise<ListKeywordsReplyItemsItem>;
    /** Deletes a keyword. (numbers:write) */
    deleteKeyword(input: { params: { KeywordID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
  };
  media: {
    /** Uploads a picture as the raw body, to send with a text. (library:write) */
    uploadImage(input: { params: { FileName: string }; query?: { use?: ("broadcast" | "conversation") }; body: FileBody }, options?: CallOptions): Promise<BeginSequenceReplyStepsItemMediaItem>;
    /** Marks a picture as explicit or not, overriding automatic detection. (library:write) */
    classifyMedia(input: { params: { MediaID: number }; body: { ExplicitStatus: (4 | 6) } }, options?: CallOptions): Promise<BeginSequenceReplyStepsItemMediaItem>;
  };
  purchases: {
    /** Lists what was paid by card, newest first. (reports:read) */
    listBillingHistory(input?: { query?: { 'date-from'?: string; 'date-to'?: string; pagesize?: number; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ ChargeID: number; ChargeTimestamp: string; ChargeType: string; Description: string; Amount: number; SalesTax: number; TotalAmount: number; RefundedAmount: number; CardLabel: string; InvoiceID: (number | null) }>; Next: (string | null); Size?: number }>;
    /** Downloads what was paid by card. Covers a year if no dates are given. (reports:read) */
    downloadBillingHistory(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
    /** Lists what changed the credit balance, newest first, with the balance after it. (reports:read) */
    listCreditBalance(input?: { query?: { 'date-from'?: string; 'date-to'?: string; pagesize?: number; next?: string; all?: (("true" | "false") | boolean) } }, options?: CallOptions): Promise<{ Items: Array<{ CreditEntryID: number; Date: string; Kind: string; Description: string; Credits: number; Balance: number }>; Next: (string | null); Size?: number }>;
    /** Downloads what changed the credit balance. Covers a year if no dates are given. (reports:read) */
    downloadCreditBalance(input?: { query?: { 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
    /** Returns the credits and messages used by day and by user, what they were used for, and the totals of the days before. (reports:read) */
    getUsageSummary(input?: { query?: { 'date-from'?: string; 'date-to'?: string; days?: number; users?: ("all users" | "enabled" | "disabled") } }, options?: CallOptions): Promise<{ StartDate: string; EndDate: string; Credits: number; Broadcasts: number; Conversations: number; Calls: number; Messages: number; BroadcastMessages: number; ConversationMessages: number; CallMessages: number; Before: { Credits: number; Broadcasts: number; Conversations: number; Calls: number; Messages: number; BroadcastMessages: number; ConversationMessages: number; CallMessages: number }; Days: Array<{ Date: string; Credits: number; Broadcasts: number; Conversations: number; Calls: number; Messages: number; BroadcastMessages: number; ConversationMessages: number; CallMessages: number }>; Users: Array<{ UserID: (number | null); Name: string; Role: (("owner" | "admin" | "user") | null); IsActive: boolean; Credits: number; Broadcasts: number; Conversations: number; Calls: number; Messages: number; BroadcastMessages: number; ConversationMessages: number; CallMessages: number }> }>;
    /** Downloads the usage: one row per day and user. (reports:read) */
    downloadUsageSummary(input?: { query?: { 'date-from'?: string; 'date-to'?: string; days?: number; users?: ("all users" | "enabled" | "disabled") } }, options?: CallOptions): Promise<Response>;
  };
  invoices: {
    /** Lists invoices, newest first. category=outstanding returns those with a balance due. (reports:read) */
    listInvoices(input?: { query?: { page?: number; pagesize?: number; category?: ("Unpaid" | "Partially Paid" | "Pending" | "Paid" | "Voided" | "outstanding"); q?: string; 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<{ Items: Array<{ InvoiceID: number; Amount: number; BalanceDue: number; GrandTotal: number; MonthlyFee: (number | null); PartialCredits: number; SalesTax: number; Tax: number; InvoiceStatusCategory: ("Unpaid" | "Partially Paid" | "Pending" | "Paid" | "Voided" | "outstanding"); ChargeTimestamp: string; PoNumber: string; AdditionalNotes: string; InvoiceAddressID: (number | null); AutoRenewInvoices: boolean; IsPayG: boolean; AddCreditsToAccount: boolean; SendEmail: boolean; SubscriptionDuration: (number | null); SubscriptionStartDate: (string | null); SubscriptionEndDate: (string | null); MaxPeople: (number | null); NumberOfCredits: (number | null); Terms: string; CustomPricing: (string | null); Description: string; TaxLabel: string; Quantity: number; UnitCost: (number | null); CreatedBy: string; BillTo: Array<string>; EmailedTo: string; EmailedDate: (string | null) }>; Size: number }>;
    /** Returns an invoice with its payments. (reports:read) */
    getInvoice(input: { params: { InvoiceID: number } }, options?: CallOptions): Promise<{ InvoiceID: number; Amount: number; BalanceDue: number; GrandTotal: number; MonthlyFee: (number | null); PartialCredits: number; SalesTax: number; Tax: number; InvoiceStatusCategory: ("Unpaid" | "Partially Paid" | "Pending" | "Paid" | "Voided" | "outstanding"); ChargeTimestamp: string; PoNumber: string; AdditionalNotes: string; InvoiceAddressID: (number | null); AutoRenewInvoices: boolean; IsPayG: boolean; AddCreditsToAccount: boolean; SendEmail: boolean; SubscriptionDuration: (number | null); SubscriptionStartDate: (string | null); SubscriptionEndDate: (string | null); MaxPeople: (number | null); NumberOfCredits: (number | null); Terms: string; CustomPricing: (string | null); Description: string; TaxLabel: string; Quantity: number; UnitCost: (number | null); CreatedBy: string; BillTo: Array<string>; EmailedTo: string; EmailedDate: (string | null); Payments: Array<{ PaymentID: number; Amount: number; Date: string; Method: string; By: string }>; From: Array<string> }>;
    /** Returns an invoice as a PDF. (reports:read) */
    downloadInvoice(input: { params: { InvoiceID: number } }, options?: CallOptions): Promise<Response>;
    /** Downloads the list of invoices. (reports:read) */
    downloadInvoices(input?: { query?: { category?: ("Unpaid" | "Partially Paid" | "Pending" | "Paid" | "Voided" | "outstanding"); 'date-from'?: string; 'date-to'?: string } }, options?: CallOptions): Promise<Response>;
  };
  drafts: {
    /** Creates a draft. (broadcasts:write) */
    createDraft(input: { body: CreateDraftBody }, options?: CallOptions): Promise<CreateDraftReply>;
    /** Lists the drafts, newest first. (broadcasts:read) */
    listDrafts(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "-updated"; next?: string } }, options?: CallOptions): Promise<{ Items: Array<{ DraftBroadcastID: number; BroadcastName: string; BroadcastType: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); TextMessage: string; TotalTextNumberCount: number; Step: number; User: { UserID: number; Name: string }; UpdateTimestamp: string }>; Next: (string | null); Size?: number }>;
    /** Returns a draft with its cost and duration, for the text and start in the query or its own. (broadcasts:read) */
    getDraft(input: { params: { DraftBroadcastID: number }; query?: { broadcasttype?: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); callthrottle?: number; textmessagelength?: number; audio?: number; audiovm?: number; isEnhanced?: (("true" | "false") | boolean); istransfer?: (("true" | "false") | boolean); isPersonalized?: (("true" | "false") | boolean); startdate?: string; textNumberID?: number } }, options?: CallOptions): Promise<CreateDraftReply>;
    /** Saves a draft. Fields that aren’t sent stay the same. (broadcasts:write) */
    updateDraft(input: { params: { DraftBroadcastID: number }; body: CreateDraftBody }, options?: CallOptions): Promise<CreateDraftReply>;
    /** Deletes a draft. (broadcasts:write) */
    deleteDraft(input: { params: { DraftBroadcastID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Changes the type of a draft. (broadcasts:write) */
    updateDraftType(input: { params: { DraftBroadcastID: number }; body: { BroadcastTypeDesc: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey?: boolean } }, options?: CallOptions): Promise<CreateDraftReply>;
    /** Lists a draft’s recipients. phonenumber finds those with that number. (broadcasts:read) */
    listDraftContacts(input: { params: { DraftBroadcastID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: ("added" | "-added" | "name" | "-name"); next?: string; problem?: ("good" | "leftout" | "duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often"); sourceId?: number; phonenumber?: string } }, options?: CallOptions): Promise<{ Items: Array<ListDraftContactsReplyItemsItem>; Next: (string | null); Size: number; IsMore: boolean }>;
    /** Adds one recipient to a draft. Fails at the field if the number can’t be texted or was already added. (broadcasts:write) */
    addDraftContact(input: { params: { DraftBroadcastID: number }; body: { PersonID?: number; FirstName?: string; LastName?: string; PrimaryPhone: string; CustomData?: Record<string, string> } }, options?: CallOptions): Promise<ListDraftContactsReplyItemsItem>;
    /** Updates a recipient of a draft. The contact stays the same. (broadcasts:write) */
    updateDraftContact(input: { params: { DraftBroadcastID: number }; body: { FirstName?: string; LastName?: string; PrimaryPhone: string; CustomData?: Record<string, string>; RecipientID: number } }, options?: CallOptions): Promise<ListDraftContactsReplyItemsItem>;
    /** Removes recipients from a draft: the selected ones, all search results, or everyone from a source along with the source. (broadcasts:write) */
    removeDraftContacts(input: { params: { DraftBroadcastID: number }; query?: { q?: string; problem?: ("good" | "leftout" | "duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often"); sourceId?: number }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<{ UndoID: (number | null); RemovedCount: number; WorkID: (number | null) }>;
    /** Restores recipients removed from a draft, along with their sources. (broadcasts:write) */
    undoDraftContacts(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Adds pasted numbers to a draft. Invalid ones are listed as invalid. (broadcasts:write) */
    addDraftNumbers(input: { params: { DraftBroadcastID: number }; body: { Items: Array<{ PrimaryPhone: string; Name?: string }> } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Adds everyone in these groups and segments to a draft. (broadcasts:write) */
    addDraftLists(input: { params: { DraftBroadcastID: number }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<{ ListID: number }> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Adds the rows of a reviewed file to a draft (see the calls under /fileuploads). (broadcasts:write) */
    addDraftFile(input: { params: { DraftBroadcastID: number }; body: { FileID: number; UserIndicatedConsentDeclared?: boolean } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Creates a draft for selected contacts of a group or Everyone (0). (broadcasts:write) */
    contactsToNewDraft(input: { params: { ListID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<(number | { PersonID: number })> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Adds selected contacts of a group or Everyone (0) to a draft. (broadcasts:write) */
    contactsToDraft(input: { params: { ListID: number; DraftBroadcastID: number }; query?: { q?: string; consent?: ("optedin" | "optedout" | "notasked" | "donotcall"); problem?: (("true" | "false") | boolean) }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<(number | { PersonID: number })> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Creates a draft for groups and segments. (broadcasts:write) */
    listsToNewDraft(input: { body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<{ ListID: number }> } } }, options?: CallOptions): Promise<IntegrationGroupsToDraftReply>;
    /** Counts the recipients who get the broadcast and those left out, by reason. (broadcasts:read) */
    getContactSummary(input: { params: { DraftBroadcastID: number } }, options?: CallOptions): Promise<GetContactSummaryReply>;
    /** For an emergency: the draft goes to everybody, whatever the account’s limit of broadcasts for a person. IsSetAside false keeps the draft to the limit again. (broadcasts:write) */
    setFrequencyAside(input: { params: { DraftBroadcastID: number }; body: { IsSetAside: boolean } }, options?: CallOptions): Promise<GetContactSummaryReply>;
    /** Downloads everyone who is left out, with the reason. (broadcasts:read) */
    downloadLeftOut(input: { params: { DraftBroadcastID: number } }, options?: CallOptions): Promise<Response>;
    /** Returns what will happen when the draft is sent. (broadcasts:read) */
    getPreflight(input: { params: { DraftBroadcastID: number } }, options?: CallOptions): Promise<{ Summary: GetContactSummaryReply; Cost: GetPreflightReplyCost; Starts: string; Ends: string; Plan: Array<GetPreflightReplyPlanItem>; Calls: ({ Called: number; Texted: number; Reached: number; LeftOut: Array<{ Problem: ("duplicate" | "opted_out" | "not_opted_in" | "not_textable" | "unreachable" | "invalid" | "not_verified" | "excluded" | "too_long" | "invalid_field" | "missing_data" | "do_not_call" | "too_often"); Count: number }>; CallerID: string; Lines: number; StartsPerSecond: number; LiveSeconds: (number | null); VoicemailSeconds: (number | null); CreditsEach: number; Credits: number; Window: string; Plan: Array<GetPreflightReplyPlanItem>; Starts: string; Ends: string; Expiring: number } | null); QuietHours: { IsOn: boolean; Start: string; Stop: string }; Checks: Array<{ Kind: ("ok" | "warning" | "error"); Text: string }>; Sample: ({ Name: string; PhoneNumber: string; TextMessage: string; Segments: number } | null); Refusal: ({ ErrorCode: number; Message: string } | null) }>;
    /** Sends a test to the user’s phone or the given one, personalized for the given recipient or the first one. (broadcasts:send) */
    sendTest(input: { params: { DraftBroadcastID: number }; body: { RecipientID?: number; PhoneNumber?: string; Text?: ("First" | "Second") } }, options?: CallOptions): Promise<{ PhoneNumber: string; Credits: number }>;
    /** Personalizes a draft’s text for all its recipients, in the background. (broadcasts:write) */
    mergeDraft(input: { params: { DraftBroadcastID: number }; body: { TemplateText?: string; IncludeSignature?: boolean } }, options?: CallOptions): Promise<MergeDraftReply>;
    /** Does the same for the draft named in the body. (broadcasts:write) */
    createTemplateMerge(input: { body: { DraftBroadcastID: number; TemplateText?: string; IncludeSignature?: boolean } }, options?: CallOptions): Promise<MergeDraftReply>;
    /** Returns the progress and results of a merge. (broadcasts:read) */
    getTemplateMerge(input: { params: { TemplateMergeID: number } }, options?: CallOptions): Promise<MergeDraftReply>;
    /** Lists the texts that can’t be sent or were left out. filter=all lists every text. (broadcasts:read) */
    listMergedMessages(input: { params: { TemplateMergeID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: "added"; next?: string; filter?: ("invalid" | "excluded" | "all") } }, options?: CallOptions): Promise<{ Items: Array<ListMergedMessagesReplyItemsItem>; Next: (string | null); Size?: number }>;
    /** Corrects or leaves out single texts. ExcludeAll leaves out all that can’t be sent. (broadcasts:write) */
    updateMergedMessages(input: { params: { TemplateMergeID: number }; body: { Items?: Array<{ MergedMessageID: number; TextMessage?: string; Exclude?: boolean }>; ExcludeAll?: boolean; AcceptMissing?: boolean } }, options?: CallOptions): Promise<{ Items: Array<ListMergedMessagesReplyItemsItem>; Merge: MergeDraftReply }>;
    /** Previews the text for one recipient of a draft. (broadcasts:read) */
    mergeSingle(input: { params: { DraftBroadcastID: number }; body: MergeSingleBody }, options?: CallOptions): Promise<MergeSingleReply>;
    /** Previews the text for one recipient of a scheduled broadcast while it’s edited. (broadcasts:read) */
    mergeSingleOfBroadcast(input: { params: { BroadcastID: number }; body: MergeSingleBody }, options?: CallOptions): Promise<MergeSingleReply>;
  };
  registration: {
    /** Lists the account’s registrations, newest first. (numbers:read) */
    listRegistrationRequests(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<ListRegistrationRequestsReplyItemsItem>; Size: number }>;
    /** Returns the registration that counts now. (numbers:read) */
    getCurrentRegistration(input?: Record<string, never>, options?: CallOptions): Promise<ListRegistrationRequestsReplyItemsItem>;
    /** Returns the registration of the account’s toll-free number. (numbers:read) */
    getTollFreeRegistration(input?: Record<string, never>, options?: CallOptions): Promise<ListRegistrationRequestsReplyItemsItem>;
  };
  broadcasts: {
    /** Sends a draft now or at its start time. Repeating the call doesn’t send it twice. (broadcasts:send) */
    createBroadcast(input: { body: CreateBroadcastBody }, options?: CallOptions): Promise<{ BroadcastID: number; MessageRecordingInstruction: ({ ID: number; Uri: string } | null); UriSummary: string }>;
    /** Lists the broadcasts that the user can see, newest first. q searches names and texts. (broadcasts:read) */
    listBroadcasts(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: ("-startdate" | "startdate" | "name" | "-name"); next?: string; category?: ("Scheduled" | "NeedsMessage" | "Processing" | "Broadcasting" | "Completed"); labelId?: number; archived?: (("true" | "false") | boolean); textNumberId?: number } }, options?: CallOptions): Promise<{ Items: Array<{ BroadcastID: number; BroadcastName: string; BroadcastType: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); IsTextSurvey: boolean; BroadcastStatus: ("Scheduled" | "AuthorizationApproved" | "PendingMessage" | "NeedsMessage" | "Processing" | "Broadcasting" | "Paused" | "Sent" | "Completed" | "Canceled"); BroadcastStatusCategory: ("Scheduled" | "NeedsMessage" | "Processing" | "Broadcasting" | "Completed"); StartDate: (string | null); EndDate: (string | null); RepeatingScheduleDescription: string; IsPartOfRepeatingBroadcastSequence: boolean; RepeatingBroadcastID: (number | null); IsSampleBroadcast: boolean; IsFree: boolean; IsEmergency: boolean; IsDrill: boolean; IsArchived: boolean; TextMessage: string; TextNumberID: (number | null); PhoneNumberCount: number; LeftOutCount: number; MaxMessageLength: number; CustomData: Array<string>; Media: Array<BeginSequenceReplyStepsItemMediaItem>; Labels: Array<{ LabelID: number; LabelName: string }>; User: { UserID: number; Name: string }; HeldReason: string; PerMinute: (number | null); CallTotal: number; CallsUp: number; CallerID: string; IsTransfer: boolean; LivePersonTotal: number; AnsweringMachineTotal: number; BusyNoAnswerTotal: number; InvalidNumberTotal: number; TransferTotal: number; IncompleteCallTotal: number; WaitingCallTotal: number; RetryingCallTotal: number; DeliveredTexts: number; ReadCount: number; FailedTextTotal: number; InvalidTextCount: number; NotDeliveredTexts: number; TextOptedOut: number; StoppedTotal: number; RepliedTotal: number; NotRepliedTotal: number; SurveyResponseTotal: number; TextSurveyResponseTotal: number; WaitingTotal: number; SentTotal: number; CanceledTotal: number }>; Next: (string | null); Size?: number }>;
    /** Previews a quick send: who gets it, each person’s text, and the cost. Sends nothing. (broadcasts:read) */
    previewQuickSend(input: { body: { Lists?: Array<{ ListID: number }>; People?: Array<{ PersonID: number }>; TemplateID?: (number | null); TextNumberID?: (number | null); TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; ShortenLinks?: boolean } }, options?: CallOptions): Promise<{ Total: number; Good: number; Recipients: Array<PreviewQuickSendReplyRecipientsItem>; Cost: GetPreflightReplyCost; Starts: string; Refusal: ({ ErrorCode: number; Message: string } | null) }>;
    /** Sends a text to up to 15 people in one step, as a broadcast named “Quick Send: …”. The rules for broadcasts apply. (broadcasts:send) */
    quickSend(input: { body: { Lists?: Array<{ ListID: number }>; People?: Array<{ PersonID: number }>; TemplateID?: (number | null); TextNumberID?: (number | null); TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; ShortenLinks?: boolean; ExpectedCount?: number; ExpectedCredits?: number } }, options?: CallOptions): Promise<{ BroadcastID: number; BroadcastName: string; Count: number; UriSummary: string }>;
    /** Sends a sample broadcast: one of the free trial’s messages to all verified phones, at no cost. For free trials, and for accounts with the feature PaidAccountSampleBroadcasts. (broadcasts:send) */
    sendSampleBroadcast(input: { body: { Message: string } }, options?: CallOptions): Promise<{ BroadcastID: number; Count: number; UriSummary: string }>;
    /** Checks a start time: whether it’s in the past, too far ahead, outside the calling window or near a clock change. (broadcasts:read) */
    validateBroadcast(input: { body: { StartDate: string; BroadcastType?: ("Announcement" | "Survey" | "SMS" | "GroupSMS" | "SMSOrAnnouncement" | "SMSAndAnnouncement" | "SMSOrSurvey" | "SMSAndSurvey"); CheckCallingWindow?: boolean; CallingWindowDays?: Array<("Sunday" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday")>; StartTimeOfDay?: { Hour: number; Minute: number }; StopTimeOfDay?: { Hour: number; Minute: number } } }, options?: CallOptions): Promise<{ StartDateValidation: { IsPast: boolean; IsTooFarFuture: boolean; IsOutsideCallingWindow: boolean; IsAlteredByServerTimeChange: boolean; IsApproachingServerTimeChange: boolean; IsMovedForwardByServerTimeChange: boolean; ServerTimeChangeStartTime: (string | null); ServerTimeChangeEndTime: (string | null); StartDate: string } }>;
    /** Ours: the hour of the day at which the account’s texts got the most replies. (broadcasts:read) */
    getBestHour(input?: Record<string, never>, options?: CallOptions): Promise<{ Hour: (number | null); RepliesPer100: number; UsualPer100: number; BroadcastCount: number; TextCount: number; Days: number }>;
    /** Counts the broadcasts in each view. (broadcasts:read) */
    getBroadcastsSummary(input?: Record<string, never>, options?: CallOptions): Promise<{ All: number; Scheduled: number; Broadcasting: number; Completed: number; Drafts: number; Repeating: number; Archived: number }>;
    /** Returns a broadcast with its counts. (broadcasts:read) */
    getBroadcast(input: { params: { BroadcastID: number } }, options?: CallOptions): Promise<GetBroadcastReply>;
    /** Pauses, resumes or cancels a broadcast (BroadcastStatus). Text, picture, time and speed can change while it’s scheduled; calls at a time until it has ended; labels and archiving at any time. (broadcasts:write) */
    updateBroadcast(input: { params: { BroadcastID: number }; body: { BroadcastStatus?: ("Paused" | "Broadcasting" | "Canceled"); BroadcastName?: string; TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; KeepCharacters?: boolean; SecondText?: CreateDraftBodySecondText; StartDate?: string; PerMinute?: (5 | 50 | 500 | 1000 | null); CallThrottle?: number; TransferLines?: number; Labels?: Array<{ LabelID: number }>; IsArchived?: boolean } }, options?: CallOptions): Promise<GetBroadcastReply>;
    /** Deletes a broadcast. Cancels it first if it’s in progress. (broadcasts:write) */
    deleteBroadcast(input: { params: { BroadcastID: number } }, options?: CallOptions): Promise<{ UndoID: (number | null) }>;
    /** Restores a deleted broadcast. (broadcasts:write) */
    undoBroadcasts(input: { params: { UndoID: number } }, options?: CallOptions): Promise<{ UndoExecuted: boolean; UndoID: (number | null) }>;
    /** Lists the recipients of a broadcast and their results, by tab. (broadcasts:read) */
    listBroadcastDetails(input: { params: { BroadcastID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: "added"; next?: string; textresultcategory?: ("All" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut" | "NotOptedOut"); textsurveyresponse?: ("Yes" | "No" | "Any"); callresultcategory?: ("All" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete" | "Transfers" | "NotCompleted"); surveyresult?: ("Any" | "*1" | "*2" | "*3" | "*4" | "*5" | "*6" | "*7" | "*8" | "*9") } }, options?: CallOptions): Promise<{ Items: Array<ListBroadcastDetailsReplyItemsItem>; Next: (string | null); Size: number }>;
    /** Removes selected recipients from a broadcast that hasn’t been sent to them yet. (broadcasts:write) */
    deleteBroadcastDetails(input: { params: { BroadcastID: number }; query?: { q?: string; textresultcategory?: ("All" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut" | "NotOptedOut"); textsurveyresponse?: ("Yes" | "No" | "Any"); callresultcategory?: ("All" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete" | "Transfers" | "NotCompleted"); surveyresult?: ("Any" | "*1" | "*2" | "*3" | "*4" | "*5" | "*6" | "*7" | "*8" | "*9") }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> } } }, options?: CallOptions): Promise<{ RemovedCount: number }>;
    /** Downloads the same list as a file. (broadcasts:read) */
    downloadBroadcastDetails(input: { params: { BroadcastID: number }; query?: { q?: string; textresultcategory?: ("All" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut" | "NotOptedOut"); textsurveyresponse?: ("Yes" | "No" | "Any"); callresultcategory?: ("All" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete" | "Transfers" | "NotCompleted"); surveyresult?: ("Any" | "*1" | "*2" | "*3" | "*4" | "*5" | "*6" | "*7" | "*8" | "*9") } }, options?: CallOptions): Promise<Response>;
    /** Adds selected recipients to a new or existing group. Recipients who aren’t contacts become contacts. (contacts:write) */
    detailsToList(input: { params: { BroadcastID: number }; query?: { q?: string; textresultcategory?: ("All" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut" | "NotOptedOut"); textsurveyresponse?: ("Yes" | "No" | "Any"); callresultcategory?: ("All" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete" | "Transfers" | "NotCompleted"); surveyresult?: ("Any" | "*1" | "*2" | "*3" | "*4" | "*5" | "*6" | "*7" | "*8" | "*9") }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; Update: { ListName: string } } }, options?: CallOptions): Promise<{ ListID: number; AddedCount: number; CreatedCount: number }>;
    /** Creates a draft for selected recipients of a broadcast, such as those that failed or didn’t reply. (broadcasts:write) */
    detailsToDraft(input: { params: { BroadcastID: number }; query?: { q?: string; textresultcategory?: ("All" | "Delivered" | "Read" | "Failed" | "Invalid" | "Incomplete" | "OptedOut" | "Replied" | "NotReplied" | "LeftOut" | "NotOptedOut"); textsurveyresponse?: ("Yes" | "No" | "Any"); callresultcategory?: ("All" | "LiveAnswer" | "Voicemail" | "BusyNoAnswer" | "Invalid" | "Incomplete" | "Transfers" | "NotCompleted"); surveyresult?: ("Any" | "*1" | "*2" | "*3" | "*4" | "*5" | "*6" | "*7" | "*8" | "*9") }; body: { Selection: { Type: ("Selected" | "SelectedAll" | "SelectedAllExcept"); Items?: Array<number> }; WithMessage?: boolean } }, options?: CallOptions): Promise<{ DraftBroadcastID: number; AddedCount: number }>;
    /** Explains why a recipient did or didn’t get the text. (broadcasts:read) */
    getRecipientTimeline(input: { params: { BroadcastID: number; RecipientID: number } }, options?: CallOptions): Promise<{ Recipient: ListBroadcastDetailsReplyItemsItem; Verdict: string; TextMessage: string; Segments: number; Credits: number; Events: Array<{ At: (string | null); Kind: ("added" | "left out" | "waiting" | "held" | "handed over" | "carrier" | "reply" | "click" | "credits" | "opt-out" | "call" | "key" | "transfer"); Text: string; Note: string }> }>;
    /** Returns progress over time for the chart: texts in at most 200 points, and the calls that ended by the minute or longer. (broadcasts:read) */
    getBroadcastProgress(input: { params: { BroadcastID: number } }, options?: CallOptions): Promise<{ Items: Array<{ At: string; Sent: number; Delivered: number; Failed: number }>; Calls: { StepSeconds: number; Items: Array<{ At: string; LiveAnswer: number; Voicemail: number; BusyNoAnswer: number; Other: number }> } }>;
    /** Ours: of two texts that are being tried, chooses the one that everybody else gets, without waiting. (broadcasts:send) */
    chooseText(input: { params: { BroadcastID: number }; body: { Text: ("First" | "Second") } }, options?: CallOptions): Promise<{ Winner: ("First" | "Second") }>;
    /** Lists the replies, newest first. (broadcasts:read) */
    listTextReplies(input: { params: { BroadcastID: number }; query?: { page?: number; pagesize?: number; q?: string; sortby?: "-created"; next?: string; textsurveyresponse?: ("Yes" | "No") } }, options?: CallOptions): Promise<{ Items: Array<{ TextReplyID: number; RecipientID: number; ConversationID: (number | null); PersonID: (number | null); FirstName: string; LastName: string; PhoneNumber: string; Message: string; CreateTimestamp: string; TextSurveyResponse: ({ ID: number; Label: ("Yes" | "No") } | null); IsOptedOut: boolean }>; Next: (string | null); Size: number }>;
    /** Downloads the same list as a file. (broadcasts:read) */
    downloadTextReplies(input: { params: { BroadcastID: number } }, options?: CallOptions): Promise<Response>;
    /** Creates a draft for everyone who replied. textresultcategory=NotOptedOut leaves out people who have opted out since. (broadcasts:write) */
    repliesToDraft(input: { params: { BroadcastID: number }; query?: { textresultcategory?: "NotOptedOut"; textsurveyresponse?: ("Yes" | "No") } }, options?: CallOptions): Promise<{ DraftBroadcastID: number; AddedCount: number }>;
    /** Groups the replies to a broadcast by what they say: questions that resemble each other, yes, no, wrong numbers, other languages and the rest. (broadcasts:read) */
    listReplyGroups(input: { params: { BroadcastID: number } }, options?: CallOptions): Promise<{ Items: Array<{ GroupKey: (("questions" | "yes" | "no" | "wrong-number" | "spanish" | "english" | "other-language" | "rest" | "no-answer") | string); Name: string; Explanation: string; Size: number; ToAnswer: number; TextReplyIDs: Array<number> }>; EmptyGroups: Array<{ GroupKey: (("questions" | "yes" | "no" | "wrong-number" | "spanish" | "english" | "other-language" | "rest" | "no-answer") | string); Name: string }>; Size: number; GroupedCount: number; PeopleCount: number }>;
    /** Lists the replies of one group, newest first. (broadcasts:read) */
    listGroupReplies(input: { params: { BroadcastID: number }; query: { page?: number; pagesize?: number; group: (("questions" | "yes" | "no" | "wrong-number" | "spanish" | "english" | "other-language" | "rest" | "no-answer") | string) } }, options?: CallOptions): Promise<{ Items: Array<{ TextReplyID: number; RecipientID: number; ConversationID: (number | null); PersonID: (number | null); FirstName: string; LastName: string; PhoneNumber: string; Message: string; CreateTimestamp: string; TextSurveyResponse: ({ ID: number; Label: ("Yes" | "No") } | null); IsOptedOut: boolean; AlsoIn: Array<string>; IsMoved: boolean; IsAnswered: boolean; AnswerBroadcastID: (number | null) }>; Size: number }>;
    /** Moves replies to another group, or with null back to where they were grouped. Remembered for this broadcast. (broadcasts:write) */
    moveReplies(input: { params: { BroadcastID: number }; body: { TextReplyIDs: Array<number>; GroupKey: ((("questions" | "yes" | "no" | "wrong-number" | "spanish" | "english" | "other-language" | "rest" | "no-answer") | string) | null) } }, options?: CallOptions): Promise<{ Size: number }>;
    /** Previews an answer to replies: who gets it, the texts of the first 15, and the cost. Sends nothing. (broadcasts:read) */
    previewAnswer(input: { params: { BroadcastID: number }; body: { TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; TextReplyIDs: Array<number> } }, options?: CallOptions): Promise<{ Total: number; Good: number; Recipients: Array<PreviewQuickSendReplyRecipientsItem>; Cost: GetPreflightReplyCost; Starts: string; Refusal: ({ ErrorCode: number; Message: string } | null); AnsweredCount: number; StillOpenCount: number }>;
    /** Answers replies with one text, personalized for each person, as a broadcast named “Answer: …”. The rules for broadcasts apply. Replies that were answered before are left out. (broadcasts:send) */
    answerReplies(input: { params: { BroadcastID: number }; body: { TextMessage?: string; Media?: Array<{ MediaID: number }>; IncludeSignature?: boolean; TextReplyIDs: Array<number>; GroupKey: (("questions" | "yes" | "no" | "wrong-number" | "spanish" | "english" | "other-language" | "rest" | "no-answer") | string); MarkDone?: boolean; ExpectedCount?: number; ExpectedCredits?: number } }, options?: CallOptions): Promise<{ AnswerBroadcastID: number; BroadcastName: string; Count: number; UriSummary: string }>;
    /** Lists the organization’s labels by name. (broadcasts:read) */
    listLabels(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ LabelID: number; LabelName: string }> }>;
    /** Adds a label. (broadcasts:write) */
    addLabel(input: { body: { LabelName: string } }, options?: CallOptions): Promise<{ LabelID: number; LabelName: string }>;
    /** Renames a label. (broadcasts:write) */
    updateLabel(input: { params: { LabelID: number }; body: { LabelName: string } }, options?: CallOptions): Promise<{ LabelID: number; LabelName: string }>;
    /** Deletes a label. Its broadcasts stay. (broadcasts:write) */
    deleteLabel(input: { params: { LabelID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Checks a schedule and describes it in a sentence. (broadcasts:read) */
    validateSchedule(input: { body: { ScheduleFrequency?: ("Daily" | "Weekly" | "Weekdays" | "Monthly" | "Custom"); Interval: number; IntervalFrequency: ("days" | "weeks" | "months"); DaysOfWeek?: Array<string>; EndDateTime?: (string | null); StartDateTime: string } }, options?: CallOptions): Promise<{ ScheduleDescription: string; Occurrences: Array<string> }>;
    /** Sends a draft repeatedly on its schedule. (broadcasts:send) */
    createRepeating(input: { body: CreateBroadcastBody }, options?: CallOptions): Promise<{ BroadcastID: number; MessageRecordingInstruction: ({ ID: number; Uri: string } | null); UriSummary: string; RepeatingBroadcastID: number }>;
    /** Lists the repeating broadcasts, next one first. (broadcasts:read) */
    listRepeating(input?: { query?: { page?: number; pagesize?: number; q?: string; sortby?: "next"; next?: string } }, options?: CallOptions): Promise<{ Items: Array<ListRepeatingReplyItemsItem>; Next: (string | null); Size?: number }>;
    /** Updates the schedule, text, picture and speed of a repeating broadcast. The next start must be at least 5 minutes ahead. (broadcasts:send) */
    updateRepeating(input: { params: { RepeatingBroadcastID: number }; body: { BroadcastName?: string; TextMessage?: string; KeepCharacters?: boolean; Media?: Array<{ MediaID: number }>; PerMinute?: (5 | 50 | 500 | 1000 | null); StartDateTime?: string; RepeatingBroadcastSchedule?: CreateDraftBodyRepeatingBroadcastSchedule } }, options?: CallOptions): Promise<ListRepeatingReplyItemsItem>;
    /** Ends a repeating broadcast. Broadcasts that were already sent stay. (broadcasts:write) */
    deleteRepeating(input: { params: { RepeatingBroadcastID: number } }, options?: CallOptions): Promise<Record<string, unknown>>;
    /** Says whether a repeating broadcast can be ended without stopping one that is in progress or about to start. (broadcasts:read) */
    canSafelyDeleteRepeating(input: { params: { RepeatingBroadcastID: number } }, options?: CallOptions): Promise<{ CanSafelyDelete: boolean; Message: string }>;
    /** Lists the repeating broadcasts that couldn’t start, with the reason, until they are dismissed. (broadcasts:read) */
    listRepeatingFailures(input?: Record<string, never>, options?: CallOptions): Promise<{ Items: Array<{ FailureID: number; RepeatingBroadcastID: number; BroadcastName: string; ErrorCode: number; Message: string; CreateTimestamp: string }> }>;
    /** Finds the shortened URLs in a text and the ones that carriers block. (broadcasts:read) */
    lookUpShortUrls(input: { body: { Text: string } }, options?: CallOptions): Promise<{ UrlsFound: Array<string>; BlackListedUrls: Array<string> }>;
    /** Returns how many texts carriers allow per day, before and after registration. (broadcasts:read) */
    getMessagingLimits(input?: Record<string, never>, options?: CallOptions): Promise<Array<{ limitName: ("Standard" | "Registered"); messagesPerDay: number }>>;
    /** Says whether any broadcasts with pictures are scheduled. (broadcasts:read) */
    hasScheduledEnhancedMessages(input?: Record<string, never>, options?: CallOptions): Promise<{ HasScheduledEnhancedMessages: boolean }>;
  };
}

/** Method, path, and whether the body or the reply is a file. */
export const operations = {
  accounts: {
    getAccount: ['GET', '/account'],
    getUser: ['GET', '/user'],
    listAccountUsers: ['GET', '/account/users'],
  },
  audit: {
    listAuditLog: ['GET', '/account/auditlog'],
    downloadAuditLog: ['GET', '/account/auditlog/csv', 'download'],
  },
  webhooks: {
    listWebhooks: ['GET', '/webhooks'],
  },
  integrations: {
    listIntegrations: ['GET', '/integrations'],
    listIntegrationGroupTypes: ['GET', '/integrations/{IntegrationID}/grouptypes'],
    listIntegrationGroups: ['GET', '/integrations/{IntegrationID}/groups'],
    listIntegrationContacts: ['GET', '/integrations/{IntegrationID}/groups/{Group}/contacts'],
    integrationGroupsToDraft: ['POST', '/integrations/{IntegrationID}/groups/todraftbroadcast/{DraftBroadcastID}'],
    integrationContactsToDraft: ['POST', '/integrations/{IntegrationID}/groups/{Group}/contacts/todraftbroadcast/{DraftBroadcastID}'],
  },
  zapier: {
    subscribeHook: ['POST', '/zapier/hooks'],
    unsubscribeHook: ['DELETE', '/zapier/hooks/{WebhookID}'],
    listHookSamples: ['GET', '/zapier/samples/{Event}'],
  },
  sequences: {
    beginSequence: ['POST', '/sequences'],
    listSequences: ['GET', '/sequences'],
    getSequence: ['GET', '/sequences/{SequenceID}'],
    updateSequence: ['PUT', '/sequences/{SequenceID}'],
    deleteSequence: ['DELETE', '/sequences/{SequenceID}'],
    addSequenceStep: ['POST', '/sequences/{SequenceID}/steps'],
    previewSequenceStep: ['POST', '/sequences/{SequenceID}/steps/preview'],
    calculateSequenceCredits: ['POST', '/sequences/calculateCredits'],
    createSequence: ['POST', '/sequences/createsequence'],
    pauseSequence: ['POST', '/sequences/{SequenceID}/pause'],
    resumeSequence: ['POST', '/sequences/{SequenceID}/resume'],
    cancelSequence: ['POST', '/sequences/{SequenceID}/cancel'],
    listSequenceRecipients: ['GET', '/sequences/{SequenceID}/recipients'],
    stopSequenceRecipient: ['DELETE', '/sequences/{SequenceID}/recipients/{RecipientID}'],
    getSequenceCourse: ['GET', '/sequences/{SequenceID}/course'],
  },
  reports: {
    getTextActivity: ['GET', '/reports/text-activity'],
    downloadTextActivity: ['GET', '/reports/text-activity.csv', 'download'],
    listPhoneHistory: ['GET', '/phonenumbers/{Number}/history'],
    downloadPhoneHistory: ['GET', '/phonenumbers/{Number}/history.csv', 'download'],
    getCreditDays: ['GET', '/reports/credit-balance'],
    getBillingMonths: ['GET', '/reports/billing-history'],
    getInvoiceMonths: ['GET', '/reports/invoices'],
    getOptOutCounts: ['GET', '/reports/opt-outs'],
    getOptInCounts: ['GET', '/reports/opt-ins'],
    listOptIns: ['GET', '/reports/promotional-opt-in'],
    downloadOptIns: ['GET', '/reports/promotional-opt-in.csv', 'download'],
  },
  numbers: {
    listTextNumbers: ['GET', '/textnumbers'],
    updateTextNumbers: ['PUT', '/textnumbers'],
    getTextNumber: ['GET', '/textnumbers/{TextNumberID}'],
    updateTextNumber: ['PUT', '/textnumbers/{TextNumberID}'],
    listTextNumberUsage: ['GET', '/textnumbers/usage'],
  },
  calling: {
    listTransferNumbers: ['GET', '/transfernumbers'],
    addTransferNumber: ['POST', '/transfernumbers'],
    updateTransferNumber: ['PUT', '/transfernumbers/{TransferNumberID}'],
    deleteTransferNumber: ['DELETE', '/transfernumbers/{TransferNumberID}'],
    listCallerIds: ['GET', '/callerids'],
    deleteCallerId: ['DELETE', '/callerids/{CallerIDID}'],
    setBroadcastAudio: ['PUT', '/broadcasts/{BroadcastID}/Audio'],
    uploadBroadcastAudio: ['POST', '/broadcasts/{BroadcastID}/Audio', 'upload'],
    setBroadcastAudioVM: ['PUT', '/broadcasts/{BroadcastID}/AudioVM'],
    uploadBroadcastAudioVM: ['POST', '/broadcasts/{BroadcastID}/AudioVM', 'upload'],
    testCall: ['POST', '/draft-broadcasts/{DraftBroadcastID}/call'],
    getIvrAuthorization: ['GET', '/ivrauthorization/{PhoneLaunchID}'],
    getPhoneLaunch: ['GET', '/phonelaunch'],
    setPhoneLaunch: ['PUT', '/phonelaunch'],
    deletePhoneLaunch: ['DELETE', '/phonelaunch'],
  },
  contacts: {
    listContacts: ['GET', '/lists/{ListID}/contacts'],
    removeContacts: ['DELETE', '/lists/{ListID}/contacts'],
    updateContacts: ['PUT', '/lists/{ListID}/contacts'],
    addContact: ['POST', '/contacts'],
    getContact: ['GET', '/contacts/{PersonID}'],
    updateContact: ['PUT', '/contacts/{PersonID}'],
    deleteContact: ['DELETE', '/contacts/{PersonID}'],
    listContactHistory: ['GET', '/contacts/{PersonID}/history'],
    copyContacts: ['POST', '/lists/{ListID}/contacts/tolist/{TargetID}'],
    undoContacts: ['POST', '/contacts/undo/{UndoID}'],
    listDuplicates: ['GET', '/contacts/duplicates'],
    mergeContacts: ['POST', '/contacts/merge'],
    getWork: ['GET', '/work/{WorkID}'],
    listWork: ['GET', '/work'],
    listLists: ['GET', '/lists'],
    addList: ['POST', '/lists'],
    getList: ['GET', '/lists/{ListID}'],
    updateList: ['PUT', '/lists/{ListID}'],
    deleteList: ['DELETE', '/lists/{ListID}'],
    countSegment: ['POST', '/lists/segmentcount'],
    listCustomFields: ['GET', '/contacts/fields'],
    addCustomField: ['POST', '/contacts/fields'],
    updateCustomField: ['PUT', '/contacts/fields/{FieldID}'],
    deleteCustomField: ['DELETE', '/contacts/fields/{FieldID}'],
    exportContacts: ['POST', '/lists/{ListID}/contacts/export'],
    downloadExport: ['GET', '/exports/{ExportID}/{FileName}', 'download'],
  },
  conversations: {
    listConversations: ['GET', '/conversations'],
    createConversation: ['POST', '/conversations'],
    updateConversations: ['PUT', '/conversations'],
    getConversation: ['GET', '/conversations/{ConversationID}'],
    updateConversation: ['PUT', '/conversations/{ConversationID}'],
    previewMerge: ['POST', '/templatemerges/contacts/preview'],
    undoConversations: ['POST', '/conversations/undo/{UndoID}'],
    viewConversation: ['POST', '/conversations/{ConversationID}/views'],
    getConversationsSummary: ['GET', '/conversations/summary'],
    listDoneToday: ['GET', '/conversations/donetoday'],
    listTextMessages: ['GET', '/conversations/{ConversationID}/textmessages'],
    sendTextMessage: ['POST', '/conversations/{ConversationID}/textmessages'],
    getTextMessage: ['GET', '/textmessages/{TextMessageID}'],
    resendTextMessage: ['PUT', '/textmessages/{TextMessageID}'],
    markConversationUnread: ['POST', '/conversations/{ConversationID}/unread'],
    moveConversations: ['POST', '/conversations/selection'],
    listTags: ['GET', '/conversations/tags'],
    addTag: ['POST', '/conversations/tags'],
    updateTag: ['PUT', '/conversations/tags/{TagID}'],
    deleteTag: ['DELETE', '/conversations/tags/{TagID}'],
    listNotes: ['GET', '/conversations/{ConversationID}/notes'],
    addNote: ['POST', '/conversations/{ConversationID}/notes'],
    updateNote: ['PUT', '/conversations/{ConversationID}/notes/{NoteID}'],
    deleteNote: ['DELETE', '/conversations/{ConversationID}/notes/{NoteID}'],
  },
  scheduled: {
    scheduleConversation: ['POST', '/conversations/schedule'],
    listScheduledConversations: ['GET', '/scheduledConversations'],
    getScheduledConversation: ['GET', '/scheduledConversations/{ScheduledConversationID}'],
    updateScheduledConversation: ['PUT', '/scheduledConversations/{ScheduledConversationID}'],
    sendScheduledConversation: ['POST', '/scheduledConversations/{ScheduledConversationID}/sendNow'],
    cancelScheduledConversation: ['POST', '/scheduledConversations/{ScheduledConversationID}/cancel'],
  },
  audio: {
    listAudio: ['GET', '/audio'],
    updateAudioSelection: ['PUT', '/audio'],
    deleteAudio: ['DELETE', '/audio'],
    getAudioSummary: ['GET', '/audio/summary'],
    listVoices: ['GET', '/audio/voices'],
    getAudio: ['GET', '/audio/{AudioID}'],
    updateAudio: ['PUT', '/audio/{AudioID}'],
    uploadAudio: ['POST', '/audio/file/{FileName}', 'upload'],
    undoAudio: ['POST', '/audio/undo/{UndoID}'],
    downloadAudio: ['GET', '/audio/{AudioID}.mp3', 'download'],
    downloadAudioSelection: ['GET', '/audio/selection.zip', 'download'],
    previewSpeech: ['POST', '/audio/speech/preview'],
    createSpeech: ['POST', '/audio/speech'],
  },
  templates: {
    listTemplates: ['GET', '/templates'],
    addTemplate: ['POST', '/templates'],
    updateTemplateSelection: ['PUT', '/templates'],
    deleteTemplates: ['DELETE', '/templates'],
    getTemplateSummary: ['GET', '/templates/summary'],
    updateTemplate: ['PUT', '/templates/{TemplateID}'],
    deleteTemplate: ['DELETE', '/templates/{TemplateID}'],
    undoTemplates: ['POST', '/templates/undo/{UndoID}'],
  },
  consents: {
    listOptOuts: ['GET', '/optouts'],
    downloadOptOuts: ['GET', '/optouts.csv', 'download'],
    listConsentEvents: ['GET', '/phonenumbers/{Number}/consents'],
    downloadConsentEvents: ['GET', '/phonenumbers/{Number}/consents.csv', 'download'],
    changeConsent: ['PUT', '/phonenumbers/{Number}/consent'],
    undoConsent: ['POST', '/phonenumbers/undo/{UndoID}'],
    getPhoneNumber: ['GET', '/phonenumbers/{Number}'],
    lookUpPhoneNumbers: ['POST', '/phonenumbers/lookup'],
    validatePhoneNumber: ['POST', '/validation/phone'],
  },
  imports: {
    uploadFile: ['POST', '/fileuploads/{FileName}', 'upload'],
    listFiles: ['GET', '/fileuploads'],
    getFile: ['GET', '/fileuploads/{FileID}'],
    processFile: ['PUT', '/fileuploads/{FileID}'],
    cancelFile: ['DELETE', '/fileuploads/{FileID}'],
    listFileRows: ['GET', '/fileuploads/{FileID}/rows'],
    mendFileRows: ['PUT', '/fileuploads/{FileID}/rows'],
    downloadRejectedRows: ['GET', '/fileuploads/{FileID}/rejected.csv', 'download'],
    importFile: ['POST', '/lists/{ListID}/fileUploads'],
    undoFile: ['POST', '/fileuploads/undo/{UndoID}'],
    pasteContacts: ['POST', '/lists/{ListID}/contacts/paste'],
  },
  replies: {
    listAutoReplies: ['GET', '/autoreplies'],
    addAutoReply: ['POST', '/autoreplies'],
    updateAutoReply: ['PUT', '/autoreplies/{AutoReplyID}'],
    deleteAutoReply: ['DELETE', '/autoreplies/{AutoReplyID}'],
    listAutoRepliesOfNumber: ['GET', '/textnumbers/{TextNumberID}/autoreplies'],
    listKeywords: ['GET', '/keywords'],
    addKeyword: ['POST', '/keywords'],
    updateKeyword: ['PUT', '/keywords/{KeywordID}'],
    deleteKeyword: ['DELETE', '/keywords/{KeywordID}'],
  },
  media: {
    uploadImage: ['POST', '/media/image/{FileName}', 'upload'],
    classifyMedia: ['PUT', '/media/{MediaID}'],
  },
  purchases: {
    listBillingHistory: ['GET', '/billinghistory'],
    downloadBillingHistory: ['GET', '/billinghistory.csv', 'download'],
    listCreditBalance: ['GET', '/creditbalance'],
    downloadCreditBalance: ['GET', '/creditbalance.csv', 'download'],
    getUsageSummary: ['GET', '/account/usage-summary'],
    downloadUsageSummary: ['GET', '/account/usage-summary.csv', 'download'],
  },
  invoices: {
    listInvoices: ['GET', '/invoices'],
    getInvoice: ['GET', '/invoices/{InvoiceID}'],
    downloadInvoice: ['GET', '/invoices/{InvoiceID}.pdf', 'download'],
    downloadInvoices: ['GET', '/invoices.csv', 'download'],
  },
  drafts: {
    createDraft: ['POST', '/draft-broadcasts'],
    listDrafts: ['GET', '/draft-broadcasts'],
    getDraft: ['GET', '/draft-broadcasts/{DraftBroadcastID}'],
    updateDraft: ['PUT', '/draft-broadcasts/{DraftBroadcastID}'],
    deleteDraft: ['DELETE', '/draft-broadcasts/{DraftBroadcastID}'],
    updateDraftType: ['PUT', '/draft-broadcasts/{DraftBroadcastID}/type'],
    listDraftContacts: ['GET', '/draft-broadcasts/{DraftBroadcastID}/contacts'],
    addDraftContact: ['POST', '/draft-broadcasts/{DraftBroadcastID}/contacts'],
    updateDraftContact: ['PUT', '/draft-broadcasts/{DraftBroadcastID}/contacts'],
    removeDraftContacts: ['DELETE', '/draft-broadcasts/{DraftBroadcastID}/contacts'],
    undoDraftContacts: ['POST', '/draft-broadcasts/undo/{UndoID}'],
    addDraftNumbers: ['POST', '/draft-broadcasts/{DraftBroadcastID}/contactlists'],
    addDraftLists: ['POST', '/draft-broadcasts/{DraftBroadcastID}/lists'],
    addDraftFile: ['POST', '/draft-broadcasts/{DraftBroadcastID}/fileuploads'],
    contactsToNewDraft: ['POST', '/lists/{ListID}/contacts/todraftbroadcast'],
    contactsToDraft: ['POST', '/lists/{ListID}/contacts/todraftbroadcast/{DraftBroadcastID}'],
    listsToNewDraft: ['POST', '/lists/todraftbroadcast'],
    getContactSummary: ['GET', '/draft-broadcasts/{DraftBroadcastID}/contactsummary'],
    setFrequencyAside: ['POST', '/draft-broadcasts/{DraftBroadcastID}/frequency'],
    downloadLeftOut: ['GET', '/draft-broadcasts/{DraftBroadcastID}/leftout.csv', 'download'],
    getPreflight: ['GET', '/draft-broadcasts/{DraftBroadcastID}/preflight'],
    sendTest: ['POST', '/draft-broadcasts/{DraftBroadcastID}/test'],
    mergeDraft: ['POST', '/draft-broadcasts/{DraftBroadcastID}/templatemerges'],
    createTemplateMerge: ['POST', '/template-merges'],
    getTemplateMerge: ['GET', '/template-merges/{TemplateMergeID}'],
    listMergedMessages: ['GET', '/template-merges/{TemplateMergeID}/messages'],
    updateMergedMessages: ['PUT', '/template-merges/{TemplateMergeID}/messages'],
    mergeSingle: ['POST', '/draft-broadcasts/{DraftBroadcastID}/templatemerge/single'],
    mergeSingleOfBroadcast: ['POST', '/broadcasts/{BroadcastID}/templatemerge/single'],
  },
  registration: {
    listRegistrationRequests: ['GET', '/aws/texting/registration/requests'],
    getCurrentRegistration: ['GET', '/aws/texting/registration/requests/current'],
    getTollFreeRegistration: ['GET', '/account/toll-free-registration'],
  },
  broadcasts: {
    createBroadcast: ['POST', '/broadcasts'],
    listBroadcasts: ['GET', '/broadcasts'],
    previewQuickSend: ['POST', '/broadcasts/quicksend/preview'],
    quickSend: ['POST', '/broadcasts/quicksend'],
    sendSampleBroadcast: ['POST', '/broadcasts/sample'],
    validateBroadcast: ['POST', '/broadcasts/validation'],
    getBestHour: ['GET', '/broadcasts/best-hour'],
    getBroadcastsSummary: ['GET', '/broadcasts/summary'],
    getBroadcast: ['GET', '/broadcasts/{BroadcastID}'],
    updateBroadcast: ['PUT', '/broadcasts/{BroadcastID}'],
    deleteBroadcast: ['DELETE', '/broadcasts/{BroadcastID}'],
    undoBroadcasts: ['POST', '/broadcasts/undo/{UndoID}'],
    listBroadcastDetails: ['GET', '/broadcasts/{BroadcastID}/details'],
    deleteBroadcastDetails: ['DELETE', '/broadcasts/{BroadcastID}/details'],
    downloadBroadcastDetails: ['GET', '/broadcasts/{BroadcastID}/details.csv', 'download'],
    detailsToList: ['POST', '/broadcasts/{BroadcastID}/details/tolist'],
    detailsToDraft: ['POST', '/broadcasts/{BroadcastID}/todraftbroadcast'],
    getRecipientTimeline: ['GET', '/broadcasts/{BroadcastID}/details/{RecipientID}'],
    getBroadcastProgress: ['GET', '/broadcasts/{BroadcastID}/progress'],
    chooseText: ['POST', '/broadcasts/{BroadcastID}/text-choice'],
    listTextReplies: ['GET', '/broadcasts/{BroadcastID}/textreplies'],
    downloadTextReplies: ['GET', '/broadcasts/{BroadcastID}/textreplies.csv', 'download'],
    repliesToDraft: ['POST', '/broadcasts/{BroadcastID}/textreplies/todraftbroadcast'],
    listReplyGroups: ['GET', '/broadcasts/{BroadcastID}/replygroups'],
    listGroupReplies: ['GET', '/broadcasts/{BroadcastID}/replygroups/replies'],
    moveReplies: ['PUT', '/broadcasts/{BroadcastID}/replygroups/replies'],
    previewAnswer: ['POST', '/broadcasts/{BroadcastID}/replygroups/answers/preview'],
    answerReplies: ['POST', '/broadcasts/{BroadcastID}/replygroups/answers'],
    listLabels: ['GET', '/labels'],
    addLabel: ['POST', '/labels'],
    updateLabel: ['PUT', '/labels/{LabelID}'],
    deleteLabel: ['DELETE', '/labels/{LabelID}'],
    validateSchedule: ['POST', '/repeatingbroadcasts/validateschedule'],
    createRepeating: ['POST', '/repeatingbroadcasts/create'],
    listRepeating: ['GET', '/repeatingbroadcasts'],
    updateRepeating: ['PUT', '/repeatingbroadcasts/{RepeatingBroadcastID}'],
    deleteRepeating: ['DELETE', '/repeatingbroadcasts/{RepeatingBroadcastID}'],
    canSafelyDeleteRepeating: ['GET', '/repeatingbroadcasts/cansafelydelete/{RepeatingBroadcastID}'],
    listRepeatingFailures: ['GET', '/repeatingbroadcasts/accountfailures'],
    lookUpShortUrls: ['POST', '/shorturls/lookup'],
    getMessagingLimits: ['GET', '/aws/texting/registration/messaging-limits'],
    hasScheduledEnhancedMessages: ['GET', '/account/hasScheduledEnhancedMessages'],
  },
} as const;
