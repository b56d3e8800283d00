import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useGroupCode as groupCodeCall } from '../../contract/addresses/purchases.gen.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { shownMessage } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { queryClient } from '../queries/query-client.ts';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { countOf } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';

/** A group or promo code, for free credits. */
export function GroupCodeCard() {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const redeem = useCall(groupCodeCall);
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
            error={problem}
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
