import { z } from 'zod';
import { maxLength, minLength, required } from '../fields/basic-rules.ts';
import { email, noWhitespace, username } from '../fields/character-rules.ts';
import { textField, trimmedField } from '../fields/form.ts';
import { limits } from '../reference/limits.ts';
import { newPassword } from './sign-in.ts';

/** A free trial and its owner. Without a username people sign in with their email. */
export const signUpForm = z.object({
  CompanyName: trimmedField(
    required('Account Name'),
    maxLength('Account Name', limits.onboarding.companyName),
  ),
  FirstName: trimmedField(required('First Name'), maxLength('First Name', limits.nameOfUser)),
  LastName: trimmedField(required('Last Name'), maxLength('Last Name', limits.nameOfUser)),
  Email: trimmedField(required('Email'), maxLength('Email', limits.emailOfUser), email('Email')),
  UserName: textField(
    noWhitespace('Username'),
    minLength('Username', 4),
    maxLength('Username', limits.userName.max),
    username(),
  ),
  Password: newPassword,
  TimeZone: z.string().max(60).default('America/New_York'),
});

export const emailForm = z.object({
  Email: trimmedField(required('Email'), maxLength('Email', limits.emailOfUser), email('Email')),
});
