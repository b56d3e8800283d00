import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGroupCode as groupCodeCall, validatePromoCode } from '../../contract/addresses/purchases.gen.ts';
import { validationMessage } from '../../contract/fields/asynchronous-checks.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { callApi, shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

/** A group or promo code, for free credits. */
export function GroupCodeCard() {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const redeem = useCall(groupCodeCall);
  const checked = useCodeCheck(name.trim());
  return (
    <Card title="Group code">
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return setProblem(errorCatalog.groupCode);
          redeem.mutate(
            { body: { Name: name } },
            {
              onSuccess: ({ PromoMessage, FreeCredits }) => {
                showSnackbar(PromoMessage || `${countOf(FreeCredits, 'credit', 'credits')} added.`);
                setName('');
                void queryClient.invalidateQueries();
              },
              onError: (error) => setProblem(shownMessage(error, errorCatalog.groupCode)),
            },
          );
        }}
        sx={{ px: 2.5, py: 2, display: 'flex', gap: 1.5, alignItems: 'flex-start', flexWrap: 'wrap' }}
      >
        <Box sx={{ width: 280 }}>
          <TextField
            label="Group code or promo code"
            autoComplete="off"
            value={name}
            error={problem ?? checked}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(undefined);
            }}
          />
        </Box>
        <Button type="submit" disabled={redeem.isPending} sx={{ mt: '26px' }}>
          Use code
        </Button>
      </Box>
    </Card>
  );
}

/** Checks whether there is such a code, once nobody types any more. If nobody answers, pressing the button tells. */
function useCodeCheck(typed: string): string | undefined {
  const code = useDebounced(typed);
  const { data } = useQuery({
    queryKey: [validatePromoCode.path, code],
    queryFn: ({ signal }) =>
      callApi(validatePromoCode, { body: { Source: code } }, { signal, missing: 'refuse' }),
    enabled: code !== '',
    retry: false,
  });
  return code === typed && code !== '' && data ? validationMessage('promocode', data) : undefined;
}
