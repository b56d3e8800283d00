import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Check, CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { DraftBroadcast, Preflight } from '../../../../contract/drafts.ts';
import { placesCalls, sendsTexts } from '../../../../contract/money/units.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { formatCount } from '../../../ui/format.ts';
import { visuallyHidden } from '../../../ui/visually-hidden.ts';
import { PreflightMessages } from './preflight-calls.tsx';
import { sampleWords } from './preflight-words.ts';

interface SideCardProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

function SideCard({ title, action, children }: SideCardProps) {
  const id = useId();
  return (
    <MuiCard component="section" aria-labelledby={id} sx={{ px: 2.5, py: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1, mb: 1.25 }}>
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </MuiCard>
  );
}

interface MessageCardProps {
  draft: DraftBroadcast;
  preflight: Preflight;
  isRead: boolean;
  /** Reason why it can't be sent yet, shown when somebody tried to send it without confirming that they read it. */
  error: string | undefined;
  onRead: (isRead: boolean) => void;
  onEdit: () => void;
}

/** The message for the first recipient, and the confirmation that somebody has read it. */
export function MessageCard({ draft, preflight, isRead, error, onRead, onEdit }: MessageCardProps) {
  const errorId = useId();
  const { Sample } = preflight;
  const isCalling = placesCalls(draft.BroadcastType);
  const words = sendsTexts(draft.BroadcastType) ? (Sample?.TextMessage ?? draft.TextMessage) : '';
  return (
    <SideCard
      title={isCalling ? 'Messages' : 'Message'}
      action={
        <MuiLink
          component="button"
          variant="body2"
          aria-label={isCalling ? 'Edit the messages' : 'Edit the message'}
          onClick={onEdit}
          sx={{ minHeight: 24 }}
        >
          Edit
        </MuiLink>
      }
    >
      {isCalling && (
        <Box sx={words === '' ? {} : { mb: 2 }}>
          <PreflightMessages draft={draft} />
        </Box>
      )}
      {draft.Media.map(({ mediaId, preview, fileName }) => (
        <Box
          key={mediaId}
          component="img"
          src={preview}
          alt={fileName || 'Picture'}
          sx={{
            display: 'block',
            width: '100%',
            maxHeight: 160,
            objectFit: 'cover',
            borderRadius: '14px',
            mb: 1,
          }}
        />
      ))}
      {words !== '' && <Words>{words}</Words>}
      {Sample && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.25 }}>
          To {Sample.Name || formatPhone(Sample.PhoneNumber)}. {sampleWords(Sample)}
        </Typography>
      )}
      {draft.SecondText && (
        <Box sx={{ mt: 1.5 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 0.75 }}>
            Second text
          </Typography>
          <Words>{draft.SecondText.TextMessage}</Words>
        </Box>
      )}
      {draft.IsTextSurvey && <SurveyReplies replies={draft.TextSurveyAutoReplies} />}
      <Box sx={{ mt: 1.5, pt: 1, borderTop: '1px solid', borderColor: 'line.hair' }}>
        <FormControlLabel
          control={
            <Checkbox
              checked={isRead}
              onChange={(_, checked) => onRead(checked)}
              slotProps={{
                input: {
                  'aria-invalid': error !== undefined,
                  'aria-describedby': error === undefined ? undefined : errorId,
                },
              }}
            />
          }
          label={
            isCalling
              ? 'I have checked the messages'
              : draft.SecondText
                ? 'I have read both texts'
                : 'I have read the message'
          }
        />
        {error !== undefined && (
          <FormHelperText error id={errorId} role="alert">
            {error}
          </FormHelperText>
        )}
      </Box>
    </SideCard>
  );
}

/** A text as it looks on a phone. */
function Words({ children }: { children: string }) {
  return (
    <Box
      sx={{
        p: '9px 13px 10px',
        borderRadius: '14px 14px 14px 4px',
        bgcolor: 'bubble.in',
        color: 'bubble.inText',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {children}
    </Box>
  );
}

function SurveyReplies({ replies }: { replies: DraftBroadcast['TextSurveyAutoReplies'] }) {
  return (
    <Box component="dl" sx={{ m: 0, mt: 1.25 }}>
      {(['Yes', 'No'] as const).map((label) => (
        <Box key={label} sx={{ mt: 0.5 }}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
            Reply to {label}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {replies.find(({ Label }) => Label === label)?.Message || 'None'}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** Its cost and the balance. */
export function CreditsCard({ cost }: { cost: Preflight['Cost'] }) {
  if (cost.IsFree)
    return (
      <SideCard title="Credits">
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          None. Your plan includes this broadcast.
        </Typography>
      </SideCard>
    );
  return (
    <SideCard title="Credits">
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1, fontVariantNumeric: 'tabular-nums' }}>
        <Line label="Balance" value={formatCount(cost.Balance)} />
        {cost.Reserved > 0 && (
          <Line label="Reserved for other broadcasts" value={`− ${formatCount(cost.Reserved)}`} />
        )}
        <Line label="This broadcast" value={`− ${formatCount(cost.Credits)}`} />
        <Line
          label="Remaining"
          value={formatCount(cost.After)}
          sx={{
            fontWeight: 600,
            pt: 1,
            borderTop: '1px solid',
            borderColor: 'line.hair',
            color: cost.After < 0 ? 'error.main' : 'text.primary',
          }}
        />
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
        Credits are reserved when you press Send, charged as each text is sent or call is answered, and
        returned for those that aren’t.
      </Typography>
    </SideCard>
  );
}

function Line({ label, value, sx = {} }: { label: string; value: string; sx?: object }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, color: 'text.secondary', ...sx }}>
      <dt>{label}</dt>
      <Box component="dd" sx={{ m: 0, color: 'text.primary' }}>
        {value}
      </Box>
    </Box>
  );
}

const marks: Record<Preflight['Checks'][number]['Kind'], { icon: LucideIcon; color: string; said: string }> =
  {
    ok: { icon: Check, color: 'success.main', said: 'OK: ' },
    warning: { icon: TriangleAlert, color: 'warning.main', said: 'Warning: ' },
    error: { icon: CircleAlert, color: 'error.main', said: 'Error: ' },
  };

/** The checks and their results, problems first. */
export function ChecksCard({ checks }: { checks: Preflight['Checks'] }) {
  const order = ['error', 'warning', 'ok'];
  const sorted = [...checks].sort((one, other) => order.indexOf(one.Kind) - order.indexOf(other.Kind));
  return (
    <SideCard title="Checks">
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {sorted.map(({ Kind, Text }) => {
          const { icon, color, said } = marks[Kind];
          return (
            <Box component="li" key={Text} sx={{ display: 'flex', gap: 1.25 }}>
              <Box
                component={icon}
                size={15}
                strokeWidth={2}
                aria-hidden
                sx={{ flex: 'none', mt: '2.5px', color: color }}
              />
              <Box
                component="span"
                sx={{ minWidth: 0, color: Kind === 'error' ? 'error.main' : 'text.primary' }}
              >
                <span style={visuallyHidden}>{said}</span>
                {Text}
              </Box>
            </Box>
          );
        })}
      </Box>
    </SideCard>
  );
}
