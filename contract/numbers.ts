import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { listQuery, sizedList } from './list.ts';

export const registrationStatus = z.enum(['Not Registered', 'Pending', 'Rejected', 'Registered']);

export const textNumber = z.object({
  TextNumberID: z.number().int(),
  Name: z.string(),
  /** Ten digits in the US and Canada, otherwise all digits with the country code. */
  TextPhoneNumber: z.string(),
  Description: z.string(),
  RegistrationStatus: registrationStatus,
  IsDefault: z.boolean(),
  IsBlocked: z.boolean(),
  CanCreateBroadcast: z.boolean(),
  CanText: z.boolean(),
  FlatRateConversation: z.boolean(),
  FlatRateConversationStatus: z.enum(['Active', 'CancelPending', 'BillingProblem']).nullable(),
  FlatRateSubscriptionEndDate: moment.nullable(),
  /** 5 speaks Infobip's protocol, 2 Twilio's. */
  AggregatorID: z.union([z.literal(2), z.literal(5)]),
  RcsAgent: z.string().nullable(),
  BrowserNotificationsEnabled: z.boolean(),
  AudioNotificationsEnabled: z.boolean(),
});
export type TextNumber = z.output<typeof textNumber>;

export const listTextNumbers = call({
  method: 'GET',
  path: '/textnumbers',
  summary: 'The text numbers that the user may use.',
  allow: 'user',
  query: listQuery({ pagesize: 10, most: 1000, sortby: ['name', 'textphonenumber'] }),
  reply: sizedList(textNumber),
});

export const getTextNumber = call({
  method: 'GET',
  path: '/textnumbers/:TextNumberID',
  summary: 'One text number.',
  allow: 'user',
  params: z.object({ TextNumberID: id }),
  reply: textNumber,
  errors: ['notFound'],
});
