import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Member } from '../../../contract/account-users.ts';
import { getUsersSummary } from '../../../contract/addresses/accounts.gen.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { useListState } from '../../queries/list-state.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choices.tsx';
import { countOf } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { TabWords } from '../../ui/tab-words.tsx';
import { UserDialog } from './user-dialog.tsx';
import {
  readUserFilter,
  roleFilters,
  type UserView,
  userViewNames,
  userViews,
  writeUserFilter,
} from './user-view.ts';
import { UsersList } from './users-list.tsx';

/** The spec's 5, and more for large organizations. */
const sizes = [pageSizes.users, 25, 100];

/** The team: who can sign in, as what, and who is invited. */
export function UsersPage() {
  const account = useAccount();
  const { state, change } = useListState({ defaults: { pagesize: pageSizes.users }, remember: 'users' });
  const { data: summary } = useCallQuery(getUsersSummary, {});
  const [edited, setEdited] = useState<Member | 'new'>();
  const searchRef = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => searchRef.current?.focus() });
  const { view, role } = readUserFilter(state.filter);
  const counts: Record<UserView, number | undefined> = {
    all: summary?.All,
    enabled: summary?.Enabled,
    invited: summary?.Invited,
    disabled: summary?.Disabled,
  };
  const people = summary && countOf(summary.Enabled, 'person', 'people');
  return (
    <>
      <PageHead
        title="Users"
        crumb={say('Settings')}
        sentence={people && `${people} can sign in to ${account?.CompanyName ?? 'your organization'}.`}
        actions={
          <Button
            variant="contained"
            color="primary"
            startIcon={<UserPlus aria-hidden />}
            onClick={() => setEdited('new')}
          >
            Add a user
          </Button>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4 }}>
        <Card>
          <Box
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 1,
              px: 1,
              minHeight: 48,
              borderBottom: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Tabs
              value={view}
              aria-label="Users by status"
              onChange={(_, next: UserView) => change({ filter: writeUserFilter(next, role) })}
            >
              {userViewNames.map((name) => (
                <Tab
                  key={name}
                  value={name}
                  aria-controls="user-rows"
                  label={<TabWords name={userViews[name].label} count={counts[name]} showsNone />}
                />
              ))}
            </Tabs>
            <Box sx={{ flex: 1, display: { xs: 'none', sm: 'block' } }} />
            <Box sx={{ width: { xs: '100%', sm: 150 }, py: { xs: 0, sm: '6px' } }}>
              <Choice
                label="Role"
                value={role}
                choices={roleFilters}
                onChange={(next) =>
                  change({ filter: writeUserFilter(view, readUserFilter(`all.${next}`).role) })
                }
              />
            </Box>
            <SearchField
              q={state.q}
              placeholder="Search name or email"
              inputRef={searchRef}
              onSearch={(q) => change({ q }, { replace: true })}
              sx={{ width: { xs: '100%', sm: 240 }, pb: '6px', pt: { xs: 0, sm: '6px' } }}
            />
          </Box>
          <UsersList state={state} onChange={change} onEdit={setEdited} />
        </Card>
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'flex-end',
            gap: 1,
            mt: 1.5,
            typography: 'body2',
            color: 'text.secondary',
          }}
        >
          Rows per page
          <Box sx={{ width: 84 }}>
            <Choice
              label="Rows per page"
              value={String(state.pagesize)}
              choices={[...new Set([...sizes, state.pagesize])]
                .sort((a, b) => a - b)
                .map((size) => ({ value: String(size), label: String(size) }))}
              onChange={(size) => change({ pagesize: Number(size) })}
            />
          </Box>
        </Box>
      </Box>
      <UserDialog edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
