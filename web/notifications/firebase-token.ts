/**
 * Firebase's token for a subscription, if the server uses Firebase. Makes two requests of its public protocol, because
 * its own library would add 30 kB.
 */
interface FirebasePush {
  PublicKey: string;
  FirebaseConfig: Record<string, string> | null;
}

export async function firebaseToken(subscription: PushSubscription, push: FirebasePush): Promise<string> {
  const { apiKey = '', projectId = '', appId = '' } = push.FirebaseConfig ?? {};
  const ask = async (host: string, what: string, body: object, headers: Record<string, string> = {}) => {
    const address = `https://${host}.googleapis.com/v1/projects/${encodeURIComponent(projectId)}/${what}`;
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`Firebase answered ${answer.status}`);
    return answer.json();
  };
  const installation = await ask('firebaseinstallations', 'installations', {
    fid: installationId(crypto.getRandomValues(new Uint8Array(17))),
    authVersion: 'FIS_v2',
    appId,
    sdkVersion: 'w:0.6.4',
  });
  const { endpoint, keys = {} } = subscription.toJSON();
  const registration = await ask(
    'fcmregistrations',
    'registrations',
    { web: { endpoint, auth: keys.auth, p256dh: keys.p256dh, applicationPubKey: push.PublicKey } },
    { 'x-goog-firebase-installations-auth': `FIS ${installation.authToken.token}` },
  );
  return registration.token;
}

/** A 22-character ID that begins with the bits 0111, as Firebase requires. */
function installationId(bytes: Uint8Array): string {
  bytes[0] = 0b0111_0000 | ((bytes[0] ?? 0) & 0b0000_1111);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22);
}
