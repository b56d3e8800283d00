import type { CustomField } from '../../../contract/contacts.ts';
import type { Segment, SegmentRule } from '../../../contract/lists.ts';
import { say } from '../../ui/say.ts';
import { consentNames } from '../list/contacts-view.ts';

/** The subjects of conditions, as a single select offers them: a custom field is `custom-12`. */
export type Subject = string;

export interface Choice {
  value: string;
  label: string;
}

const fieldSubjects = {
  firstname: 'First name',
  lastname: 'Last name',
  notes: say('Notes'),
  phone: say('Phone'),
} as const;

const otherSubjects = {
  group: say('Group'),
  consent: say('Texting'),
  lastcontact: 'Last text',
  added: say('Added'),
} as const;

export function subjectChoices(fields: readonly CustomField[]): Choice[] {
  const choices = (names: Record<string, string>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  return [
    ...choices(otherSubjects),
    ...choices(fieldSubjects),
    ...fields.map(({ FieldID, Name }) => ({ value: `custom-${FieldID}`, label: Name })),
  ];
}

export function subjectOf(rule: SegmentRule): Subject {
  if (rule.Kind !== 'field') return rule.Kind;
  return rule.Field === 'custom' ? `custom-${rule.FieldID}` : rule.Field;
}

/** The initial condition for a new subject. */
export function ruleAbout(subject: Subject, anyGroup: number): SegmentRule {
  switch (subject) {
    case 'group':
      return { Kind: 'group', Is: 'in', ListID: anyGroup };
    case 'consent':
      return { Kind: 'consent', Is: 'optedin' };
    case 'lastcontact':
      return { Kind: 'lastcontact', Is: 'within', Days: 30 };
    case 'added':
      return { Kind: 'added', Is: 'within', Days: 30 };
  }
  const fieldId = /^custom-(\d+)$/.exec(subject)?.[1];
  const field = fieldId === undefined ? { Field: subject } : { Field: 'custom', FieldID: Number(fieldId) };
  return { Kind: 'field', ...field, Is: 'contains', Value: '' } as SegmentRule;
}

const comparisons: Record<SegmentRule['Kind'], Record<string, string>> = {
  field: {
    contains: say('contains'),
    equals: say('is', 'condition'),
    startswith: 'starts with',
    isempty: 'is empty',
    isnotempty: 'is not empty',
  },
  group: { in: say('is', 'condition'), notin: 'is not' },
  consent: consentNames,
  lastcontact: { within: 'in the last', notwithin: 'not in the last', never: say('never') },
  added: { within: 'in the last', notwithin: 'not in the last' },
};

export function comparisonChoices(rule: SegmentRule): Choice[] {
  return Object.entries(comparisons[rule.Kind]).map(([value, label]) => ({ value, label }));
}

/** True if the condition is complete: an incomplete one is neither counted nor saved. */
export function isComplete(rule: SegmentRule): boolean {
  switch (rule.Kind) {
    case 'field':
      return rule.Is === 'isempty' || rule.Is === 'isnotempty' || rule.Value.trim() !== '';
    case 'group':
      return rule.ListID > 0;
    case 'consent':
      return true;
    case 'lastcontact':
      return rule.Is === 'never' || isDays(rule.Days);
    case 'added':
      return isDays(rule.Days);
  }
}

function isDays(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= 3650;
}

/** The query to send, or undefined while a condition is incomplete. */
export function askable(segment: Segment): Segment | undefined {
  return segment.Rules.length > 0 && segment.Rules.every(isComplete) ? segment : undefined;
}
