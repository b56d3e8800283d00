// The registry of organizations and campaigns, and who sells numbers: what both providers' registration calls work on, and
// the desk where somebody approves or rejects. It remembers in a file of its own.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Carrier } from './carrier.ts';
import type { Provider } from './config.ts';
import { BadRequest } from './http.ts';
import type { Mailbox } from './mailbox.ts';
import { signTwilio } from './twilio-signature.ts';

export type Decision = 'Approve' | 'Reject';
type ApplicationState = 'AwaitingEmail' | 'AwaitingText' | 'Pending' | 'Approved' | 'Rejected';

/** An application on the desk: an organization with its campaign, or a toll-free number. */
export type Application = {
  id: string;
  kind: 'Organization' | 'Sole proprietor' | 'Toll-free number';
  provider: Provider;
  name: string;
  state: ApplicationState;
  reason: string;
  submittedAt: string;
  /** Time when the registry decides by itself; 0 for never. */
  decideAt: number;
  email: string;
  phone: string;
  taxId: string;
};

type Thing = Record<string, unknown>;

/** Everything that was made, by its id. */
type Memory = {
  owned: Record<string, { provider: Provider; label: string }>;
  brands: Record<string, Thing>;
  campaigns: Record<string, Thing>;
  /** Twilio's: profiles, products, people, assignments, services, verifications. */
  things: Record<string, Thing>;
  applications: Application[];
};

/** The campaign that the demo's school is registered with: its new numbers join it. */
const schools = {
  id: '4d3601ed-c632-4979-ae22-43854ef4ffaf',
  brandId: 'a0c63335-f841-4d43-9ef8-e0765a233f29',
  type: 'TEN_DIGIT_LONG_CODE',
  name: 'Harlow Creek Schools',
  stage: 'REGISTERED',
};

const nothing = (): Memory => ({
  owned: {},
  brands: {},
  campaigns: { [schools.id]: { ...schools } },
  things: {},
  applications: [],
});

/** The sender of the registry's verification texts. */
const registryNumber = '18335550122';

/** Reasons that registries give, offered on the desk. */
export const usualReasons = [
  'The EIN does not match the legal name.',
  'The website could not be opened.',
  'The address does not match the record.',
  'The privacy policy is missing or does not mention text messages.',
  'The sample messages do not match the use case.',
  'The call to action does not say how people opt in.',
] as const;

