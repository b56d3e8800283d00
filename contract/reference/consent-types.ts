/**
 * Ways in which people agree to be texted, each with the message flow that is sent to the registry of campaigns. The
 * flows say where people are asked for consent, in which words, and how they opt out, because reviewers look for
 * that.
 */
export const consentTypes = {
  Verbal:
    'People give consent by word of mouth, in person or by telephone, to a member of our staff. The staff member says who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP at any time to opt out or HELP for help. The date and the name of the staff member are recorded with the phone number before the first text is sent.',
  Written:
    'People give consent on a paper form, such as an enrollment, membership or new-customer form, that has a separate line for text messages. The line says who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP to opt out or HELP for help. They write their phone number and sign; consent is not a condition of any service. The form is kept on file.',
  'POS or On-site':
    'People give consent at our location, at the point of sale or a sign-up sheet, by giving their phone number for text messages. A notice beside it says who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP to opt out or HELP for help. Giving a number is optional.',
  'Text Keyword':
    'People give consent by texting a keyword that we advertise to our number. The advertisement says who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP to opt out or HELP for help. They receive one confirmation that repeats this; no other text is sent before they have opted in.',
  'Automated System (IVR)':
    'People give consent in our automated telephone system: after hearing who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP to opt out or HELP for help, they press a key to agree. The system records the phone number, the key and the time of the call.',
  'Online Form/Website':
    'People give consent on a form on our website by entering their phone number and checking a box, not checked beforehand, to receive text messages. The text beside the box says who will text them and what about, that message frequency varies, that message and data rates may apply, and that they can reply STOP to opt out or HELP for help, with links to our terms and privacy policy. The time and address of the submission are recorded.',
} as const;
export type ConsentType = keyof typeof consentTypes;

export const consentTypeNames = Object.keys(consentTypes) as readonly ConsentType[];

export function isConsentType(text: string): text is ConsentType {
  return Object.hasOwn(consentTypes, text);
}

/** MessageFlow of a campaign; empty when no way of consent was chosen. */
export function messageFlow(consentType: string): string {
  return isConsentType(consentType) ? consentTypes[consentType] : '';
}
