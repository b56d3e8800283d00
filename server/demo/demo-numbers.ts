export const mainNumbers = [
  { phone: '14235550100', name: 'Main office', aggregator_id: 5, is_default: true },
  { phone: '14235550120', name: 'Transportation', aggregator_id: 2, is_default: false },
  { phone: '18445550190', name: 'Attendance line', aggregator_id: 5, is_default: false },
] as const;
export const otherNumbers = [
  { phone: '18655550150', name: 'Church office', aggregator_id: 5, is_default: true },
] as const;

/** The installation's own number, which sends codes. */
export const demoCodeNumber = '18885550177';

/** Not registered yet. */
export const libraryNumbers = [
  { phone: '16155550160', name: 'Front desk', aggregator_id: 5, is_default: true },
] as const;

/** The carrier of each of the demo's numbers and its name on telephones, in the sandbox's format. */
export const demoNumbers: Record<string, string> = {
  '14235550100': 'infobip:Harlow Creek Schools',
  '14235550120': 'twilio:Harlow Creek Buses',
  '18445550190': 'infobip:Harlow Creek Attendance',
  '18655550150': 'infobip:Second Street Church',
  '16155550160': 'infobip:Maple Grove Library',
  '18885550177': 'infobip:Muster codes',
};

/** A phone that texts the school and that nobody there knows. */
export const strangerPhone = '14235550188';
