import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Phone } from 'lucide-react';
import { getPhoneNumber } from '../../contract/addresses/consents.gen.ts';
import { downloadPhoneHistory, listPhoneHistory } from '../../contract/addresses/reports.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { fieldMessages } from '../api.ts';
import { HistoryList } from '../pieces/history/history-list.tsx';
import { useCallPages, useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ReportFrame } from './report-frame.tsx';

/** Everything that happened with one phone. */
export function PhoneHistoryPage() {
  const { q = '' } = useSearch({ from: '/_app/reports/phone-number-history' });
  const navigate = useNavigate();
  return (
    <ReportFrame
      name="phone-number-history"
      sentence="Every text, call, opt-in and opt-out of one phone, and how its contacts were added, imported and edited."
      actions={
        q !== '' && (
          <Button
            component="a"
            href={downloadUrl(downloadPhoneHistory, { params: { Number: q } })}
            download
            startIcon={<Download aria-hidden />}
          >
            Download CSV
          </Button>
        )
      }
    >
      <SearchField
        q={q}
        placeholder="Enter a phone number"
        label="Phone number"
        onSearch={(typed) =>
          void navigate({ to: '.', search: typed === '' ? {} : { q: typed }, replace: true })
        }
        sx={{ maxWidth: 340 }}
      />
      {q === '' ? (
        <Card>
          <EmptyState icon={Phone} title="Whose history do you need?">
            Enter a phone number to see everything that happened with it.
          </EmptyState>
        </Card>
      ) : (
        <OnePhone key={q} typed={q} />
      )}
    </ReportFrame>
  );
}

function OnePhone({ typed }: { typed: string }) {
  const pages = useCallPages(listPhoneHistory, { params: { Number: typed } });
  const found = pages.data?.pages[0];
  const { data: phone } = useCallQuery(
    getPhoneNumber,
    { params: { Number: typed }, query: {} },
    { enabled: found !== undefined },
  );
  const problem = fieldMessages(pages.error).Number;
  if (problem)
    return (
      <Card>
        <EmptyState icon={Phone} title="That isn’t a phone number">
          {problem}
        </EmptyState>
      </Card>
    );
  return (
    <Card>
      {found && (
        <Box sx={{ px: 2.5, pt: 2 }}>
          <Typography variant="h2">{formatPhone(found.PhoneNumber)}</Typography>
          <Typography sx={{ color: 'text.secondary' }}>
            {found.Contacts.length === 0
              ? 'Not in your contacts'
              : found.Contacts.map(({ PersonID, FirstName, LastName }, index) => (
                  <span key={PersonID}>
                    {index > 0 && ', '}
                    <RouterLink to="/contacts/contact/$personId" params={{ personId: PersonID }}>
                      {`${FirstName} ${LastName}`.trim() || 'No name'}
                    </RouterLink>
                  </span>
                ))}
            {phone && ` · ${consentWords(phone)}`}
          </Typography>
        </Box>
      )}
      <HistoryList
        pages={pages}
        failed="There was an error getting the history of this phone."
        hasSeveralPhones={false}
      />
    </Card>
  );
}

function consentWords({
  OptedOut,
  OptedIn,
  DoNotCall,
}: {
  OptedOut: boolean;
  OptedIn: boolean;
  DoNotCall: boolean;
}) {
  const texts = OptedOut ? 'Opted out of texts' : OptedIn ? 'Opted in to texts' : 'Can be texted';
  return DoNotCall ? `${texts}, don’t call` : texts;
}
