/**
 * Muster's app for Zapier: what its triggers, actions and searches ask of the API. It needs nothing but Node and the `z`
 * and `bundle` that Zapier hands in. How to upload it: README.md beside this file.
 */
import { createHash } from 'node:crypto';

const page = 100;

/** One call of the API. A refusal becomes an error with Muster's own sentence. */
async function call({ z, bundle }, method, path, { params, body, key } = {}) {
  const { url } = bundle.authData;
  const response = await z.request({
    url: `${url.replace(/\/+$/, '')}/api/v1${path}`,
    method,
    params,
    body,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    skipThrowForStatus: true,
  });
  if (response.status >= 400) {
    const { Message = 'Muster refused this.', ErrorCode = 0 } = response.data ?? {};
    const error = new z.errors.Error(Message, String(ErrorCode), response.status);
    throw Object.assign(error, { answered: response.status });
  }
  return response.data;
}

/** Zapier tells new things from old ones by `id`. */
const withId = (name) => (item) => ({ id: item[name], ...item });

/**
 * Zapier repeats a step that it believes failed. With a value that is the same each time, such as the ID of the record
 * that started the Zap, Muster does it once.
 */
const onceField = {
  key: 'once',
  label: 'Only once for',
  type: 'string',
  required: false,
  helpText:
    'A value that stays the same when Zapier repeats this step, such as the ID of the record that started the Zap. Muster then does it only once.',
};

/** Two steps of one Zap that do the same kind of thing are told apart by what else is filled in. */
function keyOf(bundle, step) {
  const { once, ...rest } = bundle.inputData;
  if (once === undefined || once === '') return undefined;
  const inputs = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256').update(inputs).digest('hex').slice(0, 16);
  return `${`zap-${bundle.meta?.zap?.id ?? 'test'}-${step}-${once}`.slice(0, 180)}-${hash}`;
}

/** A trigger that Muster posts to: it subscribes when the Zap is switched on. */
function hookTrigger({ key, event, noun, label, description }) {
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: 'hook',
      performSubscribe: (z, bundle) =>
        call({ z, bundle }, 'POST', '/zapier/hooks', { body: { Event: event, TargetUrl: bundle.targetUrl } }),
      performUnsubscribe: (z, bundle) =>
        call({ z, bundle }, 'DELETE', `/zapier/hooks/${bundle.subscribeData.HookID}`),
      perform: (_z, bundle) => {
        const { data, timestamp } = bundle.cleanedRequest;
        return [
          {
            id: bundle.rawRequest?.headers?.['Http-Webhook-Id'] ?? `${event}-${timestamp}`,
            timestamp,
            ...data,
          },
        ];
      },
      performList: async (z, bundle) => {
        const { Items } = await call({ z, bundle }, 'GET', `/zapier/samples/${event}`);
        return Items.map((item, index) => ({ id: `sample-${index}`, ...item }));
      },
    },
  };
}

/** A trigger that Zapier asks for every few minutes, or a hidden one that fills a menu. */
function pollingTrigger({ key, noun, label, description, isHidden = false, inputFields = [], list }) {
  return {
    key,
    noun,
    display: { label, description, hidden: isHidden },
    operation: { type: 'polling', inputFields, perform: list },
  };
}

const groupField = {
  key: 'group',
  label: 'Group',
  type: 'integer',
  required: true,
  dynamic: 'group_choices.id.ListName',
};
const numberField = {
  key: 'text_number',
  label: 'Text number',
  type: 'integer',
  required: true,
  dynamic: 'text_number_choices.id.Name',
};

