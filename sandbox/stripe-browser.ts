// The script that pages load in place of js.stripe.com's, and the frames it opens. The card's number stays in the
// frames, which are of this program's own origin: the page around them can't read it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { send } from './http.ts';

export function serveStripeBrowser(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  if (request.method !== 'GET') return false;
  if (path === '/stripe.js') {
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    send(response, 200, 'text/javascript; charset=utf-8', `(${pageScript.toString()})();`);
    return true;
  }
  if (path === '/stripe/frame') {
    send(
      response,
      200,
      'text/html; charset=utf-8',
      page('Card', frameStyle, '<input id="field">', frameScript),
    );
    return true;
  }
  if (path === '/stripe/challenge') {
    send(
      response,
      200,
      'text/html; charset=utf-8',
      page('Confirm your payment', challengeStyle, challengeBody, challengeScript),
    );
    return true;
  }
  return false;
}

function page(title: string, style: string, body: string, script: () => void): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body>${body}<script>(${script.toString()})();</script></body></html>`;
}

const frameStyle = `html,body{margin:0;height:100%;background:transparent;color-scheme:light}
input::placeholder{color:currentColor;opacity:.65}
input{box-sizing:border-box;width:100%;height:100%;border:0;outline:0;padding:0;background:transparent;font:inherit;color:inherit}`;
const challengeStyle = `body{margin:0;padding:28px;font:15px/1.5 system-ui,sans-serif;background:#fff;color:#13201d}
h1{font-size:20px;margin:0 0 8px}p{margin:0 0 20px;color:#5b6b67}
button{font:inherit;font-weight:600;padding:9px 16px;border-radius:8px;border:1px solid #0f766e;margin-right:8px;cursor:pointer}
#pass{background:#0f766e;color:#fff}#fail{background:#fff;color:#0f766e}`;
const challengeBody = `<h1>Is this you?</h1><p>Your bank asks you to confirm this payment. This is the sandbox: choose what you would answer.</p>
<button id="pass">Complete</button><button id="fail">Fail</button>`;

/* The three functions below run in browsers, as text: they use nothing from outside themselves. */

/** In the page. */
function pageScript(): void {
  const origin = new URL((document.currentScript as HTMLScriptElement).src).origin;
  type Listener = (event: Record<string, unknown>) => void;
  type Card = Record<string, string>;
  let serial = 0;

  function makeElement(type: string, options: Record<string, unknown>, group: string) {
    const listeners: Record<string, Listener[]> = {};
    const name = `${group}-${type}`;
    let frame: HTMLIFrameElement | undefined;
    const post = (message: Record<string, unknown>) => frame?.contentWindow?.postMessage(message, origin);
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame?.contentWindow) return;
      const { kind, ...rest } = event.data as { kind: string } & Record<string, unknown>;
      for (const listener of listeners[kind] ?? []) listener({ elementType: type, ...rest });
    };
    const element = {
      _type: type,
      _name: name,
      _post: post,
      mount(target: string | HTMLElement) {
        const parent = typeof target === 'string' ? document.querySelector(target) : target;
        if (!parent || frame) return;
        const params = new URLSearchParams({
          type,
          parent: location.origin,
          options: JSON.stringify(options),
        });
        frame = document.createElement('iframe');
        frame.name = name;
        frame.title =
          { cardNumber: 'Card number', cardExpiry: 'Expiration date', cardCvc: 'CVN' }[type] ?? type;
        frame.src = `${origin}/stripe/frame?${params}`;
        frame.style.cssText = 'border:0;width:100%;height:1.4em;display:block;color-scheme:inherit';
        frame.setAttribute('allow', 'payment *');
        window.addEventListener('message', hear);
        parent.appendChild(frame);
      },
      on(kind: string, listener: Listener) {
        listeners[kind] = [...(listeners[kind] ?? []), listener];
        return element;
      },
      once(kind: string, listener: Listener) {
        return element.on(kind, listener);
      },
      off(kind: string, listener?: Listener) {
        listeners[kind] = (listeners[kind] ?? []).filter(
          (each) => listener !== undefined && each !== listener,
        );
        return element;
      },
      update(change: Record<string, unknown>) {
        post({ kind: 'update', options: change });
      },
      focus: () => post({ kind: 'focus' }),
      blur: () => post({ kind: 'blur' }),
      clear: () => post({ kind: 'clear' }),
      unmount() {
        window.removeEventListener('message', hear);
        frame?.remove();
        frame = undefined;
      },
      destroy() {
        element.unmount();
      },
      /** Has the frame send something to the processor: only it knows what was typed. */
      _ask(request: Card): Promise<Record<string, unknown>> {
        return new Promise((resolve) => {
          const id = `${name}-${++serial}`;
          const answer = (event: MessageEvent) => {
            if (event.origin !== origin || event.data?.answers !== id) return;
            window.removeEventListener('message', answer);
            resolve(event.data.reply);
          };
          window.addEventListener('message', answer);
          post({ kind: 'ask', id, group, ...request });
        });
      },
    };
    return element;
  }
  type Element = ReturnType<typeof makeElement>;

  function challenge(kind: string, clientSecret: string, key: string): Promise<Record<string, unknown>> {
    return new Promise((resolve) => {
      const cover = document.createElement('div');
      cover.style.cssText =
        'position:fixed;inset:0;z-index:2147483000;background:rgba(0,0,0,.5);display:grid;place-items:center';
      const frame = document.createElement('iframe');
      frame.title = 'Confirm your payment';
      frame.name = 'stripe-challenge';
      frame.style.cssText = 'border:0;border-radius:12px;width:min(420px,92vw);height:260px;background:#fff';
      frame.src = `${origin}/stripe/challenge?${new URLSearchParams({ kind, secret: clientSecret, key, parent: location.origin })}`;
      const hear = (event: MessageEvent) => {
        if (event.origin !== origin || event.data?.kind !== 'challenge') return;
        window.removeEventListener('message', hear);
        cover.remove();
        resolve(event.data.reply);
      };
      window.addEventListener('message', hear);
      cover.appendChild(frame);
      document.body.appendChild(cover);
      // Whatever dialog is open holds the focus; the frame takes it.
      frame.focus();
    });
  }

  const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? '';

  function Stripe(key: string) {
    async function call(method: string, path: string, form: Card = {}): Promise<Record<string, unknown>> {
      const text = new URLSearchParams(form).toString();
      const answer = await fetch(`${origin}/v1/${path}${method === 'GET' ? `?${text}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'GET' ? {} : { body: text }),
      });
      return answer.json();
    }
    const settled = (name: string, reply: Record<string, unknown>) =>
      reply.error ? { error: reply.error } : { [name]: reply };
    return {
      _registerWrapper() {},
      registerAppInfo() {},
      elements() {
        const group = `stripe-${++serial}`;
        const made = new Map<string, Element>();
        return {
          create(type: string, options: Record<string, unknown> = {}) {
            const element = makeElement(type, options, group);
            made.set(type, element);
            return element;
          },
          getElement(type: string | { __elementType: string }) {
            return made.get(typeof type === 'string' ? type : type.__elementType) ?? null;
          },
          update() {},
          fetchUpdates: async () => ({}),
        };
      },
      async confirmCardSetup(secret: string, data: { payment_method: { card: Element } }) {
        const reply = await data.payment_method.card._ask({ action: 'setup', secret, key });
        if (reply.status !== 'requires_action') return settled('setupIntent', reply);
        return settled('setupIntent', await challenge('setup', secret, key));
      },
      async handleNextAction({ clientSecret }: { clientSecret: string }) {
        const intent = await call('GET', `payment_intents/${idOf(clientSecret)}`, {
          client_secret: clientSecret,
        });
        if (intent.status !== 'requires_action') return settled('paymentIntent', intent);
        return settled('paymentIntent', await challenge('payment', clientSecret, key));
      },
      async confirmCardPayment(clientSecret: string) {
        const reply = await call('POST', `payment_intents/${idOf(clientSecret)}/confirm`, {
          client_secret: clientSecret,
        });
        if (reply.status !== 'requires_action') return settled('paymentIntent', reply);
        return settled('paymentIntent', await challenge('payment', clientSecret, key));
      },
      async createToken(type: string, element: Element) {
        if (type !== 'cvc_update')
          return { error: { type: 'validation_error', message: 'Not in the sandbox.' } };
        return settled('token', await element._ask({ action: 'cvc', key }));
      },
      async createPaymentMethod() {
        return { error: { type: 'validation_error', message: 'Not in the sandbox.' } };
      },
      async retrievePaymentIntent(secret: string) {
        return settled(
          'paymentIntent',
          await call('GET', `payment_intents/${idOf(secret)}`, { client_secret: secret }),
        );
      },
    };
  }
  Stripe.version = 'sandbox';
  (window as unknown as { Stripe: unknown }).Stripe = Stripe;
}

