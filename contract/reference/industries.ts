import { say } from '../say.ts';

/** The industries (Vertical) that the registry of campaigns knows, with the words people read. */
export const industries = {
  AGRICULTURE: say('Agriculture'),
  COMMUNICATION: 'Media and Communication',
  CONSTRUCTION: 'Construction, Materials, and Trade Services',
  EDUCATION: say('Education'),
  ENERGY: 'Energy and Utilities',
  ENTERTAINMENT: say('Entertainment'),
  FINANCIAL: 'Financial Services',
  GAMBLING: 'Gambling and Lottery',
  GOVERNMENT: 'Government Services and Agencies',
  HEALTHCARE: 'Healthcare and Life Sciences',
  HOSPITALITY: 'Hospitality and Travel',
  HUMAN_RESOURCES: 'HR, Staffing, or Recruitment',
  INSURANCE: say('Insurance'),
  LEGAL: say('Legal'),
  MANUFACTURING: say('Manufacturing'),
  NGO: 'Non-Profit Organization',
  POLITICAL: say('Political'),
  POSTAL: 'Postal and Delivery',
  PROFESSIONAL: 'Professional Services',
  REAL_ESTATE: 'Real Estate',
  RETAIL: 'Retail and Consumer Products',
  TECHNOLOGY: 'Information Technology Services',
  TRANSPORTATION: 'Transportation or Logistics',
} as const;
export type Industry = keyof typeof industries;

export function isIndustry(text: string): text is Industry {
  return Object.hasOwn(industries, text);
}

/** IndustryID of an account: the place in the list above, from 1 on. New ones go to its end. */
const numbered = Object.keys(industries) as Industry[];

export function industryOf(industryId: number): Industry | undefined {
  return numbered[industryId - 1];
}

export function industryIdOf(industry: Industry): number {
  return numbered.indexOf(industry) + 1;
}

export const industryChoices: readonly { value: number; label: string }[] = numbered.map(
  (industry, index) => ({ value: index + 1, label: industries[industry] }),
);
