/** The parts of the sandbox's control API that the page uses. */
export type Item = {
  ID: string;
  From: string;
  To: string;
  Text: string;
  Media: { ContentType: string; Url: string }[];
  At: string;
  Direction: 'in' | 'out';
  Status: string;
};

export type PhoneCall = {
  CallID: string;
  From: string;
  To: string;
  /** `out` was dialed on the phone. */
  Direction: 'in' | 'out';
  State: 'Ringing' | 'InCall' | 'Voicemail' | 'Ended';
  Result: string | null;
  Heard: {
    At: string;
    Seconds: number;
    Text?: string;
    Length: number;
    Playing: boolean;
    Into: 'Call' | 'Greeting' | 'Mailbox';
    Sound: string;
  }[];
  Keys: string;
  StartedAt: string;
  AnsweredAt: string | null;
  EndedAt: string | null;
  Voicemail: {
    At: string;
    Seconds: number;
    Parts: { Sound: string; From: number; Seconds: number; Text?: string }[];
  } | null;
  Connected: string | null;
  Recording: boolean;
  Rings: number | null;
  PicksUp: string | null;
  Events: { At: string; Text: string }[];
  Troubles: { Code: number; Message: string }[];
};

export type Phone = {
  Number: string;
  Name: string | null;
  State: 'Awake' | 'Asleep';
  Open: boolean;
  Unread: number;
  Waiting: number;
  Rule: string | null;
  CallRule: string | null;
};

export type Mail = {
  ID: string;
  From: string;
  FromName: string;
  To: string[];
  Subject: string;
  Text: string;
  Html: string;
  At: string;
  Read: boolean;
};

export type ServedNumber = { Number: string; Provider: 'infobip' | 'smpp' | 'twilio'; Name: string | null };

export type Stats = Record<
  | 'Accepted'
  | 'Requests'
  | 'DuplicatesByKey'
  | 'DuplicatesByNumberAndText'
  | 'Refused'
  | 'Delivered'
  | 'Failed'
  | 'Silent'
  | 'ReceiptsSent'
  | 'ReceiptRequests'
  | 'WebhookFailures'
  | 'Inbound'
  | 'CallsPlaced'
  | 'CallsRepeated'
  | 'CallsRefused'
  | 'CallsEnded'
  | 'CallsReceived'
  | 'CallsQueued'
  | 'CallsInFlight'
  | 'CallTroubles'
  | 'Pending'
  | 'Telephones',
  number
>;

export type Faults = {
  TimeoutBeforeAccept: number;
  TimeoutAfterAccept: number;
  ResetAfterAccept: number;
  ServerError: number;
  TooManyRequests: number;
  RetryAfterSeconds: number;
  AnswerDelayMs: number;
  ReceiptLost: number;
  ReceiptDelayMs: number;
  ReceiptDuplicate: number;
  ReceiptShuffle: boolean;
  Outage: boolean;
  Provider: 'asterisk' | 'infobip' | 'smpp' | 'twilio' | null;
  Channel: 'texts' | 'calls' | null;
};

export type Settings = {
  DeliveryDelayMs: [number, number];
  ReceiptsPerRequest: number;
  AutoAnswer: boolean;
  CallSpeed: number;
  CallStartsPerSecond: number;
};

/** Its message comes from the sandbox. */
export class ApiError extends Error {}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      cache: 'no-store',
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  } catch {
    throw new ApiError('The sandbox isn’t responding. Is it running?');
  }
  const text = await response.text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) {
    throw new ApiError((value as { Message?: string } | undefined)?.Message ?? 'That didn’t work.');
  }
  return value as T;
}
