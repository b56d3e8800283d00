import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Clock, Inbox, type LucideIcon, MapPin, Phone, Receipt, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { listAccountUsers } from '../../contract/addresses/accounts.gen.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import {
  buyLocalNumber,
  getCurrentRegistration,
  listLocalNumbers,
  reserveLocalNumber,
} from '../../contract/addresses/registration.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { localNumberMessage } from '../../contract/reference/error-codes.ts';
import { limits } from '../../contract/reference/limits.ts';
import { findState } from '../../contract/reference/states.ts';
import { findZoneByIana } from '../../contract/time/zones.ts';
import { ApiError, shownMessage } from '../api.ts';
import { AreaCodeField, isWholeAreaCode } from '../pieces/numbers/area-code-field.tsx';
import { numberMessage } from '../pieces/numbers/number-message.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { fullName, useAccount, useUser } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { formatCount } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { stateName } from '../ui/state-choices.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { PeopleField } from './people-field.tsx';

const pageSize = 12;
const searchMs = 250;

/** Finds a number by area code, holds it for ten minutes and gets it. */
export function GetNumberPage() {
  const [areaCode, setAreaCode] = useState('');
  const [typedDigits, setDigits] = useState('');
  const digits = useDebounced(typedDigits.replace(/\D/g, ''), searchMs);
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const [userIds, setUserIds] = useState<number[]>([]);
  const isWhole = isWholeAreaCode(areaCode);
  const query = { areacode: areaCode, q: digits, page, pagesize: pageSize };
  const found = useCallQuery(
    listLocalNumbers,
    { query },
    { enabled: isWhole, keepPrevious: true, staleTime: 30_000 },
  );
  const reserve = useCall(reserveLocalNumber);
  const change = (next: string) => {
    setAreaCode(next);
    setPage(1);
    setChosen(undefined);
  };
  const choose = (phone: string) => {
    setChosen(phone);
    reserve.mutate({ body: { PhoneNumber: phone } });
  };
  const problem = isWhole && found.error ? numberMessage(found.error) : undefined;
  const data = isWhole && !found.error ? found.data : undefined;
  return (
    <>
      <PageHead
        crumb="Settings, Text"
        title="Get a local number"
        sentence="People answer a local number more often. Type the area code you want."
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pb: 4,
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 328px' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
          <Card>
            <Box sx={{ p: 2.5, display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
              <AreaCodeField
                value={areaCode}
                onChange={change}
                onSubmit={() => void found.refetch()}
                error={problem}
                isAutoFocused
              />
              {data?.Place && (
                <Box sx={{ display: 'flex', gap: 1, pt: { sm: '34px' }, flex: '1 1 180px' }}>
                  <Box component={MapPin} size={18} aria-hidden sx={{ color: 'primary.main', mt: '2px' }} />
                  <div>
                    <Typography sx={{ fontWeight: 600 }}>{nameOfState(data.Place.State)}</Typography>
                    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                      {data.Place.City} and other towns
                    </Typography>
                    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                      {zonesOf(data.Place.TimeZones)}
                    </Typography>
                  </div>
                </Box>
              )}
              <Box sx={{ width: { xs: '100%', sm: 224 }, ml: 'auto' }}>
                <TextField
                  label="Digits you’d like"
                  aside={
                    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                      optional
                    </Typography>
                  }
                  help="Anywhere in the number"
                  placeholder="such as 0100"
                  autoComplete="off"
                  value={typedDigits}
                  onChange={(event) => {
                    setDigits(event.target.value.slice(0, 20));
                    setPage(1);
                  }}
                  slotProps={{ input: { inputMode: 'numeric' } }}
                />
              </Box>
            </Box>
          </Card>
          {isWhole && isInCanada(found.error) && (
            <Notice
              title="Texts to Canada come from a toll-free number"
              actions={
                <RouterButton size="small" to="/local-number-registration/$step" params={{ step: 'landing' }}>
                  Get a toll-free number
                </RouterButton>
              }
            >
              It reaches Canada and the US. You apply for it when you register your organization.
            </Notice>
          )}
          {isWhole && !found.error && (
            <Card
              title="Available numbers"
              count={data ? `${formatCount(data.Items.length)} of ${formatCount(data.Size)}` : undefined}
              action={
                data &&
                data.Size > pageSize && (
                  <Button
                    variant="text"
                    startIcon={<RefreshCw aria-hidden />}
                    onClick={() => setPage(page * pageSize >= data.Size ? 1 : page + 1)}
                  >
                    Show {pageSize} more
                  </Button>
                )
              }
            >
              {!data && <SkeletonRows rows={4} rowHeight={64} label="Looking for numbers" />}
              {data?.Items.length === 0 && (
                <EmptyState icon={Phone} title="No number has these digits">
                  Try fewer digits, or another area code.
                </EmptyState>
              )}
              {data && data.Items.length > 0 && (
                <Numbers items={data.Items} chosen={chosen} onChoose={choose} />
              )}
            </Card>
          )}
          {chosen && (
            <Card>
              <Box
                sx={{
                  p: 2.5,
                  display: 'grid',
                  gap: 2,
                  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
                }}
              >
                <TextField
                  label="Name"
                  help="Only your team sees it."
                  aside={
                    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                      {name.length}/{limits.textNumberName}
                    </Typography>
                  }
                  value={name}
                  autoComplete="off"
                  onChange={(event) => setName(event.target.value.slice(0, limits.textNumberName))}
                />
                <People value={userIds} onChange={setUserIds} />
              </Box>
            </Card>
          )}
        </Box>
        {chosen && (
          <NewNumber
            phone={chosen}
            name={name}
            userIds={userIds}
            place={placeOf(data?.Items.find(({ PhoneNumber }) => PhoneNumber === chosen))}
            heldProblem={
              reserve.error ? shownMessage(reserve.error, localNumberMessage('General')) : undefined
            }
            onGone={() => {
              setChosen(undefined);
              void found.refetch();
            }}
          />
        )}
      </Box>
    </>
  );
}

/** A local number there could not text. */
function isInCanada(error: unknown): boolean {
  const data = error instanceof ApiError ? error.body.ExtendedData : undefined;
  return typeof data === 'object' && data !== null && 'Country' in data && data.Country === 'CA';
}

function nameOfState(code: string): string {
  const state = findState(code);
  return state ? stateName(state) : code;
}

interface Available {
  PhoneNumber: string;
  City: string;
  State: string;
}

/** "Chattanooga, TN". Not every provider says the town of a number: then it is "Tennessee". */
function placeOf(number: Available | undefined): string {
  if (number === undefined) return '';
  return number.City === '' ? nameOfState(number.State) : `${number.City}, ${number.State}`;
}

/** "Eastern Time", or more than one where the area code has them. */
function zonesOf(zones: readonly string[]): string {
  const labels = zones.map((zone) => findZoneByIana(zone)?.label).filter((label) => label !== undefined);
  return [...new Set(labels)].join(', ');
}

interface NumbersProps {
  items: readonly Available[];
  chosen: string | undefined;
  onChoose: (phone: string) => void;
}

function Numbers({ items, chosen, onChoose }: NumbersProps) {
  const own = useAccount()?.State;
  return (
    <Box
      role="radiogroup"
      aria-label="Available numbers"
      sx={{
        p: 2.5,
        display: 'grid',
        gap: '10px',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          sm: 'repeat(2, minmax(0, 1fr))',
          lg: 'repeat(3, minmax(0, 1fr))',
        },
      }}
    >
      {items.map(({ PhoneNumber, City, State }) => (
        <Box
          component="label"
          key={PhoneNumber}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            px: 1,
            py: '8px',
            cursor: 'pointer',
            borderRadius: '10px',
            border: '1px solid',
            borderColor: chosen === PhoneNumber ? 'primary.main' : 'line.strong',
            bgcolor: chosen === PhoneNumber ? 'tint.accent' : 'transparent',
            boxShadow: (theme) =>
              chosen === PhoneNumber ? `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
          }}
        >
          <Radio
            name="number"
            checked={chosen === PhoneNumber}
            onChange={() => onChoose(PhoneNumber)}
            slotProps={{ input: { 'aria-label': formatPhone(PhoneNumber) } }}
          />
          <Box sx={{ minWidth: 0 }}>
            <Typography sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>
              {formatPhone(PhoneNumber)}
            </Typography>
            <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
              {[
                City || nameOfState(State),
                City !== '' && State === own ? 'your state' : '',
                isMemorable(PhoneNumber) ? say('memorable') : '',
              ]
                .filter((word) => word !== '')
                .join(' · ')}
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** The last four digits repeat or count up. */
function isMemorable(phone: string): boolean {
  const last = phone.slice(-4);
  return /(\d)\1\1|(\d\d)\2|0123|1234|2345|3456|4567|5678|6789/.test(last);
}

function People({ value, onChange }: { value: number[]; onChange: (ids: number[]) => void }) {
  const { data } = useCallQuery(listAccountUsers, { query: { page: 'all', enabled: 'true' } });
  const own = useUser()?.UserID;
  const people = (data?.Items ?? []).map((person) => ({
    id: person.UserID,
    name: person.UserID === own ? say('You') : fullName(person),
  }));
  return <PeopleField people={people} value={value} onChange={onChange} />;
}

interface NewNumberProps {
  phone: string;
  name: string;
  userIds: number[];
  place: string;
  heldProblem: string | undefined;
  onGone: () => void;
}

function NewNumber({ phone, name, userIds, place, heldProblem, onGone }: NewNumberProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const buy = useCall(buyLocalNumber);
  const account = useAccount();
  const [problem, setProblem] = useState<string>();
  const { data: registration } = useCallQuery(getCurrentRegistration, {});
  const isRegistered = registration?.status === 'Complete';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number has other problems
  useEffect(() => setProblem(undefined), [phone]);
  const get = async () => {
    setProblem(undefined);
    try {
      const order = await buy.mutateAsync({ body: { PhoneNumber: phone, Name: name, UserIDs: userIds } });
      if (order.Status === 'Failed') {
        // The card goes with the number, so the reason is said outside of it.
        showSnackbar(order.Message);
        onGone();
        return;
      }
      await client.invalidateQueries({ queryKey: [listTextNumbers.path] });
      showSnackbar(order.Message || `${formatPhone(order.PhoneNumber)} is yours.`);
      await navigate({ to: '/settings/text' });
    } catch (error) {
      setProblem(numberMessage(error));
    }
  };
  return (
    <Card>
      <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
        <div>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            Your new number
          </Typography>
          <Typography variant="h1" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {formatPhone(phone)}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {[name.trim(), place].filter((word) => word !== '').join(' · ')}
          </Typography>
        </div>
        <Fact icon={Phone} title="Calls work right away">
          It can be your caller ID today.
        </Fact>
        <Fact
          icon={Clock}
          title={isRegistered ? 'Texting: Pending' : 'Texting: Registration needed'}
          isWaiting
        >
          {isRegistered
            ? `Added to the registration of ${account?.CompanyName ?? 'your organization'}. Carriers confirm it before the first text.`
            : 'Register your organization next. Carriers confirm it before the first text.'}
        </Fact>
        <Fact icon={Inbox} title="Replies come to your inbox">
          In its own list, with its own notifications.
        </Fact>
        <Fact icon={Receipt} title="Included with your account">
          No monthly fee for this number.
        </Fact>
        {(problem ?? heldProblem) && <Notice kind="error">{problem ?? heldProblem}</Notice>}
        <Button
          variant="contained"
          color="primary"
          size="large"
          disabled={buy.isPending || heldProblem !== undefined}
          onClick={() => void get()}
        >
          {buy.isPending ? 'Getting it…' : `Get ${formatPhone(phone)}`}
        </Button>
        <Typography variant="body2" sx={{ color: 'text.secondary', textAlign: 'center' }}>
          Held for you for 10 minutes
        </Typography>
      </Box>
    </Card>
  );
}

interface FactProps {
  icon: LucideIcon;
  title: string;
  isWaiting?: boolean;
  children: string;
}

function Fact({ icon: Icon, title, isWaiting = false, children }: FactProps) {
  return (
    <Box sx={{ display: 'flex', gap: 1.25, pt: 1.5, borderTop: '1px solid', borderColor: 'line.hair' }}>
      <Box
        component={Icon}
        size={18}
        aria-hidden
        sx={{ flex: 'none', mt: '2px', color: isWaiting ? 'warning.main' : 'primary.main' }}
      />
      <div>
        <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {children}
        </Typography>
      </div>
    </Box>
  );
}
