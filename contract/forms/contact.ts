import { z } from 'zod';
import { duplicateGroupName, maxLength, required } from '../fields/basic-rules.ts';
import { lineField, trimmedField } from '../fields/form.ts';
import { phoneField } from '../fields/phone-rules.ts';
import { limits } from '../reference/limits.ts';

/** First name, last name, notes each max 50. Phone required. */
export function contactForm({ countryId = 1 }: { countryId?: number } = {}) {
  return z.object({
    FirstName: lineField(maxLength('First Name', limits.contactName)),
    LastName: lineField(maxLength('Last Name', limits.contactName)),
    Notes: trimmedField(maxLength('Notes', limits.contactNotes)),
    PrimaryPhone: phoneField(countryId, required('Phone Number')),
    SecondaryPhone: phoneField(countryId),
    TertiaryPhone: phoneField(countryId),
  });
}

/** A group's name; `existing` are the names of the account's other groups. */
export function groupForm({ existing }: { existing: Iterable<string> }) {
  return z.object({
    ListName: trimmedField(
      required('Group Name'),
      maxLength('Group Name', limits.groupName),
      duplicateGroupName(existing),
    ),
  });
}
