import { addPasskey, beginPasskey } from '../../../contract/addresses/factors.gen.ts';
import { deviceName } from '../../../contract/text/device-name.ts';
import { callApi } from '../../api.ts';

/** Has the browser make a passkey and adds it under the browser's name. Returns recovery codes if they are new. */
export async function makePasskey(): Promise<string[] | null> {
  const { Token, Options } = await callApi(beginPasskey, {}, { missing: 'refuse' });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const Response = (await startRegistration({ optionsJSON: Options as never })) as never;
  const body = { Token, Name: deviceName(navigator.userAgent), Response };
  const { RecoveryCodes } = await callApi(addPasskey, { body }, { missing: 'refuse' });
  return RecoveryCodes;
}
