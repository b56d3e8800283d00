import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AddressBook } from './address-book.ts';
import { isAriPath, openAriSocket, serveAri } from './ari.ts';
import { Carrier } from './carrier.ts';
import { type Config, ConfigError } from './config.ts';
import { serveControl } from './control.ts';
import { isLdap, serveDirectory } from './directory.ts';
import { openFirstPhones } from './first-phones.ts';
import { HelpChat, serveHelpChat } from './help-chat.ts';
import { BadRequest, sendJson } from './http.ts';
import { serveInfobip } from './infobip.ts';
import { sendInfobipError } from './infobip-errors.ts';
import { isVoicePath, serveInfobipVoice } from './infobip-voice.ts';
import { openJournal } from './journal.ts';
import { serveLabs } from './labs.ts';
import { serveLookup } from './lookup.ts';
import { Mailbox } from './mailbox.ts';
import { isOidcPath, serveOidc } from './oidc.ts';
import { servePage } from './page-files.ts';
import { Registry } from './registry.ts';
import { serveDesk } from './registry-desk.ts';
import { isInfobipRegistryPath, serveInfobipRegistry } from './registry-infobip.ts';
import { isTwilioRegistryPath, serveTwilioRegistry } from './registry-twilio.ts';
import { Buckets, isS3Path, serveS3 } from './s3.ts';
import { isSamlPath, serveSaml } from './saml.ts';
import { Smsc } from './smsc.ts';
import { openSoundSocket } from './sound-socket.ts';
import { isSourcePath, serveSources } from './sources.ts';
import { isSpeechPath, serveSpeech } from './speech.ts';
import { serveStripe } from './stripe.ts';
import { serveStripeBrowser } from './stripe-browser.ts';
import { serveProcessor } from './stripe-control.ts';
import { StripeError, sendStripeError } from './stripe-errors.ts';
import type { Stripe } from './stripe-request.ts';
import { StripeStore } from './stripe-store.ts';
import { StripeWebhooks } from './stripe-webhooks.ts';
import { sendTwilioError, serveTwilio, TwilioError } from './twilio.ts';
import { serveVision } from './vision.ts';
import { isReceiverPath, serveReceiver } from './webhook-receiver.ts';

export type Sandbox = {
  url: string;
  port: number;
  mailPort: number;
  smppPort: number | undefined;
  carrier: Carrier;
  mailbox: Mailbox;
  close: () => Promise<void>;
};

/** Time that a request without an answer is held before its connection is cut. */
const heldMs = 10 * 60_000;

export async function startSandbox(config: Config): Promise<Sandbox> {
  const carrier = new Carrier(config);
  const mailbox = new Mailbox(() => carrier.events.mailsChanged());
  const smsc = config.smppPort === undefined ? undefined : new Smsc(carrier);
  const buckets = new Buckets();
  const chat = new HelpChat();
  const registry = new Registry(carrier, mailbox);
  const book = new AddressBook();
  const store = new StripeStore(config.dataDir);
  const stripe: Stripe = {
    store,
    webhooks: new StripeWebhooks(store, {
      url: config.stripeWebhookUrl,
      secret: config.stripeWebhookSecret,
      retryMs: config.retryUnitMs,
    }),
    secretKey: config.stripeSecretKey,
    publishableKey: config.stripePublishableKey,
    random: Math.random,
  };
  const server = createServer({ keepAlive: true }, (request, response) => {
    void serve({ carrier, mailbox, chat, registry, stripe, book, buckets }, request, response);
  });
  server.on('upgrade', (request, socket) => {
    if (isAriPath(request.url ?? '')) openAriSocket(carrier, request, socket);
    else openSoundSocket(carrier, request, socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // The directory has no port of its own: what comes is no HTTP.
    if (isLdap(error.rawPacket)) serveDirectory(book, socket as Socket, error.rawPacket);
    else if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  // Longer than any client keeps an idle connection, so that it is never cut under a new request.
  server.keepAliveTimeout = 75_000;
  // The port is taken before the journal is opened: two sandboxes must not write one journal.
  const port = await listen(server, config);
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  carrier.publicUrl = config.publicUrl?.replace(/\/$/, '') ?? url;
  let isNew = true;
  try {
    await mailbox.listen(config.mailPort, config.host);
    await smsc?.listen(config.smppPort ?? 0, config.host);
    if (config.dataDir !== undefined) isNew = openJournal(carrier, config.dataDir).isNew;
  } catch (error) {
    server.close();
    carrier.close();
    throw error;
  }
  if (isNew) openFirstPhones(carrier);
  carrier.resume();
  return {
    url,
    port,
    mailPort: mailbox.port,
    smppPort: smsc?.port,
    carrier,
    mailbox,
    close: async () => {
      registry.close();
      stripe.webhooks.close();
      carrier.close();
      carrier.journal?.close();
      await mailbox.close();
      await smsc?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new ConfigError(
            `Port ${config.port} is in use. Stop the other program, or set SANDBOX_PORT to another port.`,
          ),
        );
      } else
        reject(new ConfigError(`The sandbox can't listen on ${config.host}:${config.port} (${error.code}).`));
    });
    server.listen(config.port, config.host, () => resolve((server.address() as AddressInfo).port));
  });
}