const triggers = [
  hookTrigger({
    ...{ key: 'text_received', event: 'message.received', noun: 'Text' },
    ...{ label: 'New Text', description: 'Triggers when somebody texts you.' },
  }),
  hookTrigger({
    ...{ key: 'text_failed', event: 'message.failed', noun: 'Text' },
    ...{ label: 'Text Failed', description: 'Triggers when a text could not be delivered.' },
  }),
  hookTrigger({
    ...{ key: 'contact_added', event: 'contact.created', noun: 'Contact' },
    ...{ label: 'New Contact', description: 'Triggers when a contact is added.' },
  }),
  hookTrigger({
    ...{ key: 'opted_out', event: 'contact.opted_out', noun: 'Opt-out' },
    ...{ label: 'New Opt-Out', description: 'Triggers when a phone opts out of texts or calls.' },
  }),
  hookTrigger({
    ...{ key: 'broadcast_completed', event: 'broadcast.completed', noun: 'Broadcast' },
    ...{ label: 'Broadcast Finished', description: 'Triggers when a broadcast is finished.' },
  }),
  hookTrigger({
    ...{ key: 'link_opened', event: 'link.opened', noun: 'Link' },
    ...{
      label: 'Link Opened',
      description: 'Triggers when somebody opens a short link of a broadcast for the first time.',
    },
  }),
  pollingTrigger({
    ...{ key: 'contact_in_group', noun: 'Contact', label: 'New Contact in Group' },
    description: 'Triggers when a contact is new in a group.',
    inputFields: [groupField],
    list: async (z, bundle) => {
      const path = `/lists/${bundle.inputData.group}/contacts`;
      const { Items } = await call({ z, bundle }, 'GET', path, {
        params: { sortby: 'newest', pagesize: page },
      });
      return Items.map(withId('PersonID'));
    },
  }),
  pollingTrigger({
    ...{ key: 'broadcast_sent', noun: 'Broadcast', label: 'New Broadcast' },
    description: 'Triggers when a broadcast was sent or scheduled.',
    list: async (z, bundle) => {
      const { Items } = await call({ z, bundle }, 'GET', '/broadcasts', { params: { pagesize: page } });
      return Items.map(withId('BroadcastID'));
    },
  }),
  pollingTrigger({
    ...{ key: 'group_choices', noun: 'Group', label: 'Groups', description: 'Fills the menu of groups.' },
    isHidden: true,
    list: async (z, bundle) => {
      const { Items } = await call({ z, bundle }, 'GET', '/lists');
      return Items.filter(({ ListID }) => ListID >= 0).map(withId('ListID'));
    },
  }),
  pollingTrigger({
    ...{ key: 'text_number_choices', noun: 'Text number', label: 'Text Numbers' },
    description: 'Fills the menu of text numbers.',
    isHidden: true,
    list: async (z, bundle) => {
      const { Items } = await call({ z, bundle }, 'GET', '/textnumbers');
      return Items.map(withId('TextNumberID'));
    },
  }),
  pollingTrigger({
    ...{ key: 'saved_text_choices', noun: 'Saved text', label: 'Saved Texts' },
    description: 'Fills the menu of saved texts.',
    isHidden: true,
    list: async (z, bundle) => {
      const { Items } = await call({ z, bundle }, 'GET', '/templates', { params: { pagesize: page } });
      return Items.map(withId('TemplateID'));
    },
  }),
];

async function findContacts(z, bundle, words) {
  const { Items } = await call({ z, bundle }, 'GET', '/lists/0/contacts', {
    params: { q: words, pagesize: 10 },
  });
  return Items.map(withId('PersonID'));
}

async function sendText(z, bundle) {
  const { text_number, phone, message } = bundle.inputData;
  const sent = await call({ z, bundle }, 'POST', '/conversations', {
    body: { TextNumberID: text_number, LastMessage: { Contact: { PrimaryPhone: phone }, Message: message } },
    key: keyOf(bundle, 'text'),
  });
  return { id: sent.TextMessageID, ConversationID: sent.ConversationID, Items: sent.Items };
}

