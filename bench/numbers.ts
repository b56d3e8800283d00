/**
 * Numbers and registration: a search of available numbers beside the provider's own time, and how soon an open browser
 * hears what the registry decides.
 *
 *   node bench/numbers.ts [rounds]
 */
import { pathOf, prefixOf, queryOf } from '../contract/call-address.ts';
import {
  buyLocalNumber,
  createRegistrationRequest,
  getCurrentRegistration,
  listLocalNumbers,
} from '../contract/registration.ts';
import { demoPassword, loadDemo } from '../server/demo/load-demo.ts';
import { percentile, report, startBench } from './harness.ts';

const rounds = Number(process.argv[2] ?? 40);
const bench = await startBench({ port: 4270, numbers: {} });
try {
  await loadDemo(bench.databaseUrl, bench.dataDir);
  await bench.startServer({});
  const cookie = await signIn('library-owner');
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const areacode = String(201 + n * 7).replace(/11$/, '12');
    ours.push(
      await timed(() => get(`${prefixOf(listLocalNumbers)}${listLocalNumbers.path}${queryOf({ areacode })}`)),
    );
    theirs.push(
      await timed(() =>
        fetch(
          `${bench.sandboxUrl}/numbers/1/numbers/available?capabilities=SMS&country=US&npa=${areacode}&limit=12&page=0`,
          {
            headers: { authorization: 'App bench-api-key' },
          },
        ),
      ),
    );
  }
  const beyond = percentile(ours, 0.95) - percentile(theirs, 0.5);

  await post(buyLocalNumber, { PhoneNumber: '4235561000' });
  await post(createRegistrationRequest, registration());
  const id = await untilOnDesk();
  const at = performance.now();
  await fetch(`${bench.sandboxUrl}/registry/requests/${id}`, {
    method: 'POST',
    body: JSON.stringify({ Decision: 'Approve' }),
  });
  await until(async () => {
    const answer = await get(prefixOf(getCurrentRegistration) + getCurrentRegistration.path);
    return ((await answer.json()) as { status: string }).status === 'Complete';
  });
  const heardMs = performance.now() - at;
  const holds = [
    report('a search beyond the provider’s own time, p95', beyond, { most: 300 }, 'ms'),
    report('a decision of the registry until it is read', heardMs, { most: 2000 }, 'ms'),
  ];
  if (holds.includes(false)) process.exitCode = 1;

  function get(path: string): Promise<Response> {
    return fetch(bench.serverUrl + path, { headers: { cookie } });
  }

  async function post(
    call: typeof buyLocalNumber | typeof createRegistrationRequest,
    body: object,
  ): Promise<void> {
    const answer = await fetch(bench.serverUrl + prefixOf(call) + pathOf(call, {}), {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${call.path}: ${answer.status} ${await answer.text()}`);
  }

  function untilOnDesk(): Promise<string> {
    return until(async () => {
      const answer = await fetch(`${bench.sandboxUrl}/registry/requests`);
      const { Items } = (await answer.json()) as { Items: { RequestID: string }[] };
      return Items[0]?.RequestID ?? false;
    });
  }
} finally {
  await bench.close();
}

async function timed(act: () => Promise<Response>): Promise<number> {
  const from = performance.now();
  await (await act()).text();
  return performance.now() - from;
}

async function until<T>(what: () => Promise<T | false>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await what();
    if (found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('waited in vain');
}

async function signIn(UserName: string): Promise<string> {
  const answer = await fetch(`${bench.serverUrl}/proxy/public/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName, Password: demoPassword }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

function registration() {
  return {
    NewBrand: {
      Ein: '62-1998877',
      EntityType: 'GOVERNMENT',
      CompanyName: 'Maple Grove Public Library',
      DisplayName: 'Maple Grove Library',
      Vertical: 'EDUCATION',
      Street: '25 Library Lane',
      City: 'Maple Grove',
      State: 'TN',
      PostalCode: '37064',
      Email: 'helen@maplegrove.example',
      PhoneNumber: '6155550161',
      Website: 'https://www.maplegrove.example',
    },
    NewCampaign: { IsPromotionalRegistration: false, PrivacyPolicyUserSelection: 'Not Yet' },
  };
}
