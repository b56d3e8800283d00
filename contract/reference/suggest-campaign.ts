/** Picks texts from a campaign template file; the file itself is in campaign-details.ts. */

/** Stands for the organization's name; not a merge field, since it is filled in before anybody sees it. */
const placeholder = '[Organization]';

type TextsByIndustry = Readonly<Record<string, readonly string[]>>;
interface TextsByKind {
  Promotional: TextsByIndustry;
  Informational: TextsByIndustry;
}
export interface CampaignDetails {
  CampaignDescriptions: TextsByKind;
  SampleMessages: TextsByKind;
}

export interface CampaignQuestion {
  Vertical: string;
  IsPromotional: boolean;
  DisplayName: string;
}

export interface CampaignSuggestion {
  Description: string;
  Sample1: string;
  Sample2: string;
}

export function suggestFrom(
  details: CampaignDetails,
  { Vertical, IsPromotional, DisplayName }: CampaignQuestion,
  random: () => number,
): CampaignSuggestion {
  const kind = IsPromotional ? 'Promotional' : 'Informational';
  const descriptions = forIndustry(details.CampaignDescriptions[kind], Vertical);
  const samples = forIndustry(details.SampleMessages[kind], Vertical);
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

/** Fills in what is empty, never with the same sample twice. */
export function fillSuggestion(typed: CampaignSuggestion, texts: CampaignSuggestion): CampaignSuggestion {
  const Sample1 = typed.Sample1 || (typed.Sample2 === texts.Sample1 ? texts.Sample2 : texts.Sample1);
  return {
    Description: typed.Description || texts.Description,
    Sample1,
    Sample2: typed.Sample2 || (Sample1 === texts.Sample2 ? texts.Sample1 : texts.Sample2),
  };
}

function forIndustry(texts: TextsByIndustry, vertical: string): readonly string[] {
  return (Object.hasOwn(texts, vertical) ? texts[vertical] : texts.Default) ?? [];
}
