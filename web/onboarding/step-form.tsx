import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { stepFormId } from './steps.ts';

interface StepFormProps {
  problem?: string | undefined;
  onSubmit: () => void;
  children?: ReactNode;
}

/** The fields of a step. The button in the page's foot submits them. */
export function StepForm({ problem, onSubmit, children }: StepFormProps) {
  return (
    <Box
      component="form"
      id={stepFormId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}
    >
      {problem && <Notice kind="error">{problem}</Notice>}
      {children}
    </Box>
  );
}