/** In the frame of one field. */
function frameScript(): void {
  const params = new URLSearchParams(location.search);
  const type = params.get('type') ?? '';
  const parentOrigin = params.get('parent') ?? '*';
  const field = document.getElementById('field') as HTMLInputElement;
  const own = window as unknown as { cardDigits: string };
  own.cardDigits = '';
  const names: Record<string, [name: string, autocomplete: string, label: string, placeholder: string]> = {
    cardNumber: ['cardnumber', 'cc-number', 'Card number', '1234 1234 1234 1234'],
    cardExpiry: ['exp-date', 'cc-exp', 'Expiration date', 'MM / YY'],
    cardCvc: ['cvc', 'cc-csc', 'CVN', 'CVN'],
  };
  const [name, autocomplete, label, placeholder] = names[type] ?? ['field', 'off', type, ''];
  field.name = name;
  field.setAttribute('autocomplete', autocomplete);
  field.setAttribute('aria-label', label);
  field.inputMode = 'numeric';
  const tell = (message: Record<string, unknown>) => parent.postMessage(message, parentOrigin);
  function apply(options: {
    style?: { base?: Record<string, unknown> };
    placeholder?: string;
    disabled?: boolean;
  }) {
    const base = options.style?.base ?? {};
    for (const key of ['color', 'fontSize', 'fontFamily', 'fontWeight', 'letterSpacing'] as const)
      if (typeof base[key] === 'string') field.style[key] = base[key];
    const scheme = base.colorScheme;
    if (typeof scheme === 'string') document.documentElement.style.colorScheme = scheme;
    field.placeholder = options.placeholder ?? (field.placeholder || placeholder);
    if (options.disabled !== undefined) field.disabled = options.disabled;
  }
  apply(JSON.parse(params.get('options') ?? '{}'));

  function brandOf(digits: string): string {
    if (/^3[47]/.test(digits)) return 'amex';
    if (/^4/.test(digits)) return 'visa';
    if (/^(?:5[1-5]|2[2-7])/.test(digits)) return 'mastercard';
    if (/^6(?:011|4[4-9]|5)/.test(digits)) return 'discover';
    return 'unknown';
  }
  function luhn(digits: string): boolean {
    let sum = 0;
    for (let index = 0; index < digits.length; index++) {
      const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 1 ? 2 : 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 === 0;
  }
  const problem = (code: string, message: string) => ({ code, type: 'validation_error', message });

  /** Judges what was typed so far. A short number is no error while it is being typed. */
  function judge(isLeft: boolean) {
    const digits = own.cardDigits;
    if (type === 'cardNumber') {
      const wanted = brandOf(digits) === 'amex' ? 15 : 16;
      if (digits.length >= wanted) {
        const isRight = luhn(digits);
        return {
          complete: isRight,
          error: isRight ? undefined : problem('invalid_number', 'Your card number is invalid.'),
        };
      }
      return {
        complete: false,
        error:
          isLeft && digits !== ''
            ? problem('incomplete_number', 'Your card number is incomplete.')
            : undefined,
      };
    }
    if (type === 'cardExpiry') {
      const month = Number(digits.slice(0, 2));
      if (digits.length < 4 || month < 1 || month > 12)
        return {
          complete: false,
          error:
            (isLeft && digits !== '') || month > 12
              ? problem('incomplete_expiry', 'Your card’s expiration date is incomplete.')
              : undefined,
        };
      const year = 2000 + Number(digits.slice(2, 4));
      const now = new Date();
      if (year < now.getFullYear())
        return {
          complete: false,
          error: problem('invalid_expiry_year_past', 'Your card’s expiration year is in the past.'),
        };
      if (year === now.getFullYear() && month < now.getMonth() + 1)
        return {
          complete: false,
          error: problem('invalid_expiry_month_past', 'Your card’s expiration date is in the past.'),
        };
      return { complete: true, error: undefined };
    }
    const complete = digits.length >= 3;
    return {
      complete,
      error:
        isLeft && digits !== '' && !complete
          ? problem('incomplete_cvc', 'Your card’s security code is incomplete.')
          : undefined,
    };
  }
  function change(isLeft: boolean) {
    tell({
      kind: 'change',
      empty: own.cardDigits === '',
      ...judge(isLeft),
      ...(type === 'cardNumber' ? { brand: brandOf(own.cardDigits) } : {}),
    });
  }
  field.addEventListener('input', () => {
    const most = type === 'cardNumber' ? 16 : 4;
    own.cardDigits = field.value.replace(/\D/g, '').slice(0, most);
    if (type === 'cardNumber') field.value = own.cardDigits.replace(/(.{4})(?=.)/g, '$1 ');
    else if (type === 'cardExpiry')
      field.value =
        own.cardDigits.length > 2
          ? `${own.cardDigits.slice(0, 2)} / ${own.cardDigits.slice(2)}`
          : own.cardDigits;
    else field.value = own.cardDigits;
    change(false);
  });
  field.addEventListener('focus', () => tell({ kind: 'focus' }));
  field.addEventListener('blur', () => {
    change(true);
    tell({ kind: 'blur' });
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell({ kind: 'escape' });
  });

  /** The other fields of the same form: frames of the same origin, found by their names. */
  function digitsOf(group: string, other: string): string {
    const frame = (parent.frames as unknown as Record<string, { cardDigits?: string } | undefined>)[
      `${group}-${other}`
    ];
    return frame?.cardDigits ?? '';
  }
  async function send(path: string, key: string, form: Record<string, string>): Promise<unknown> {
    const answer = await fetch(`/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    return answer.json();
  }
  async function ask(request: Record<string, string>): Promise<unknown> {
    const { action, secret = '', key = '', group = '' } = request;
    const judged = judge(true);
    if (own.cardDigits === '' || !judged.complete) {
      change(true);
      return { error: judged.error ?? problem('incomplete_number', 'Your card number is incomplete.') };
    }
    if (action === 'cvc') return send('tokens', key, { 'cvc_update[cvc]': own.cardDigits });
    const expiry = digitsOf(group, 'cardExpiry');
    const cvc = digitsOf(group, 'cardCvc');
    if (expiry.length < 4)
      return { error: problem('incomplete_expiry', 'Your card’s expiration date is incomplete.') };
    if (cvc.length < 3)
      return { error: problem('incomplete_cvc', 'Your card’s security code is incomplete.') };
    return send(`setup_intents/${secret.split('_secret_')[0]}/confirm`, key, {
      client_secret: secret,
      'payment_method_data[card][number]': own.cardDigits,
      'payment_method_data[card][exp_month]': expiry.slice(0, 2),
      'payment_method_data[card][exp_year]': expiry.slice(2, 4),
      'payment_method_data[card][cvc]': cvc,
    });
  }
  window.addEventListener('message', (event) => {
    if (event.source !== parent) return;
    const message = event.data as { kind?: string; id?: string; options?: object } & Record<string, string>;
    if (message.kind === 'focus') field.focus();
    if (message.kind === 'blur') field.blur();
    if (message.kind === 'update') apply(message.options as object);
    if (message.kind === 'clear') {
      field.value = '';
      own.cardDigits = '';
      change(false);
    }
    if (message.kind === 'ask') void ask(message).then((reply) => tell({ answers: message.id, reply }));
  });
  tell({ kind: 'ready' });
}

/** In the frame where the bank asks. */
function challengeScript(): void {
  const params = new URLSearchParams(location.search);
  const secret = params.get('secret') ?? '';
  const kind = params.get('kind') === 'setup' ? 'setup_intents' : 'payment_intents';
  for (const answer of ['pass', 'fail']) {
    document.getElementById(answer)?.addEventListener('click', async () => {
      const reply = await fetch(`/v1/${kind}/${secret.split('_secret_')[0]}/confirm`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${params.get('key')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ client_secret: secret, challenge: answer }).toString(),
      });
      parent.postMessage({ kind: 'challenge', reply: await reply.json() }, params.get('parent') ?? '*');
    });
  }
}
