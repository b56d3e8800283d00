import { informationalCampaigns } from './campaign-texts-informational.ts';
import { promotionalCampaigns } from './campaign-texts-promotional.ts';
import type { Industry } from './industries.ts';

/** A campaign's description and texts it would send, by industry, with a Default for every other. */
export type CampaignTexts = {
  [Key in Industry | 'Default']: { description: string; samples: readonly string[] };
};

/** Stands for the organization's name; not a merge field, since it is filled in before anybody sees it. */
const placeholder = '[Organization]';

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

export interface CampaignSuggestion {
  Description: string;
  Sample1: string;
  Sample2: string;
}

/** A description and two different samples, picked at random. `random` gives numbers from 0 up to 1. */
export function suggestCampaign(
  { Vertical, IsPromotional, DisplayName }: { Vertical: string; IsPromotional: boolean; DisplayName: string },
  random: () => number,
): CampaignSuggestion {
  const kind = IsPromotional ? 'Promotional' : 'Informational';
  const descriptions = forIndustry(campaignDetails.CampaignDescriptions[kind], Vertical);
  const samples = forIndustry(campaignDetails.SampleMessages[kind], Vertical);
  const first = Math.floor(random() * samples.length);
  const second = (first + 1 + Math.floor(random() * (samples.length - 1))) % samples.length;
  const fill = (text: string | undefined) =>
    (text ?? '').replaceAll(placeholder, () => DisplayName || placeholder);
  return {
    Description: fill(descriptions[Math.floor(random() * descriptions.length)]),
    Sample1: fill(samples[first]),
    Sample2: fill(samples[second]),
  };
}

function forIndustry(texts: Record<string, readonly string[]>, vertical: string): readonly string[] {
  return (Object.hasOwn(texts, vertical) ? texts[vertical] : texts.Default) ?? [];
}
