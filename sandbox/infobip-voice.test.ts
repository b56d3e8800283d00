// Infobip's IVR calls through the sandbox: scenarios, their requests during the call, and the report after
// it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Client,
  createClient,
  type Hook,
  loadOracle,
  noProtocols,
  type Receiver,
  startReceiver,
  startTestSandbox,
} from './testing.ts';

const oracle = loadOracle('infobip-voice.json');
let muster: Receiver;
let client: Client;

beforeEach(async () => {
  muster = await startReceiver();
  client = createClient(
    await startTestSandbox({ SANDBOX_CALL_SPEED: '100', SANDBOX_CALL_STARTS_PER_SECOND: '1000' }),
  );
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

type Report = {
  messageId: string;
  to: string;
  status: { id: number; groupName: string };
  error: { id: number };
  voiceCall: { duration: number; dtmfCodes: string; answeredBy?: string; ivr: { collectedDtmfs: string } };
};

async function createScenario(script: unknown[]): Promise<string> {
  const body = { name: 'Muster calls', script };
  oracle?.expectValid('UpdateScenarioRequest', body);
  const answer = await client.call('POST', '/voice/ivr/1/scenarios', body);
  expect(answer.text).toContain('"id"');
  oracle?.expectValid('UpdateScenarioResponse', answer.json);
  return (answer.json as { id: string }).id;
}

async function launch(scenarioId: string, destinations: { to: string; messageId: string }[], more = {}) {
  const body = {
    messages: [
      {
        scenarioId,
        from: '14235550100',
        destinations,
        notifyUrl: `${muster.url}/reports`,
        ringTimeout: 25,
        parameters: { who: 'Harlow Creek' },
        ...more,
      },
    ],
  };
  oracle?.expectValid('LaunchScenarioRequest', body);
  const answer = await client.call('POST', '/voice/ivr/1/messages', body);
  expect(answer.status).toBe(200);
  oracle?.expectValid('StandardVoiceResponse', answer.json);
  return answer.json as { bulkId: string; messages: { messageId: string; status: { id: number } }[] };
}

async function reportOf(messageId: string): Promise<Report> {
  const isMine = ({ path, body }: Hook) => path === '/reports' && body.includes(`"${messageId}"`);
  const [hook] = await muster.waitFor(1, isMine);
  const json: unknown = JSON.parse(hook?.body ?? '{}');
  oracle?.expectValid('VoiceReportsResponse2', json);
  const [report] = (json as { results: Report[] }).results;
  if (!report) throw new Error('No report');
  return report;
}

async function heardBy(to: string): Promise<(string | undefined)[]> {
  const { json } = await client.call('GET', `/phones/${to}/calls`);
  const { Items } = json as { Items: { Heard: { Text?: string }[] }[] };
  return Items.flatMap(({ Heard }) => Heard.map(({ Text }) => Text));
}

it.runIf(!oracle)(noProtocols, () => undefined);

it('runs a scenario with variables, keys and questions to us, and reports what was pressed', async () => {
  muster.files.set('/ask', ({ body }) => {
    const asked = JSON.parse(body) as { keys: string };
    const words = asked.keys === '' ? 'Press star one' : `You pressed ${asked.keys}`;
    return {
      type: 'application/json',
      body: JSON.stringify({ words, next: asked.keys === '' ? 'ask' : 'end' }),
    };
  });
  const scenarioId = await createScenario([
    { setVariable: 'keys', value: '' },
    {
      repeat: [
        {
          request: `${muster.url}/ask`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Infobip's own variables
          options: { method: 'POST', body: '{"who":"${who}","keys":"${keys}"}', collectResponse: true },
        },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Infobip's own variables
        { say: '${words}' },
        {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Infobip's own variables
          switch: '${next}',
          case: { ask: [{ collectInto: 'keys', options: { maxInputLength: 2, timeout: 5 } }], __default: [] },
        },
      ],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Infobip's own variables
      while: "${next == 'ask'}",
    },
    'hangup',
  ]);
  const { messages } = await launch(scenarioId, [{ to: '14235550151', messageId: 'mu-1' }]);
  expect(messages).toMatchObject([{ messageId: 'mu-1', status: { id: 26 } }]);
  const report = await reportOf('mu-1');
  expect(report).toMatchObject({
    status: { groupName: 'DELIVERED' },
    voiceCall: { dtmfCodes: '*,1', ivr: { collectedDtmfs: '{"keys":"*1"}' } },
  });
  expect(await heardBy('4235550151')).toEqual(['Press star one', 'You pressed *1']);
  expect(muster.hooks.find(({ path }) => path === '/ask')?.body).toContain('"who":"Harlow Creek"');
});

it('tells people and machines apart, and how other calls end', async () => {
  const scenarioId = await createScenario([
    {
      answeringMachineDetection: true,
      options: { waitEndOfMessageDetection: 'ALWAYS', endOfMessageDetectionTimeout: 30 },
      onHumanDetected: [{ say: 'Hello person' }],
      onMachineDetected: [{ say: 'Hello machine' }],
      onTimeout: [{ say: 'Hello' }],
    },
    'hangup',
  ]);
  const expected: Record<string, [string, number, number]> = {
    '14235550133': ['DELIVERED', 5, 10_003],
    '14235550145': ['DELIVERED', 5, 10_002],
    '14235550146': ['UNDELIVERABLE', 97, 10_201],
    '14235550147': ['UNDELIVERABLE', 96, 10_200],
    '14235550148': ['UNDELIVERABLE', 9, 10_303],
    '14235550149': ['REJECTED', 99, 10_203],
  };
  const destinations = Object.keys(expected).map((to) => ({ to, messageId: `mu-${to}` }));
  await launch(scenarioId, destinations);
  for (const [to, [groupName, id, error]] of Object.entries(expected)) {
    expect(await reportOf(`mu-${to}`)).toMatchObject({ to, status: { groupName, id }, error: { id: error } });
  }
  expect(await heardBy('4235550133')).toEqual(['Hello person']);
  expect(await heardBy('4235550145')).toEqual(['Hello machine']);
  const logs = await client.call('GET', '/tts/3/logs?messageId=mu-14235550146');
  oracle?.expectValid('LogsResponse', logs.json);
  expect(logs.json).toMatchObject({ results: [{ messageId: 'mu-14235550146', error: { id: 10_201 } }] });
  const reports = await client.call('GET', '/voice/1/reports?messageId=mu-14235550146');
  oracle?.expectValid('ReportResponse', reports.json);
  expect((reports.json as { results: unknown[] }).results).toHaveLength(1);
  const again = await client.call('GET', '/voice/1/reports?messageId=mu-14235550146');
  expect(again.json).toEqual({ results: [] });
});

it('connects to another telephone as the last thing', async () => {
  const scenarioId = await createScenario([{ dial: '14235550111', options: { senderId: '14235550100' } }]);
  await launch(scenarioId, [{ to: '14235550133', messageId: 'mu-dial' }]);
  const report = await reportOf('mu-dial');
  expect(report.voiceCall.duration).toBeGreaterThanOrEqual(19);
  const { json } = await client.call('GET', '/phones/4235550111/calls');
  expect(json).toMatchObject({ Items: [{ Result: 'Answered', From: '14235550100' }] });
});

it('ends a transfer after the longest time that it may last', async () => {
  await client.call('PUT', '/settings', { CallSpeed: 10 });
  const options = { senderId: '14235550100', maxCallDuration: 9 };
  const scenarioId = await createScenario([{ dial: '14235550147', options }]);
  await launch(scenarioId, [{ to: '14235550133', messageId: 'mu-long' }]);
  // Answered by hand, so that nobody hangs up.
  const ringing = async () => {
    const { json } = await client.call('GET', '/phones/4235550147/calls');
    return (json as { Items: { CallID: string; State: string }[] }).Items[0];
  };
  await expect.poll(async () => (await ringing())?.State, { timeout: 10_000 }).toBe('Ringing');
  const answered = await client.call('POST', `/phones/4235550147/calls/${(await ringing())?.CallID}`, {
    Do: 'Answer',
  });
  expect(answered.status).toBe(200);
  expect(await reportOf('mu-long')).toMatchObject({ status: { groupName: 'DELIVERED' } });
  expect((await ringing())?.State).toBe('Ended');
});

it('takes the same message id twice, and counts that', async () => {
  const scenarioId = await createScenario([{ say: 'Once' }]);
  await launch(scenarioId, [{ to: '14235550133', messageId: 'mu-twice' }]);
  await reportOf('mu-twice');
  await launch(scenarioId, [{ to: '14235550133', messageId: 'mu-twice' }]);
  await muster.waitFor(2, ({ body }) => body.includes('mu-twice'));
  expect((await client.call('GET', '/stats')).json).toMatchObject({ CallsPlaced: 2, CallsRepeated: 1 });
});

it('refuses what it can not play', async () => {
  const noTime = { dial: '14235550111', options: { maxCallDuration: 0 } };
  const bad = await client.call('POST', '/voice/ivr/1/scenarios', {
    name: '',
    script: [{ sing: 'la' }, { pause: 9 }, { say: 'x', options: { volume: 11 } }, noTime],
  });
  expect(bad.status).toBe(400);
  oracle?.expectValid('ApiException', bad.json);
  const { requestError } = bad.json as {
    requestError: { serviceException: { validationErrors: Record<string, string[]> } };
  };
  expect(Object.keys(requestError.serviceException.validationErrors)).toEqual([
    'name',
    'script[0]',
    'script[1].pause',
    'script[2].options.volume',
    'script[3].options.maxCallDuration',
  ]);
  const unknown = await client.call('POST', '/voice/ivr/1/messages', {
    messages: [{ scenarioId: 'none', destinations: [] }],
  });
  expect(unknown.status).toBe(400);
  const stranger = await client.call('GET', '/voice/ivr/1/scenarios', undefined, { authorization: 'App no' });
  expect(stranger.status).toBe(401);
  const scenarioId = await createScenario([{ say: 'x' }]);
  const refused = await launch(
    scenarioId,
    [
      { to: '1', messageId: 'mu-bad' },
      { to: '14235550133', messageId: 'mu-from' },
    ],
    { from: '14235550666' },
  );
  expect(refused.messages.map(({ status }) => status.id)).toEqual([52, 13]);
  const list = await client.call('GET', '/voice/ivr/1/scenarios?name=Muster');
  expect(list.json).toMatchObject([{ id: scenarioId, name: 'Muster calls' }]);
  expect((await client.call('DELETE', `/voice/ivr/1/scenarios/${scenarioId}`)).status).toBe(200);
  expect((await client.call('GET', `/voice/ivr/1/scenarios/${scenarioId}`)).status).toBe(404);
});
