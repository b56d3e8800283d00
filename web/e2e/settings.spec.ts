import { expect, type Page } from '@playwright/test';
import { checkForEverybody } from './everybody.ts';
import { test } from './journey.ts';
import { baseUrl, messagesOf, signIn, textFrom } from './stack.ts';

const office = '14235550100';

/** The notifications that the page has shown, and how often it has sounded. */
interface Told {
  notices: { title: string; body: string; tag: string }[];
  tones: number;
}

/** Writes down what the browser is asked to show and to sound; a browser without a screen does neither. */
async function listen(page: Page): Promise<() => Promise<Told>> {
  await page.addInitScript(() => {
    const told: Told = { notices: [], tones: 0 };
    Object.assign(globalThis, { told });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      told.notices.push({ title, body: options?.body ?? '', tag: options?.tag ?? '' });
    };
    const createOscillator = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function count(this: AudioContext) {
      told.tones += 1;
      return createOscillator.call(this);
    };
    // There is no push service on this machine; the subscription is one that the server takes.
    const subscription = {
      endpoint: 'https://push.example.com/send/one',
      unsubscribe: async () => true,
      toJSON: () => ({
        endpoint: 'https://push.example.com/send/one',
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
      }),
    };
    PushManager.prototype.subscribe = async () => subscription as unknown as PushSubscription;
    PushManager.prototype.getSubscription = async () => subscription as unknown as PushSubscription;
  });
  return () => page.evaluate(() => (globalThis as unknown as { told: Told }).told);
}

async function openNumber(page: Page, name: RegExp) {
  await page.goto('/settings/text');
  await page.getByRole('button', { name }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Text number settings' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('an admin sets up a text number, and the settings are kept', async ({ page }) => {
  await signIn(page, 'demo-owner');
  const dialog = await openNumber(page, /^Settings for/);
  const description = `Front desk ${Date.now()}`;
  await dialog.getByLabel('Description').fill(description);
  await dialog.getByLabel('Unread texts').check();
  await dialog.getByLabel('By', { exact: true }).selectOption('Text');
  await expect(dialog.getByText(/Your profile has no phone for notifications yet/)).toBeVisible();
  await dialog.getByLabel('How often').selectOption('30');
  await dialog.getByLabel('From').selectOption('6:00 PM');
  await dialog.getByRole('button', { name: 'Sun' }).click();
  await checkForEverybody(page, 'text number settings');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Start Time must be before stop time')).toBeVisible();
  await dialog.getByLabel('From').selectOption('7:30 AM');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Text numbers' }).getByText(description)).toBeVisible();

  const again = await openNumber(page, /^Settings for/);
  await expect(again.getByLabel('Description')).toHaveValue(description);
  await expect(again.getByLabel('From')).toHaveValue('7:30 AM');
  await expect(again.getByLabel('How often')).toHaveValue('30');
  await expect(again.getByRole('button', { name: 'Sun' })).toHaveAttribute('aria-pressed', 'false');
});

