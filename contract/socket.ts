// Names and figures of the socket, apart from the schemas in events.ts: every page has these before it is drawn.

/** The name under which events travel on the socket. */
export const eventName = 'muster';

/**
 * A page that connects asks this. The answer is the number of milliseconds since the last event for its
 * organization. If that is longer than the page has been open, its data is current, and nothing needs to be
 * fetched again.
 */
export const quietName = 'quiet';

/**
 * Presence: people who view a conversation or type in it. It is never stored, only passed on. The client says
 * `viewing` when it opens a conversation, again every viewingMs while it is shown, and with null when it leaves;
 * `typing` at most every timing.typingEventMs. The server passes both as `presence` to the sockets of those who may
 * use the text number, except the sender's own. A presence that isn't repeated ends after presenceEndsMs; the
 * presence of a socket that closes ends at once.
 */
export const presenceNames = { viewing: 'viewing', typing: 'typing', presence: 'presence' } as const;
export const viewingMs = 20_000;
export const presenceEndsMs = { viewing: 50_000, typing: 8_000 } as const;

/** The specification's figures for the client's side of the socket. */
export const socketLimits = {
  reconnectionAttempts: 6,
  reconnectionDelayMs: 15_000,
  reconnectionDelayMaxMs: 6_000,
  /** After the server closed the socket: 2^n seconds plus one to two seconds of jitter, at most this. */
  serverDisconnectMaxMs: 60_000,
  /** Longest time a page waits to hear whether it missed something before it fetches all again. Ours. */
  quietAnswerMs: 2_000,
  /** Interval at which the lists are fetched while there is no socket. Ours. */
  pollMs: 5_000,
} as const;
