import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTheme } from '@mui/material/styles';
import { useSearch } from '@tanstack/react-router';
import { downloadUsageSummary, getUsageSummary } from '../../contract/addresses/purchases.gen.ts';
import type { Reply } from '../../contract/call.ts';
import type { getUsageSummary as definition, UsageFigures } from '../../contract/purchases.ts';
import { usageUserFilters } from '../../contract/reference/choices.ts';
import { defaults } from '../../contract/reference/limits.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choices.tsx';
import { downloadUrl } from '../ui/download-url.ts';
import { countOf, formatCount } from '../ui/format.ts';
import { Meter } from '../ui/meter.tsx';
import { said } from '../ui/said.ts';
import { say } from '../ui/say.ts';
import { Segmented } from '../ui/segmented.tsx';
import { DayChart } from './day-chart.tsx';
import { ReportFrame } from './report-frame.tsx';
import { ChartCard, DownloadButton, Loaded, ReportFields, useReportDays } from './report-parts.tsx';
import { changeWords } from './report-range.ts';
import { ReportTable } from './report-table.tsx';
import { TotalSide } from './total-side.tsx';

type Summary = Reply<typeof definition>;
type Display = 'credits' | 'messages';

const userWords = { 'all users': 'All users', enabled: 'Enabled users', disabled: 'Disabled users' } as const;
const roleWords = { owner: 'Account Owner', admin: say('Admin'), user: say('User') } as const;

/** The figures for each display: credits or messages. */
const figures = {
  credits: {
    total: (of: UsageFigures) => of.Credits,
    texts: (of: UsageFigures) => of.Broadcasts,
    calls: (of: UsageFigures) => of.Calls,
    conversations: (of: UsageFigures) => of.Conversations,
  },
  messages: {
    total: (of: UsageFigures) => of.Messages,
    texts: (of: UsageFigures) => of.BroadcastMessages,
    calls: (of: UsageFigures) => of.CallMessages,
    conversations: (of: UsageFigures) => of.ConversationMessages,
  },
} as const;

/** Credits and messages used, by day and by user. */
export function UsageSummaryPage() {
  const search = useSearch({ from: '/_app/reports/usage-summary' });
  const users = usageUserFilters.find((one) => one === search.users) ?? 'all users';
  const display: Display = search.display === 'messages' ? 'messages' : 'credits';
  const { query: days, field, choose } = useReportDays(defaults.reportRangeDays.usageSummary);
  const query = { ...days, users };
  const summary = useCallQuery(getUsageSummary, { query }, { keepPrevious: true });
  return (
    <ReportFrame
      name="usage-summary"
      sentence="What your organization used, by day and by user."
      actions={<DownloadButton href={downloadUrl(downloadUsageSummary, { query })} />}
    >
      <ReportFields>
        {field}
        <Box sx={{ width: 190 }}>
          <Choice
            label="Users"
            value={users}
            choices={usageUserFilters.map((value) => ({ value, label: userWords[value] }))}
            onChange={(next) => choose({ users: next === 'all users' ? undefined : next })}
          />
        </Box>
        <Box sx={{ ml: { md: 'auto' }, width: 190 }}>
          <Segmented
            label="Show"
            value={display}
            parts={[
              { value: 'credits', words: 'Credits' },
              { value: 'messages', words: 'Messages' },
            ]}
            onChange={(next) => choose({ display: next === 'credits' ? undefined : next })}
          />
        </Box>
      </ReportFields>
      <Loaded query={summary} what="your usage">
        {(data) => <Shown summary={data} display={display} />}
      </Loaded>
    </ReportFrame>
  );
}

function Shown({ summary, display }: { summary: Summary; display: Display }) {
  const { chart } = useTheme().vars.palette;
  const { Days, Users, Before } = summary;
  const { total, texts, calls, conversations } = figures[display];
  const parts = [
    { label: 'Texts and drips', color: chart.one, count: texts },
    { label: 'Voice calls', color: chart.two, count: calls },
    { label: 'Conversations', color: chart.three, count: conversations },
  ];
  const change = changeWords(total(summary), total(Before));
  const days = countOf(Days.length, 'day', 'days');
  const sorted = [...Users].sort((a, b) => total(b) - total(a));
  const all = total(summary);
  return (
    <>
      <ChartCard>
        <DayChart
          title={display === 'credits' ? 'Credits used, each day' : 'Messages sent, each day'}
          days={Days.map(({ Date: day }) => day)}
          series={parts.map(({ label, color, count }) => ({ label, color, counts: Days.map(count) }))}
        />
        <TotalSide
          total={all}
          sentence={`${display === 'credits' ? say('credits') : say('messages')} in ${days}${change === '' ? '' : `, ${change}`}`}
          parts={parts.map(({ label, color, count }) => ({ label, color, count: count(summary) }))}
        />
      </ChartCard>
      <Card>
        <ReportTable
          label="Users"
          columns={[
            say('User'),
            'Texts and drips',
            'Voice calls',
            say('Conversations'),
            display === 'credits' ? say('Credits') : say('Messages'),
            say('Share', 'of the total'),
          ]}
          rows={sorted.map((user) => ({
            key: user.UserID ?? 'nobody',
            cells: [
              <Who key="who" user={user} />,
              ...[texts(user), calls(user), conversations(user)].map(formatCount),
              <Box key="total" component="span" sx={{ fontWeight: 550 }}>
                {formatCount(total(user))}
              </Box>,
              <Share key="share" part={total(user)} whole={all} />,
            ],
          }))}
          total={
            sorted.length > 1
              ? [
                  `All ${countOf(sorted.filter(({ UserID }) => UserID !== null).length, 'user', 'users')}`,
                  ...[texts(summary), calls(summary), conversations(summary), all].map(formatCount),
                  '',
                ]
              : undefined
          }
        />
      </Card>
    </>
  );
}

function Who({ user }: { user: Summary['Users'][number] }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.25 }}>
      <Avatar name={user.UserID === null ? '' : user.Name} size={26} />
      <Box component="span" sx={{ fontWeight: 520 }}>
        {user.UserID === null ? said(user.Name) : user.Name}
      </Box>
      {user.IsActive && user.Role && (
        <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
          {roleWords[user.Role]}
        </Box>
      )}
      {!user.IsActive && <Chip size="small" label="Disabled" />}
    </Box>
  );
}

function Share({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
      <Box component="span" sx={{ width: 100 }}>
        <Meter
          height={6}
          total={Math.max(whole, 1)}
          pieces={[{ key: 'share', count: part, color: 'chart.one' }]}
          sentence={`${percent.toFixed(1)}%`}
        />
      </Box>
      <Box
        component="span"
        sx={{ width: 48, textAlign: 'right', typography: 'body2', color: 'text.secondary' }}
      >
        {percent.toFixed(1)}%
      </Box>
    </Box>
  );
}
