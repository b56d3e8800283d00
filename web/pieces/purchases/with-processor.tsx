import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Elements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type ReactNode, useEffect, useState } from 'react';
import { getCardFields } from '../../../contract/addresses/purchases.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Notice } from '../../ui/notice.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { loadProcessor } from './load-processor.ts';

interface WithProcessorProps {
  children: ReactNode;
  /** In a dialog: the way out while there is no form yet. */
  onClose?: () => void;
}

/** Loads the card processor's script before its children are shown. */
export function WithProcessor({ children, onClose }: WithProcessorProps) {
  const { data, isError, refetch } = useCallQuery(getCardFields, {}, { staleTime: 3_600_000 });
  const [processor, setProcessor] = useState<Stripe>();
  const [hasFailed, setFailed] = useState(false);
  const scriptUrl = data?.ScriptUrl ?? '';
  const key = data?.PublishableKey ?? '';
  useEffect(() => {
    if (scriptUrl === '' || hasFailed) return;
    let isGone = false;
    loadProcessor(scriptUrl, key).then(
      (loaded) => !isGone && setProcessor(loaded),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [scriptUrl, key, hasFailed]);
  if (processor) return <Elements stripe={processor}>{children}</Elements>;
  const retry = () => {
    setFailed(false);
    void refetch();
  };
  return (
    <Box sx={{ p: 3, display: 'grid', gap: 2 }}>
      {isError || hasFailed ? (
        <RetryNotice onRetry={retry}>The card fields could not be loaded.</RetryNotice>
      ) : data && scriptUrl === '' ? (
        <Notice kind="warning">Cards can’t be taken at the moment. Please contact us.</Notice>
      ) : (
        <SkeletonRows rows={4} rowHeight={56} label="Loading the card fields" />
      )}
      {onClose && (
        <Button sx={{ justifySelf: 'end' }} onClick={onClose}>
          Close
        </Button>
      )}
    </Box>
  );
}