test('an auto reply is written, answers a stranger, and is deleted', async ({ page }) => {
  await signIn(page, 'demo-owner', '/settings/text');
  await page.getByRole('button', { name: 'New auto reply' }).click();
  const dialog = page.getByRole('dialog', { name: 'Auto reply settings' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Select a Text Phone Number')).toBeVisible();
  await expect(dialog.getByText('Enter a Message')).toBeVisible();

  await test.step('a schedule has its own hours each day', async () => {
    await dialog.getByRole('radio', { name: /Custom/ }).check();
    await dialog.getByLabel('Schedule').selectOption('Custom');
    await dialog.getByLabel('Saturday', { exact: true }).check();
    await dialog.getByLabel('Stop time, Saturday').selectOption('12:30 PM');
    await checkForEverybody(page, 'auto reply settings');
  });

  const message = `We will answer soon. (${Date.now()})`;
  await dialog.getByLabel(/423\) 555-0100/).check();
  await dialog.getByRole('radio', { name: /Always/ }).check();
  await dialog.getByLabel('Message').fill(message);
  await expect(dialog.getByText(`Characters: ${message.length}/160`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('list', { name: 'Auto replies' });
  await expect(list.getByText(message)).toBeVisible();

  await textFrom('2125550151', office, 'Are you open today?');
  const answers = async () => (await messagesOf('2125550151')).filter(({ Text }) => Text === message).length;
  await expect.poll(answers).toBe(1);

  await page
    .getByRole('button', { name: /^Delete the auto reply for/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(list.getByText(message)).toHaveCount(0);
});

test('the organization’s auto reply needs a message while it is on', async ({ page }) => {
  await signIn(page, 'demo-owner', '/settings/text');
  await page.getByRole('button', { name: 'Edit the organization’s auto reply' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Auto reply', { exact: true }).check();
  await dialog.getByLabel('Message').fill('');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Enter a Message')).toBeVisible();
  await dialog.getByLabel('Auto reply', { exact: true }).uncheck();
  await dialog.getByLabel('Message').fill('Thank you, we got your text.');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Thank you, we got your text.')).toBeVisible();
});

test('a keyword refuses reserved words, answers, and is deleted', async ({ page }) => {
  await signIn(page, 'demo-owner', '/settings/text');
  await page.getByRole('button', { name: 'New keyword' }).click();
  const dialog = page.getByRole('dialog', { name: 'New keyword' });
  await dialog.getByLabel('Keyword').fill('stop');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(
    dialog.getByText('STOP is reserved for explicit opt outs. Please use a different word.'),
  ).toBeVisible();
  await dialog.getByLabel('Keyword').fill('Bus7');
  await dialog.getByLabel('Reply').fill('Bus 7 leaves at 3:10 PM.');
  await dialog.getByLabel(/423\) 555-0100/).check();
  await dialog.getByLabel('Add to group').click();
  const group = page.getByRole('option').first();
  const groupName = (await group.textContent()) ?? '';
  await group.click();
  await checkForEverybody(page, 'keyword');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole('list', { name: 'Keywords' });
  await expect(list.getByText(`adds to ${groupName}`)).toBeVisible();

  await textFrom('2125550152', office, 'bus7');
  await expect
    .poll(async () => (await messagesOf('2125550152')).map(({ Text }) => Text))
    .toContain('Bus 7 leaves at 3:10 PM.');

  await page.getByRole('button', { name: /^Delete Bus7/i }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Bus 7 leaves at 3:10 PM.')).toHaveCount(0);
});

test('only admins see the organization’s settings', async ({ page }) => {
  await signIn(page, 'demo-user');
  const dialog = await openNumber(page, /^Settings for/);
  await expect(dialog.getByLabel('Name')).toHaveCount(0);
  await expect(dialog.getByLabel('Default number')).toHaveCount(0);
  await dialog.getByLabel('Sound').check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New auto reply' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New keyword' })).toHaveCount(0);
  // A page that the user may not use isn't offered, and at its address it says why.
  await page.goto('/contacts/duplicates');
  await expect(page.getByRole('heading', { name: 'You do not have access to this feature.' })).toBeVisible();
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Contact fields' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Find duplicates' })).toHaveCount(0);
});

test('saved texts are written, personalized, starred, shared, deleted and restored', async ({ page }) => {
  await signIn(page, 'demo-owner', '/settings/text');
  await page.getByRole('main').getByRole('link', { name: 'Message library' }).click();
  await expect(page).toHaveURL(/\/message-library\/text$/);
  const names = ['Late bus', 'Snow day'].map((name) => `${name} ${Date.now()}`) as [string, string];
  const form = page.getByRole('dialog', { name: 'New saved text' });
  for (const name of names) {
    await page.getByRole('button', { name: 'New text' }).click();
    await form.getByLabel('Name').fill(name);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form.getByText('Enter a Text Message.')).toBeVisible();
    await form.getByLabel('Text', { exact: true }).fill('No school today, ');
    await form.getByRole('button', { name: 'Personalize' }).click();
    await page.getByRole('menuitem', { name: 'First Name' }).click();
    await expect(form.getByLabel('Text', { exact: true })).toHaveValue('No school today, {{FirstName}}');
    await form.getByLabel('Everyone in the organization can use it').check();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form).toHaveCount(0);
  }
  const rows = page.getByRole('table', { name: 'Saved texts' });
  await page.getByRole('button', { name: `Star ${names[0]}` }).click();
  await page.getByRole('tab', { name: /Starred/ }).click();
  await expect(rows.getByText(names[0])).toBeVisible();
  await expect(rows.getByText(names[1])).toHaveCount(0);
  await checkForEverybody(page, 'text library');
  await page.getByRole('tab', { name: /Unused/ }).click();
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('toolbar', { name: 'Selected texts' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 texts were deleted.')).toBeVisible();
  for (const name of names) await expect(rows.getByText(name)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  for (const name of names) await expect(rows.getByText(name)).toBeVisible();
  await page.getByRole('link', { name: /^Audio/ }).click();
  await expect(page.getByRole('button', { name: 'New recording' })).toBeVisible();
});

test('signature, do not disturb and the phone for notifications', async ({ page }) => {
  const signature = `Front office ${Date.now()}`;
  const lastDigits = 10 + (Date.now() % 80);
  await signIn(page, 'demo-admin', '/settings/profile');
  await page.getByLabel('Add my signature to texts').check();
  await page.getByLabel('Signature text').fill(signature);
  await page
    .getByRole('region', { name: 'Signature' })
    .getByRole('button', { name: 'Save', exact: true })
    .click();
  await expect(page.getByText('Signature saved.')).toBeVisible();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  // It is on once the server has it, so it doesn't turn in the moment of the click.
  await notifications.getByLabel('Do not disturb').click();
  await expect(notifications.getByLabel('Do not disturb')).toBeChecked();
  await notifications.getByLabel('Phone for notifications').fill('12');
  await notifications.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(notifications.getByText('Must be 10 digits; use only numbers')).toBeVisible();
  await notifications.getByLabel('Phone for notifications').fill(`212 555 01${lastDigits}`);
  await notifications.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Phone number saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Signature text')).toHaveValue(signature);
  await expect(page.getByLabel('Phone for notifications')).toHaveValue(`(212) 555-01${lastDigits}`);
  await expect(page.getByLabel('Do not disturb')).toBeChecked();
  await page.getByLabel('Do not disturb').click();
  await expect(page.getByLabel('Do not disturb')).not.toBeChecked();
});

test('a new text is shown and heard, but not while its conversation is open', { tag: '@whole' }, async ({
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: baseUrl });
  // Not the one that journeys share: what listens stays with it.
  const page = await context.newPage();
  const told = await listen(page);
  await signIn(page, 'demo-owner');

  await test.step('turned on in this browser, which subscribes', async () => {
    await page.goto('/settings/profile');
    const added = page.waitForResponse(
      (response) => response.url().endsWith('/push/token') && response.request().method() === 'POST',
    );
    await page.getByLabel('Notifications in this browser').click();
    expect((await added).status()).toBe(200);
    await expect(page.getByText('On, even when Muster is closed.')).toBeVisible();
    await page.goto('/settings/text');
    await page
      .getByRole('button', { name: /Settings for/ })
      .first()
      .waitFor();
    const { Items } = await (await page.request.get('/proxy/api/textnumbers?q=4235550100')).json();
    const update = { BrowserNotificationsEnabled: true, AudioNotificationsEnabled: true };
    await page.request.put(`/proxy/api/textnumbers/${Items[0].TextNumberID}`, {
      data: update,
      headers: { origin: baseUrl },
    });
  });

  await test.step('shown and heard', async () => {
    // A page may sound once something on it was pressed, and rings from some seconds after it has come.
    await page.getByRole('heading', { level: 1 }).click();
    await page.waitForTimeout(5_000);
    const text = `Is there school? (${Date.now()})`;
    await textFrom('2125550153', office, text);
    await expect.poll(async () => (await told()).notices.map(({ body }) => body)).toContain(text);
    expect((await told()).notices.at(-1)?.title).toBe('(212) 555-0153');
    await expect.poll(async () => (await told()).tones).toBeGreaterThanOrEqual(2);
  });

  await test.step('not while the conversation is open', async () => {
    await page.goto('/inbox');
    await page.getByLabel('Conversations').getByText('(212) 555-0153').first().click();
    await expect(page.getByLabel('Messages')).toBeVisible();
    await page.waitForTimeout(5_000);
    const before = (await told()).notices.length;
    const text = `And tomorrow? (${Date.now()})`;
    await textFrom('2125550153', office, text);
    await expect(page.getByLabel('Messages').getByText(text)).toBeVisible();
    // Another text, which does notify: the one before would have, too.
    await textFrom('2125550154', office, 'Hello');
    await expect.poll(async () => (await told()).notices.map(({ body }) => body)).toContain('Hello');
    expect((await told()).notices.slice(before).map(({ body }) => body)).toEqual(['Hello']);
  });

  await test.step('signing out takes the browser out', async () => {
    const removed = page.waitForResponse(
      (response) => response.url().includes('/push/token/') && response.request().method() === 'DELETE',
    );
    await page.goto('/logout');
    expect((await removed).status()).toBe(200);
    await expect(page).toHaveURL(/\/login/);
  });
});

test('a push shows the text and opens it, and texts of a tunnel go out without a page', {
  tag: '@whole',
}, async ({ page, context }) => {
  await context.grantPermissions(['notifications'], { origin: baseUrl });
  await page.goto('/login');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const shown = await worker.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerGlobal;
    const notices: unknown[] = [];
    scope.registration.showNotification = async (title, options) => {
      notices.push({ title, ...options });
    };
    scope.clients.matchAll = async () => [];
    const push = async (data: object) => {
      let done: Promise<unknown> = Promise.resolve();
      const event = new Event('push');
      Object.assign(event, {
        data: { json: () => data },
        waitUntil: (work: Promise<unknown>) => {
          done = work;
        },
      });
      scope.dispatchEvent(event);
      await done;
    };
    const notice = { ConversationID: 7, Title: 'Becky Stroud', Body: 'Is there school?', UnreadCount: 3 };
    await push(notice);
    // As Firebase brings it.
    await push({ data: { ...notice, ConversationID: '7' }, from: '1' });
    scope.clients.matchAll = async () => [{ focused: true, visibilityState: 'visible' }];
    await push(notice);
    return notices;
  });
  const one = {
    title: 'Becky Stroud',
    body: 'Is there school?',
    tag: 'c7',
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { ConversationID: 7 },
  };
  expect(shown).toEqual([one, one]);

  await test.step('a pressed notice opens its conversation, whatever the page is doing', async () => {
    const done = await worker.evaluate(async () => {
      const scope = globalThis as unknown as ServiceWorkerGlobal;
      const did: string[] = [];
      scope.clients.openWindow = async (path) => void did.push(`opened ${path}`);
      const pageAt = (path: string, answers: boolean) => ({
        url: `https://muster.example${path}`,
        focus: async () => void did.push(`focused ${path}`),
        navigate: async (to: string) => void did.push(`led ${path} to ${to}`),
        postMessage: (said: { ConversationID: number }, [port]: MessagePort[]) => {
          if (!answers) return;
          did.push(`told ${path} of ${said.ConversationID}`);
          port?.postMessage('opened');
        },
      });
      const press = async (pages: unknown[]) => {
        scope.clients.matchAll = async () => pages;
        const event = new Event('notificationclick');
        let work: Promise<unknown> = Promise.resolve();
        const notification = { close: () => undefined, data: { ConversationID: 7 } };
        Object.assign(event, { notification, waitUntil: (promise: Promise<unknown>) => (work = promise) });
        scope.dispatchEvent(event);
        await work;
      };
      await press([]);
      await press([pageAt('/login', true)]);
      await press([pageAt('/home', true), pageAt('/inbox/7', true)]);
      await press([pageAt('/home', true)]);
      // It has only begun to load.
      await press([pageAt('/home', false)]);
      return did;
    });
    expect(done).toEqual([
      'opened /inbox/7',
      'opened /inbox/7',
      'focused /inbox/7',
      'focused /home',
      'told /home of 7',
      'focused /home',
      'led /home to /inbox/7',
    ]);
  });

  await test.step('texts that wait go out in order, once, and what is refused is left to the page', async () => {
    const { sent, left } = await worker.evaluate(async () => {
      const scope = globalThis as unknown as ServiceWorkerGlobal;
      const sent: string[] = [];
      const answers = [
        { status: 200, reply: { Items: [{ Error: '' }] } },
        { status: 200, reply: { Items: [{ Error: '' }, { Error: 'This number has opted out.' }] } },
        { status: 422, reply: {} },
        { status: 200, reply: { Items: [{ Error: '' }] } },
        { status: 200, reply: {} },
        { status: 422, reply: {} },
        { status: 200, reply: {} },
      ];
      scope.fetch = async (path, { headers, body }) => {
        sent.push(`${path} ${headers['Idempotency-Key']} ${body}`);
        const { status, reply } = answers.shift() ?? { status: 500, reply: {} };
        return new Response(JSON.stringify(reply), { status });
      };
      const open = indexedDB.open('muster-outbox', 1);
      open.onupgradeneeded = () => open.result.createObjectStore('texts', { keyPath: 'key' });
      await new Promise((done) => (open.onsuccess = done));
      const texts = () => open.result.transaction('texts', 'readwrite').objectStore('texts');
      const now = Date.now();
      const add = (key: string, conversationId: number, ageMs: number, state = 'waiting') =>
        texts().put({
          ...{ key, conversationId, state, userId: 1, idempotencyKey: `once-${key}`, body: { Message: key } },
          at: new Date(now - ageMs).toISOString(),
        });
      // To somebody new: one that is left to the page doesn't hold up the others.
      for (const [index, key] of ['all-new', 'some-new', 'refused-new', 'late-new'].entries())
        add(key, 0, 9_000 - index);
      add('second', 5, 1_000);
      add('first', 5, 2_000, 'sending');
      add('third', 5, 500);
      add('elsewhere', 6, 100);
      add('too-old', 6, 3_600_000);
      add('failed', 6, 100, 'failed');
      const event = new Event('sync');
      let work: Promise<unknown> = Promise.resolve();
      Object.assign(event, {
        tag: 'muster-outbox',
        waitUntil: (promise: Promise<unknown>) => (work = promise),
      });
      scope.dispatchEvent(event);
      await work;
      const all = texts().getAllKeys();
      await new Promise((done) => (all.onsuccess = done));
      open.result.close();
      return { sent, left: all.result };
    });
    const path = (id: number) => `/proxy/api/conversations/${id}/textmessages`;
    expect(sent).toEqual([
      ...['all-new', 'some-new', 'refused-new', 'late-new'].map(
        (key) => `/proxy/api/conversations once-${key} {"Message":"${key}"}`,
      ),
      `${path(5)} once-first {"Message":"first"}`,
      `${path(5)} once-second {"Message":"second"}`,
      `${path(6)} once-elsewhere {"Message":"elsewhere"}`,
    ]);
    expect(left).toEqual(['failed', 'refused-new', 'second', 'some-new', 'third', 'too-old']);
  });
});

/** The parts of the service worker's global scope that the test uses; there are no types for them here. */
interface ServiceWorkerGlobal extends EventTarget {
  registration: ServiceWorkerRegistration;
  clients: { matchAll: () => Promise<unknown[]>; openWindow: (path: string) => Promise<void> };
  fetch: (path: string, request: { headers: Record<string, string>; body: string }) => Promise<Response>;
}
