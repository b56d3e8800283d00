import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Card, type CardProps } from './card.tsx';
import { Notice } from './notice.tsx';
import { say } from './say.ts';

type FormCardProps = Omit<CardProps, 'children'> & {
  /** The return value of useContractForm. */
  form: { problem: string | undefined; submit: () => void; isSubmitting: boolean; isDirty: boolean };
  /** The label of the button. */
  save?: string;
  children: ReactNode;
};

/** A card that is a form, with its button at the foot. */
export function FormCard(props: FormCardProps) {
  const { form, save = say('Save'), children, ...card } = props;
  const { problem, submit, isSubmitting, isDirty } = form;
  return (
    <Card {...card}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        sx={{ px: 2.5, py: 2, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}
      >
        {problem && <Notice kind="error">{problem}</Notice>}
        {children}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
          <Button type="submit" disabled={isSubmitting || !isDirty}>
            {save}
          </Button>
        </Box>
      </Box>
    </Card>
  );
}