/** Asks until it is so, for half a minute at most: Zapier ends a step after that. */
async function until(ask, isDone) {
  for (let tries = 0; ; tries += 1) {
    const found = await ask();
    if (isDone(found) || tries >= 25) return found;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** A draft for the group, with the saved text. */
async function writeDraft(z, bundle) {
  const { group, saved_text, text_number, name } = bundle.inputData;
  const { Items } = await call({ z, bundle }, 'GET', '/templates', { params: { pagesize: page } });
  const template = Items.find(({ TemplateID }) => TemplateID === Number(saved_text));
  if (template === undefined) throw new z.errors.Error('This saved text no longer exists.', 'NotFound', 404);
  const { DraftBroadcastID } = await call({ z, bundle }, 'POST', '/lists/todraftbroadcast', {
    body: { Selection: { Type: 'Selected', Items: [{ ListID: Number(group) }] } },
    key: keyOf(bundle, 'draft'),
  });
  const message = {
    BroadcastName: name || template.TemplateName,
    BroadcastType: 'GroupSMS',
    TextNumberID: Number(text_number),
    TextMessage: template.TemplateText,
    Media: template.Media.slice(0, 1).map(({ MediaID }) => ({ MediaID })),
    TemplateID: template.TemplateID,
    startOption: 'START_IMMEDIATELY',
  };
  return { DraftBroadcastID, message };
}

/** Checks the draft as a person would check it before pressing Send. */
async function checkDraft(z, bundle, { DraftBroadcastID, message }) {
  const path = `/draft-broadcasts/${DraftBroadcastID}`;
  const getDraft = () => call({ z, bundle }, 'GET', path);
  await until(getDraft, ({ IsAdding }) => !IsAdding);
  const draft = await call({ z, bundle }, 'PUT', path, { body: message });
  if (draft.RosterChangedSinceLastMerge) {
    await call({ z, bundle }, 'POST', `${path}/templatemerges`, { body: {} });
    await until(getDraft, ({ RosterChangedSinceLastMerge }) => !RosterChangedSinceLastMerge);
  }
  const { Refusal } = await call({ z, bundle }, 'GET', `${path}/preflight`);
  if (Refusal !== null) throw new z.errors.Error(Refusal.Message, String(Refusal.ErrorCode), 422);
}

async function startBroadcast(z, bundle) {
  const draft = await writeDraft(z, bundle);
  const key = keyOf(bundle, 'send');
  try {
    await checkDraft(z, bundle, draft);
  } catch (error) {
    // The draft is gone because it was sent before: with the same key, Muster says what it answered then.
    if (error.answered !== 404 || key === undefined) throw error;
  }
  const { DraftBroadcastID } = draft;
  const { BroadcastID, UriSummary } = await call({ z, bundle }, 'POST', '/broadcasts', {
    body: { DraftBroadcastID },
    key,
  });
  return { id: BroadcastID, BroadcastID, UriSummary };
}

async function addToGroup(z, bundle) {
  const { contact, group } = bundle.inputData;
  await call({ z, bundle }, 'POST', `/lists/0/contacts/tolist/${group}`, {
    body: { Selection: { Type: 'Selected', Items: [Number(contact)] } },
    key: keyOf(bundle, 'join'),
  });
  return { id: Number(contact), PersonID: Number(contact), ListID: Number(group) };
}

async function addContact(z, bundle) {
  const { first_name = '', last_name = '', phone, group } = bundle.inputData;
  const added = await call({ z, bundle }, 'POST', '/contacts', {
    body: {
      FirstName: first_name,
      LastName: last_name,
      PrimaryPhone: phone,
      ListIDs: group ? [Number(group)] : [],
    },
    key: keyOf(bundle, 'contact'),
  });
  return withId('PersonID')(added);
}

function action({ key, noun, label, description, inputFields, perform, sample }) {
  return { key, noun, display: { label, description }, operation: { inputFields, perform, sample } };
}

const creates = [
  action({
    ...{ key: 'send_text', noun: 'Text', label: 'Send Text' },
    description: 'Sends a text to one phone, as a conversation in the inbox.',
    inputFields: [
      numberField,
      { key: 'phone', label: 'Phone', type: 'string', required: true },
      { key: 'message', label: 'Message', type: 'text', required: true },
      onceField,
    ],
    perform: sendText,
    sample: { id: 88120, ConversationID: 412 },
  }),
  action({
    ...{ key: 'start_broadcast', noun: 'Broadcast', label: 'Start Broadcast From a Saved Text' },
    description: 'Sends a saved text to everybody in a group. Whoever opted out is left out.',
    inputFields: [
      groupField,
      {
        key: 'saved_text',
        label: 'Saved text',
        type: 'integer',
        required: true,
        dynamic: 'saved_text_choices.id.TemplateName',
      },
      numberField,
      { key: 'name', label: 'Broadcast name', type: 'string', required: false },
      onceField,
    ],
    perform: startBroadcast,
    sample: { id: 20817, BroadcastID: 20817 },
  }),
  action({
    ...{ key: 'add_to_group', noun: 'Contact', label: 'Add Contact to Group' },
    description: 'Adds a contact to a group. Find the contact in a step before.',
    inputFields: [
      { key: 'contact', label: 'Contact ID', type: 'integer', required: true },
      groupField,
      onceField,
    ],
    perform: addToGroup,
    sample: { id: 1204, PersonID: 1204, ListID: 31 },
  }),
  action({
    ...{ key: 'add_contact', noun: 'Contact', label: 'Add Contact' },
    description: 'Adds a contact, and puts them into a group if you like.',
    inputFields: [
      { key: 'first_name', label: 'First name', type: 'string', required: false },
      { key: 'last_name', label: 'Last name', type: 'string', required: false },
      { key: 'phone', label: 'Phone', type: 'string', required: true },
      { ...groupField, required: false },
      onceField,
    ],
    perform: addContact,
    sample: { id: 1204, PersonID: 1204, FirstName: 'Renee', LastName: 'Castellano' },
  }),
];

const searches = [
  action({
    ...{ key: 'find_contact', noun: 'Contact', label: 'Find Contact' },
    description: 'Finds contacts by any part of a name, phone, note or custom field.',
    inputFields: [{ key: 'words', label: 'Name or phone', type: 'string', required: true }],
    perform: (z, bundle) => findContacts(z, bundle, bundle.inputData.words),
    sample: {
      id: 1204,
      PersonID: 1204,
      FirstName: 'Renee',
      LastName: 'Castellano',
      PrimaryPhone: '4235550143',
    },
  }),
];

const byKey = (items) => Object.fromEntries(items.map((item) => [item.key, item]));

export default {
  version: '1.0.0',
  platformVersion: '19.1.0',
  authentication: {
    type: 'custom',
    test: (z, bundle) => call({ z, bundle }, 'GET', '/user'),
    connectionLabel: '{{FirstName}} {{LastName}}',
    fields: [
      {
        key: 'url',
        label: 'Address of your Muster',
        type: 'string',
        required: true,
        placeholder: 'https://muster.example.org',
      },
      {
        key: 'key',
        label: 'API key',
        type: 'password',
        required: true,
        helpText: 'Make one in Muster under Settings, Developers.',
      },
    ],
  },
  beforeRequest: [
    (request, _z, bundle) => {
      if (bundle.authData?.key) request.headers.Authorization = `Bearer ${bundle.authData.key}`;
      return request;
    },
  ],
  triggers: byKey(triggers),
  creates: byKey(creates),
  searches: byKey(searches),
};
