import type { QueryClient } from '@tanstack/react-query';
import { listWork } from '../../contract/addresses/contacts.gen.ts';
import { getContactSummary, getDraft, listDraftContacts } from '../../contract/addresses/drafts.gen.ts';
import type { Added } from '../../contract/draft-recipients.ts';
import { countOf, formatCount } from '../ui/format.ts';

/** Refreshes everything that adding or removing recipients changes. */
export async function freshenDraft(client: QueryClient, draftId: number): Promise<void> {
  const params = { DraftBroadcastID: draftId };
  await Promise.all([
    ...[getDraft, getContactSummary, listDraftContacts].map((call) =>
      client.invalidateQueries({ queryKey: [call.path, params] }),
    ),
    client.invalidateQueries({ queryKey: [listWork.path] }),
  ]);
}

/** "312 people were added, 14 of them are left out." */
export function addedWords({ Status, AddedCount, LeftOutCount }: Added): string {
  if (Status === 'InProgress') return 'They are being added. You can keep working.';
  if (AddedCount === 0) return 'Nobody was added. They are all in this broadcast already.';
  const added = countOf(AddedCount, 'person was added', 'people were added');
  if (LeftOutCount === 0) return `${added}.`;
  if (LeftOutCount === AddedCount && AddedCount === 1) return `${added} and is left out.`;
  return LeftOutCount === 1
    ? `${added}, 1 of them is left out.`
    : `${added}, ${formatCount(LeftOutCount)} of them are left out.`;
}
