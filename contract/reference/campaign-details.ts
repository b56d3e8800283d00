import { informationalCampaigns } from './campaign-texts-informational.ts';
import { promotionalCampaigns } from './campaign-texts-promotional.ts';
import type { Industry } from './industries.ts';
import { type CampaignQuestion, type CampaignSuggestion, suggestFrom } from './suggest-campaign.ts';

/** A campaign's description and texts it would send, by industry, with a Default for every other. */
export type CampaignTexts = {
  [Key in Industry | 'Default']: { description: string; samples: readonly string[] };
};

/** The shape of the campaign template file: descriptions and samples, each by kind and industry. */
export const campaignDetails = {
  CampaignDescriptions: {
    Promotional: pick(promotionalCampaigns, ({ description }) => [description]),
    Informational: pick(informationalCampaigns, ({ description }) => [description]),
  },
  SampleMessages: {
    Promotional: pick(promotionalCampaigns, ({ samples }) => samples),
    Informational: pick(informationalCampaigns, ({ samples }) => samples),
  },
};

function pick(texts: CampaignTexts, choose: (of: CampaignTexts[Industry]) => readonly string[]) {
  return Object.fromEntries(Object.entries(texts).map(([industry, of]) => [industry, choose(of)]));
}

/** A description and two different samples, picked at random. `random` gives numbers from 0 up to 1. */
export function suggestCampaign(about: CampaignQuestion, random: () => number): CampaignSuggestion {
  return suggestFrom(campaignDetails, about, random);
}
