import { z } from 'zod';
import { call, moment } from './call.ts';

/** The kinds of things that can be found by name. */
const foundKinds = [
  'Person',
  'Group',
  'Draft',
  'Broadcast',
  'RepeatingBroadcast',
  'Template',
  'Audio',
  'DripCampaign',
] as const;
export type FoundKind = (typeof foundKinds)[number];

const found = z.object({
  Kind: z.enum(foundKinds),
  ID: z.number().int(),
  Name: z.string(),
  /** Only similar to the query: nothing contains its words. */
  IsSimilar: z.boolean(),
  /** The phone of a person. */
  PhoneNumber: z.string().nullable(),
  /** Number of people in a group; null for users who don't see everybody. */
  RosterCount: z.number().int().nullable(),
  /** Start of a broadcast, next start of a repeating one, or last change of a draft. */
  Timestamp: moment.nullable(),
});
export type Found = z.output<typeof found>;

/** As many of one kind are found at most. */
export const mostOfKind = 5;

/** Ours: everything that has a name, in one search. Finds only what the user may see. */
export const searchEverything = call({
  method: 'GET',
  path: '/search',
  summary:
    'Finds people, groups, drafts, broadcasts, repeating broadcasts, saved texts, audio and drip campaigns by name, with or without accents. Misspelled words find what is similar. Of broadcasts and drafts, the latest 5,000 are searched; GET /broadcasts searches all.',
  allow: 'useMuster',
  query: z.object({ q: z.string().trim().min(1).max(100) }),
  reply: z.object({ Items: z.array(found) }),
});
