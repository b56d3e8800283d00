import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getBroadcast } from '../../contract/addresses/broadcasts.gen.ts';
import { mergeSingleOfBroadcast } from '../../contract/addresses/drafts.gen.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { callApi } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useDebounced } from '../ui/use-debounced.ts';

interface EditPreviewProps {
  broadcastId: number;
  /** The text in the form. */
  text: string;
  hasMedia: boolean;
}

/** The text that the first recipient of a scheduled broadcast would get, while it is being edited. */
export function EditPreview({ broadcastId, text, hasMedia }: EditPreviewProps) {
  const params = { BroadcastID: broadcastId };
  const whole = useCallQuery(getBroadcast, { params }).data;
  const body = {
    TemplateText: useDebounced(text),
    IncludeSignature: whole?.IncludeSignature ?? false,
    HasMedia: hasMedia,
    Position: 1,
  };
  const { data } = useQuery({
    queryKey: [mergeSingleOfBroadcast.path, broadcastId, body],
    queryFn: ({ signal }) => callApi(mergeSingleOfBroadcast, { params, body }, { signal, missing: 'refuse' }),
    enabled: whole !== undefined && body.TemplateText.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (data === undefined || text.trim() === '') return null;
  const name = `${data.FirstName} ${data.LastName}`.trim() || formatPhone(data.PhoneNumber);
  return (
    <Box component="section" aria-label="Preview">
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: '6px' }}>
        {`Preview for ${name}`}
      </Typography>
      <Box
        sx={{
          px: 1.75,
          py: 1.25,
          borderRadius: '14px',
          bgcolor: 'surface.sunken',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {data.TextMessage}
      </Box>
      {data.Error !== '' && (
        <Typography variant="body2" sx={{ color: 'error.main', mt: '6px' }}>
          {data.Error}
        </Typography>
      )}
    </Box>
  );
}