const stripePath =
  /^\/v1\/(customers|payment_methods|setup_intents|payment_intents|refunds|events|tokens|tax)\b/;

async function serve(
  {
    carrier,
    mailbox,
    chat,
    registry,
    stripe,
    book,
    buckets,
  }: {
    carrier: Carrier;
    mailbox: Mailbox;
    chat: HelpChat;
    registry: Registry;
    stripe: Stripe;
    book: AddressBook;
    buckets: Buckets;
  },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const infobip = path.startsWith('/sms/') || path.startsWith('/mms/') || isInfobipRegistryPath(path);
  const lookup = path.startsWith('/v2/');
  const twilio = lookup || path.startsWith('/2010-04-01/') || isTwilioRegistryPath(path);
  const hold = () => {
    setTimeout(() => response.destroy(), heldMs).unref();
  };
  try {
    if (isInfobipRegistryPath(path))
      await serveInfobipRegistry(carrier, registry, { request, response, path, hold });
    else if (isTwilioRegistryPath(path))
      await serveTwilioRegistry(carrier, registry, { request, response, path, hold });
    else if (isAriPath(path)) await serveAri(carrier, { request, response, path, hold });
    else if (isVoicePath(path)) await serveInfobipVoice(carrier, { request, response, path, hold });
    else if (infobip) await serveInfobip(carrier, { request, response, path, hold });
    else if (lookup) serveLookup(carrier, request, response, path);
    else if (twilio) await serveTwilio(carrier, { request, response, path, hold });
    else if (path === '/v1/images:annotate')
      await serveVision(carrier.config.visionApiKey, request, response);
    else if (stripePath.test(path)) await serveStripe(stripe, { request, response, path, hold });
    else if (path.startsWith('/processor/')) await serveProcessor(stripe, request, response, path);
    else if (serveStripeBrowser(request, response, path)) return;
    else if (isSpeechPath(path)) await serveSpeech(carrier.config, request, response, path);
    else if (isOidcPath(path)) await serveOidc(request, response);
    else if (isSamlPath(path)) serveSaml(request, response);
    else if (isSourcePath(path)) await serveSources(book, request, response);
    else if (isS3Path(path)) await serveS3(buckets, request, response);
    else if (isReceiverPath(path)) await serveReceiver(request, response, path);
    else if (await serveHelpChat(chat, request, response, path)) return;
    else if (await serveLabs(request, response, path)) return;
    else if (await serveDesk(registry, request, response, path)) return;
    else if (await serveControl({ carrier, mailbox, request, response }, path)) {
      if (path === '/reset') registry.reset();
    } else if (request.method === 'GET' && (await servePage(carrier.config.webDir, path, response))) return;
    else throw new BadRequest('There is nothing here.', 404);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else if (error instanceof TwilioError) sendTwilioError(response, error);
    else if (error instanceof StripeError) sendStripeError(response, error);
    else if (error instanceof BadRequest) {
      if (infobip) {
        sendInfobipError(response, error.status === 413 ? 413 : 400, [
          { property: 'body', violation: error.message },
        ]);
      } else if (twilio) sendTwilioError(response, new TwilioError(20001, error.message, error.status));
      else sendJson(response, error.status, { Message: error.message });
    } else {
      console.error(error);
      if (infobip) sendInfobipError(response, 500);
      else if (twilio)
        sendTwilioError(response, new TwilioError(20500, 'An internal server error has occurred', 500));
      else sendJson(response, 500, { Message: 'The sandbox made a mistake.' });
    }
  }
}
