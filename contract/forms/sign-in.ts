import { z } from 'zod';
import { maxLength, minLength, required } from '../fields/basic-rules.ts';
import { email, noWhitespace, password, username } from '../fields/character-rules.ts';
import { textField, trimmedField } from '../fields/form.ts';

/** Ours: the specification gives the characters of a password but no length. */
const passwordLimits = { least: 8, most: 128 } as const;

export const newPassword = textField(
  required('Password'),
  minLength('Password', passwordLimits.least),
  maxLength('Password', passwordLimits.most),
  password(),
);

const userName = textField(
  required('Username'),
  maxLength('Username', 50),
  noWhitespace('Username'),
  username(),
);

/** The first organization of a new system, and its owner. */
export const newOrganization = z.object({
  CompanyName: trimmedField(required('Account Name'), maxLength('Account Name', 41)),
  FirstName: trimmedField(required('First Name'), maxLength('First Name', 50)),
  LastName: trimmedField(required('Last Name'), maxLength('Last Name', 50)),
  Email: trimmedField(required('Email'), maxLength('Email', 50), email('Email')),
  UserName: userName,
  Password: newPassword,
  CountryID: z.number().int().min(1).max(1000).default(1),
  TimeZone: z.string().max(60).default('America/New_York'),
});
