import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  addDraftLists,
  addDraftNumbers,
  contactsToDraft,
  createDraft,
  deleteDraft,
  listDrafts,
  updateDraft,
} from '../../contract/addresses/drafts.gen.ts';
import type { DraftForm } from '../../contract/drafts.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import type { Recipient } from '../queries/new-conversation.ts';
import { countOf } from '../ui/format.ts';

interface BroadcastPeople {
  recipients: readonly Recipient[];
  /** Groups too large for a conversation. */
  listIds: readonly number[];
  /** The total number of people. */
  count: number;
}

/** Recipients by how they are added: contacts with their broadcast phone, all others by number. */
export function splitRecipients(recipients: readonly Recipient[]): {
  personIds: number[];
  numbers: { PrimaryPhone: string; Name: string }[];
} {
  const isContact = ({ PersonID, isPrimary }: Recipient) => PersonID !== undefined && isPrimary === true;
  return {
    personIds: recipients.filter(isContact).flatMap(({ PersonID }) => PersonID ?? []),
    numbers: recipients
      .filter((one) => !isContact(one))
      .map(({ phone, name }) => ({ PrimaryPhone: phone, Name: name })),
  };
}

/** Turns a new conversation into a broadcast with the same people and text, and opens its message step. */
export function useBroadcastInstead() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useCall(createDraft);
  const update = useCall(updateDraft);
  const remove = useCall(deleteDraft);
  const ofContacts = useCall(contactsToDraft);
  const ofNumbers = useCall(addDraftNumbers);
  const ofLists = useCall(addDraftLists);
  const [isStarting, setStarting] = useState(false);
  // A retry after a failure continues with the same draft, so nobody is added twice. With other recipients
  // it starts another draft, because the first may hold people who were removed since.
  const begun = useRef<{ draftId: number; people: string }>(undefined);
  const isUnderWay = useRef(false);

  const addPeople = async (DraftBroadcastID: number, { recipients, listIds }: BroadcastPeople) => {
    const { personIds, numbers } = splitRecipients(recipients);
    const params = { DraftBroadcastID };
    if (personIds.length > 0) {
      const Selection = { Type: 'Selected' as const, Items: personIds };
      await ofContacts.mutateAsync({ params: { ListID: 0, DraftBroadcastID }, body: { Selection } });
    }
    if (numbers.length > 0) await ofNumbers.mutateAsync({ params, body: { Items: numbers } });
    if (listIds.length > 0) {
      const Selection = { Type: 'Selected' as const, Items: listIds.map((ListID) => ({ ListID })) };
      await ofLists.mutateAsync({ params, body: { Selection } });
    }
  };

  /** Resolves to the error, if any. */
  const start = async (
    people: BroadcastPeople,
    form: Pick<
      Partial<DraftForm>,
      'TextNumberID' | 'TextMessage' | 'Media' | 'IncludeSignature' | 'KeepCharacters'
    >,
  ): Promise<string | undefined> => {
    if (isUnderWay.current) return undefined;
    isUnderWay.current = true;
    setStarting(true);
    try {
      const body = { ...form, BroadcastName: countOf(people.count, 'person', 'people'), Step: 3 };
      const asked = JSON.stringify(people);
      if (begun.current && begun.current.people !== asked) {
        await remove.mutateAsync({ params: { DraftBroadcastID: begun.current.draftId } });
        begun.current = undefined;
      }
      if (begun.current)
        await update.mutateAsync({ params: { DraftBroadcastID: begun.current.draftId }, body });
      else {
        const { DraftBroadcastID } = await create.mutateAsync({ body });
        begun.current = { draftId: DraftBroadcastID, people: asked };
      }
      const { draftId } = begun.current;
      await addPeople(draftId, people);
      void client.invalidateQueries({ queryKey: [listDrafts.path] });
      // Replaces the dialog in the history, so that Back leads to the inbox.
      await navigate({ to: '/broadcasts/create', search: { draft: draftId, step: 3 }, replace: true });
      return undefined;
    } catch (error) {
      return shownMessage(error, errorCatalog.startDraft);
    } finally {
      isUnderWay.current = false;
      setStarting(false);
    }
  };

  return { start, isStarting };
}