export class Registry {
  readonly owned = new Map<string, { provider: Provider; label: string }>();
  memory: Memory = nothing();
  decisionSeconds: number;
  readonly #carrier: Carrier;
  readonly #mailbox: Mailbox;
  readonly #file: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(carrier: Carrier, mailbox: Mailbox) {
    this.#carrier = carrier;
    this.#mailbox = mailbox;
    this.decisionSeconds = carrier.config.registrySeconds;
    const folder = carrier.config.dataDir;
    this.#file = folder === undefined ? undefined : join(folder, 'registry.json');
    this.#load();
    this.#timer = setInterval(() => this.#decideByItself(), 1000).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  reset(): void {
    this.memory = nothing();
    this.owned.clear();
    this.save();
  }

  #load(): void {
    if (this.#file === undefined) return;
    try {
      this.memory = { ...nothing(), ...JSON.parse(readFileSync(this.#file, 'utf8')) };
    } catch {
      return;
    }
    for (const [number, sold] of Object.entries(this.memory.owned)) this.owned.set(number, sold);
  }

  save(): void {
    this.memory.owned = Object.fromEntries(this.owned);
    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(this.memory));
    this.#carrier.events.registryChanged();
  }

  /** A number changes hands. */
  sell(number: string, provider: Provider, label: string): void {
    this.owned.set(number, { provider, label });
    this.#carrier.numbers.set(number, { provider, learned: false });
    this.#carrier.journal?.number(number, { provider, learned: false });
    this.#carrier.events.allChanged();
    this.save();
  }

  takeBack(number: string): void {
    this.owned.delete(number);
    this.#carrier.numbers.delete(number);
    this.save();
  }

  pointTo(number: string, inboundUrl: string): void {
    const served = this.#carrier.numbers.get(number);
    if (served === undefined) return;
    const next = { ...served, inboundUrl };
    this.#carrier.numbers.set(number, next);
    this.#carrier.journal?.number(number, next);
  }

  /** Sets the address that a call to it asks what to do. */
  pointCallsTo(number: string, voiceUrl: string): void {
    const served = this.#carrier.numbers.get(number);
    if (served === undefined) return;
    const next = { ...served, voiceUrl };
    this.#carrier.numbers.set(number, next);
    this.#carrier.journal?.number(number, next);
  }

  /** Puts an application on the desk, or a corrected one back on it. */
  apply(given: Pick<Application, 'id' | 'kind' | 'provider' | 'name'> & Partial<Application>): Application {
    const state = given.state ?? 'Pending';
    const application: Application = {
      reason: '',
      email: '',
      phone: '',
      taxId: '',
      ...given,
      state,
      submittedAt: new Date().toISOString(),
      decideAt: 0,
    };
    this.memory.applications = [
      application,
      ...this.memory.applications.filter(({ id }) => id !== application.id),
    ];
    if (state === 'AwaitingEmail') this.sendEmail(application);
    if (state === 'AwaitingText') this.sendText(application);
    if (state === 'Pending') this.#startClock(application);
    this.save();
    return application;
  }

  find(id: string): Application | undefined {
    return this.memory.applications.find((application) => application.id === id);
  }

  /** Takes an application off the desk after its applicant deleted what they applied with. */
  withdraw(id: string): void {
    this.memory.applications = this.memory.applications.filter((application) => application.id !== id);
    this.save();
  }

  #startClock(application: Application): void {
    application.decideAt = this.decisionSeconds === 0 ? 0 : Date.now() + this.decisionSeconds * 1000;
  }

  /** Decides what nobody decides at the desk. A tax number that begins with 00 belongs to nobody. */
  #decideByItself(): void {
    for (const application of this.memory.applications) {
      if (application.state !== 'Pending' || application.decideAt === 0 || application.decideAt > Date.now())
        continue;
      const isWrong = application.taxId.startsWith('00');
      this.decide(application.id, isWrong ? 'Reject' : 'Approve', isWrong ? usualReasons[0] : '');
    }
  }

  decide(id: string, decision: Decision, reason: string): Application {
    const application = this.find(id);
    if (application === undefined) throw new BadRequest('There is no such request.', 404);
    const wanted = decision === 'Approve' ? 'Approved' : 'Rejected';
    // A registry can revoke an approval; what it rejected has to be submitted again.
    if (application.state === 'Rejected' && wanted === 'Approved')
      throw new BadRequest(`This request was already ${application.state.toLowerCase()}.`, 409);
    if (application.state === wanted) return application;
    application.state = wanted;
    application.reason = decision === 'Reject' ? reason || usualReasons[0] : '';
    this.save();
    this.tell(application);
    return application;
  }

  /** Somebody opened the link in the mail. */
  confirm(token: string): boolean {
    const application = this.memory.applications.find(
      (each) => each.state === 'AwaitingEmail' && tokenOf(each.id) === token,
    );
    if (application === undefined) return false;
    this.#verified(application);
    return true;
  }

  /** A text to the registry: YES is the answer it waits for. */
  hear(from: string, text: string): void {
    if (!/^\s*yes\b/i.test(text)) return;
    const waiting = this.memory.applications.filter(
      (each) => each.state === 'AwaitingText' && each.phone === from,
    );
    for (const application of waiting) this.#verified(application);
  }

  #verified(application: Application): void {
    application.state = 'Pending';
    this.#startClock(application);
    this.save();
    this.tell(application);
  }

  sendEmail(application: Application): void {
    const link = `${this.#carrier.publicUrl}/registry/confirm/${tokenOf(application.id)}`;
    const words = `${application.name} is being registered to send text messages. Open this link to confirm that you work there: ${link}`;
    this.#mailbox.deliver({
      from: 'no-reply@auth.campaignregistry.example',
      fromName: 'The Campaign Registry',
      to: application.email,
      subject: `Verify the registration of ${application.name}`,
      text: words,
      html: `<p>${words.replace(link, `<a href="${link}" target="_blank">${link}</a>`)}</p>`,
    });
  }

  sendText(application: Application): void {
    const carrier = this.#carrier;
    carrier.numbers.set(registryNumber, {
      provider: 'twilio',
      learned: false,
      name: 'The Campaign Registry',
      inboundUrl: `${carrier.publicUrl}/registry/inbound`,
    });
    const at = Date.now();
    carrier.accept({
      id: `SM${carrier.createId(carrier.seq + 1, at)}`,
      provider: 'twilio',
      mms: false,
      from: registryNumber,
      to: application.phone,
      text: `${application.name} is being registered to send texts with your mobile number. Reply YES within 24 hours to confirm.`,
      parts: 1,
      at,
      envelope: {
        reportUrl: undefined,
        intermediate: false,
        reportMembers: '',
        bulkId: undefined,
        campaignReferenceId: undefined,
      },
      mediaUrls: [],
    });
    const phone = carrier.phones.get(application.phone);
    phone.open = true;
    phone.hidden = false;
    carrier.phones.settle(phone);
  }

  /** The registrar hears of every change. Muster asks for the rest. */
  tell(application: Application): void {
    const { infobipInboundUrl, twilioInboundUrl, twilioAuthToken } = this.#carrier.config;
    const isInfobip = application.provider === 'infobip';
    const url = (isInfobip ? infobipInboundUrl : twilioInboundUrl)?.replace('/inbound', '/registration');
    if (url === undefined || !url.includes('/registration')) return;
    const brandStatus = { Approved: 'SUCCESS', Rejected: 'FAILURE', AwaitingEmail: 'PENDING_2FA' } as Record<
      string,
      string
    >;
    const hook = {
      results: [
        {
          event: 'BRAND_STATUS_UPDATE',
          receivedAt: new Date().toISOString().replace('Z', '+0000'),
          content: {
            brandId: application.id,
            brandStatus: brandStatus[application.state] ?? 'PENDING',
            ...(application.reason !== '' && { rejectionReasons: [application.reason] }),
          },
        },
      ],
    };
    const body = isInfobip ? JSON.stringify(hook) : JSON.stringify([{ id: application.id }]);
    void post(url, body, isInfobip ? {} : { 'x-twilio-signature': signTwilio(twilioAuthToken, url, {}) });
  }
}

function tokenOf(id: string): string {
  return createHash('sha256').update(`confirm ${id}`).digest('hex').slice(0, 32);
}

/** Again after a second, and after five: the receiver may be starting. */
async function post(url: string, body: string, headers: Record<string, string>): Promise<void> {
  for (const waitMs of [0, 1000, 5000]) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(5000),
      });
      if (answer.ok) return;
    } catch {
      // Tried again.
    }
  }
}

export function newId(): string {
  return randomUUID();
}
