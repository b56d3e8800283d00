import { listContactHistory } from '../../../contract/addresses/contacts.gen.ts';
import type { WholeContact } from '../../../contract/contacts.ts';
import { HistoryList } from '../../pieces/history/history-list.tsx';
import { useCallPages } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';

/** A person's whole history, latest first. */
export function ContactHistory({ person }: { person: WholeContact }) {
  const pages = useCallPages(listContactHistory, { params: { PersonID: person.PersonID } });
  return (
    <Card title="History">
      <HistoryList
        pages={pages}
        failed="There was an error getting your contact’s history."
        hasSeveralPhones={person.Phones.length > 1}
      />
    </Card>
  );
}
