import { say } from '../../ui/say.ts';

/** Source of an opt-in or opt-out, as the ledger holds it. */
interface ConsentEvidence {
  /** inbound, user, carrier, import, web, call; empty without a record. */
  Source: string;
  /** The words of the consent: the text itself if it came by text. */
  Wording: string;
  UserName?: string;
  FileName?: string;
}

/** "Replied “STOP”", "By Dana Whitfield", "From parents.csv": empty when nothing is known. */
export function consentWords({ Source, Wording, UserName = '', FileName = '' }: ConsentEvidence): string {
  const words = Wording.trim();
  switch (Source) {
    case 'inbound':
      return words === '' ? 'By text from this phone' : `Replied “${words}”`;
    case 'user':
      return UserName === '' ? 'Changed manually' : `By ${UserName}`;
    case 'carrier':
      return 'Reported by the carrier';
    case 'import':
      return FileName === '' ? 'Imported from a file' : `From ${FileName}`;
    case 'web':
      return 'On a web page';
    case 'call':
      return 'During a call';
    default:
      return '';
  }
}

/** The words shown beside it; those of a reply are in consentWords already. */
export function consentWording({ Source, Wording }: Pick<ConsentEvidence, 'Source' | 'Wording'>): string {
  return Source === 'inbound' ? '' : Wording.trim();
}

const channels: Record<string, string> = { text: say('texts'), voice: say('calls'), both: 'texts and calls' };

/** "Opted out of texts", "Opted in to texts and calls", "Undid the last change for texts". */
export function consentHeadline(state: string, channel: string): string {
  const what = channels[channel] ?? channel;
  if (state === 'in') return `Opted in to ${what}`;
  return state === 'out' ? `Opted out of ${what}` : `Undid the last change for ${what}`;
}
