import { CheckCircle2 } from 'lucide-react';
import { downloadOptIns, listOptIns } from '../../contract/addresses/reports.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { consentWords } from '../pieces/consents/consent-words.ts';
import { useCallPages } from '../queries/calls.ts';
import { fullName, useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatAbsolute } from '../ui/format.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';
import { ReportFrame } from './report-frame.tsx';
import { DownloadButton, Loaded, MoreButton, ReportFields, useReportDays } from './report-parts.tsx';
import { ReportTable } from './report-table.tsx';

/** Who agreed to get texts, when, and with which words. */
export function OptInReportPage() {
  const zone = useTimeZone();
  const { query, field } = useReportDays(defaults.reportRangeDays.credits);
  const list = useCallPages(listOptIns, { query });
  const items = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <ReportFrame
      name="promotional-opt-in"
      sentence="People who agreed to get texts, with their own words. Keep it as proof for promotional texts."
      actions={<DownloadButton href={downloadUrl(downloadOptIns, { query })} />}
    >
      <ReportFields>{field}</ReportFields>
      <Loaded query={list} what="your opt-ins">
        {() => (
          <Card>
            {items.length === 0 ? (
              <EmptyState icon={CheckCircle2} title="Nobody opted in during these days">
                People who text START or a keyword, or whom you opt in, show up here.
              </EmptyState>
            ) : (
              <ReportTable
                label="Opt-ins"
                columns={[say('Phone'), say('Name'), say('When'), say('How'), say('Words')]}
                words={5}
                rows={items.map((item) => ({
                  key: item.PhoneNumber,
                  cells: [
                    <RouterLink
                      key="phone"
                      to="/reports/phone-number-history"
                      search={{ q: item.PhoneNumber }}
                    >
                      {formatPhone(item.PhoneNumber)}
                    </RouterLink>,
                    fullName(item),
                    formatAbsolute(item.Timestamp, zone),
                    consentWords({
                      Source: item.Source,
                      Wording: item.Source === 'inbound' ? '' : item.Wording,
                    }),
                    item.Wording,
                  ],
                }))}
              />
            )}
            <MoreButton list={list} />
          </Card>
        )}
      </Loaded>
    </ReportFrame>
  );
}
