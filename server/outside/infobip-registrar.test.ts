import { expect, it } from 'vitest';
import type { CarrierLine, Exchange } from './carrier-line.ts';
import { infobipNumbers } from './infobip-numbers.ts';
import { infobipRegistrar } from './infobip-registrar.ts';
import type { RegistrationWork } from './registrar.ts';

/** A line whose answers are written here. */
function scripted(answers: Record<string, unknown>): CarrierLine {
  const answer = async (path: string): Promise<Exchange> => ({
    kind: 'reply',
    status: 200,
    text: JSON.stringify(answers[path] ?? {}),
    retryAfterMs: null,
  });
  return { get: answer, post: answer, put: answer, delete: answer } as unknown as CarrierLine;
}

const made = {
  brandId: 'B',
  brandBody: 'told',
  brandStage: 'registered',
  campaignId: 'C',
  campaignBody: 'told',
};
const work = {
  kind: 'Local',
  reference: 'muster-1',
  brand: {
    ...{
      DisplayName: 'Harlow Creek Schools',
      CompanyName: 'Harlow Creek',
      EntityType: 'GOVERNMENT',
      Ein: '621047793',
    },
    ...{ Street: '410 Mill Street', City: 'Harlow Creek', State: 'TN', PostalCode: '37343' },
    ...{
      Email: 'dana@hcsd.example',
      PhoneNumber: '4235550100',
      Website: 'hcsd.example',
      Vertical: 'EDUCATION',
    },
  },
  campaign: {},
  contact: { firstName: 'Dana', lastName: 'Whitfield' },
  made: { ...made, campaignStage: 'registered' },
  numbers: [],
  keep: async () => {},
} as unknown as RegistrationWork;

function advance(brandState: string, stage: string, vet = 'success') {
  const line = scripted({
    '/number-registration/1/brands/B/registrar-statuses': [{ state: brandState }],
    '/number-registration/1/brands/B/vets': { results: [{ status: vet, score: 82 }] },
    '/number-registration/1/campaigns/C': { stage },
  });
  return infobipRegistrar(line, { publicUrl: 'https://muster.example', vets: true }).advance(work);
}

it('compares states without regard to case', async () => {
  expect(await advance('active', 'Registered')).toEqual({
    state: 'Complete',
    perMinute: 4_500,
    messagesPerDay: 200_000,
  });
  expect(await advance('Active', 'rejected')).toMatchObject({ state: 'Failed' });
  expect(await advance('rejected', '')).toMatchObject({ state: 'Failed' });
  expect(await advance('Pending_2fa', '')).toMatchObject({ state: 'PendingContactAuthentication' });
  expect(await advance('active', 'registered', 'pending')).toMatchObject({ state: 'Processing' });
  const numbers = infobipNumbers(scripted({ '/numbers/1/numbers': { reservationStatus: 'pending' } }), '');
  const number = { phone: '14235550100', key: 'K', city: '', state: '' };
  expect(await numbers.buy(number, '')).toMatchObject({ outcome: 'doubt' });
});
