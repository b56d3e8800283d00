import { useQueryClient } from '@tanstack/react-query';
import {
  getSignatureSetting,
  updateSignatureSetting,
} from '../../../contract/addresses/conversations.gen.ts';
import { callKey, useCall, useCallQuery } from '../../queries/calls.ts';
import { useUser } from '../../queries/current-user.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

export interface OwnSignature {
  text: string;
  /** True if texts in this conversation include it. */
  isOn: boolean;
  toggle: () => void;
}

/** The user's signature in one conversation; undefined without one. */
export function useSignature(conversationId: number): OwnSignature | undefined {
  const client = useQueryClient();
  const text = useUser()?.Signature.SignatureText.trim() ?? '';
  const input = { params: { ConversationID: conversationId } };
  const isOn = useCallQuery(getSignatureSetting, input, { enabled: text !== '' }).data?.isEnabled ?? false;
  const keep = (isEnabled: boolean) =>
    client.setQueryData(callKey(getSignatureSetting, input), { isEnabled });
  const update = useCall(updateSignatureSetting, {
    // The switch moves immediately, and back if saving fails.
    onMutate: ({ body }) => keep(body.isEnabled),
    onError: (_, { body }) => {
      keep(!body.isEnabled);
      showSnackbar('There was an error updating your signature');
    },
  });
  if (text === '') return undefined;
  return { text, isOn, toggle: () => update.mutate({ ...input, body: { isEnabled: !isOn } }) };
}
