import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import { getRegistrationDraft, saveRegistrationDraft } from '../../contract/addresses/registration.gen.ts';
import type { Reply } from '../../contract/call.ts';
import {
  type RegistrationForm,
  registrationForm,
} from '../../contract/forms/registration/registration-form.ts';
import type {
  RegistrationRoute,
  RegistrationWay,
} from '../../contract/forms/registration/registration-steps.ts';
import type * as calls from '../../contract/registration.ts';
import { callApi } from '../api.ts';
import { callKey } from '../queries/calls.ts';

export type Draft = Reply<typeof calls.getRegistrationDraft>;
export type RegistrationFormApi = UseFormReturn<RegistrationForm, unknown, RegistrationForm>;

/** The pause in typing before it is saved. */
const saveMs = 600;

export interface WizardState {
  form: RegistrationFormApi;
  way: RegistrationWay;
  /** True if it corrects what was refused for a toll-free number; otherwise it registers the organization. */
  isForTollFree: boolean;
  textsToCanada: boolean | null;
  wantsTollFree: boolean;
  appliesForTollFree: boolean;
  savedAt: string | null;
  isSaveFailing: boolean;
  /** Replaces what differs; what a person typed elsewhere stays. */
  replace: (next: RegistrationForm) => void;
  answer: (answers: { textsToCanada?: boolean; wantsTollFree?: boolean }) => void;
  /** Saves now; resolves once it is saved or failed. */
  save: () => Promise<void>;
}

/** The wizard’s one form: the contract’s rules, saved as it is typed. */
export function useWizardState(
  draft: Draft,
  route: RegistrationRoute | undefined,
  isForTollFree: boolean,
): WizardState {
  const client = useQueryClient();
  const { HasInfobipNumbers: hasInfobipNumbers, ProductPrivacyHost: productPrivacyHost } = draft;
  const mayPromote = draft.CanRegisterPromotional;
  // The registry may have refused the text that we wrote for people who weren't asked for one.
  const describesCampaign = isForTollFree || draft.RefusedCampaign !== null;
  const rules = useMemo(
    () =>
      registrationForm({
        ...{ hasInfobipNumbers, productPrivacyHost, mayPromote, describesCampaign },
      }),
    [hasInfobipNumbers, productPrivacyHost, mayPromote, describesCampaign],
  );
  const form = useForm<RegistrationForm, unknown, RegistrationForm>({
    resolver: zodResolver(rules as never) as unknown as Resolver<RegistrationForm, unknown, RegistrationForm>,
    mode: 'onTouched',
    defaultValues: draft.Form,
  });
  const [textsToCanada, setTextsToCanada] = useState(draft.TextsToCanada);
  const [wantsTollFree, setWantsTollFree] = useState(draft.WantsTollFree);
  const [savedAt, setSavedAt] = useState(draft.SavedAt);
  const [isSaveFailing, setSaveFailing] = useState(false);

  const latest = useRef({ textsToCanada, wantsTollFree, route });
  latest.current = { textsToCanada, wantsTollFree, route: route ?? latest.current.route };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const body = {
      Form: form.getValues(),
      Route: latest.current.route ?? null,
      TextsToCanada: latest.current.textsToCanada,
      WantsTollFree: latest.current.wantsTollFree,
    };
    try {
      const reply = (await callApi(saveRegistrationDraft, { body })) as { SavedAt: string };
      client.setQueryData<Draft>(callKey(getRegistrationDraft), (old) =>
        old === undefined ? old : { ...old, ...body, SavedAt: reply.SavedAt },
      );
      setSavedAt(reply.SavedAt);
      setSaveFailing(false);
    } catch {
      setSaveFailing(true);
      timer.current = setTimeout(() => void save(), 5000);
    }
  }, [client, form]);

  const saveSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), saveMs);
  }, [save]);

  useEffect(() => {
    const watching = form.watch(saveSoon);
    return () => {
      watching.unsubscribe();
      // Whoever leaves while it rests has typed all the same.
      if (timer.current !== undefined) void save();
    };
  }, [form, saveSoon, save]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the step is saved like a change of a field
  useEffect(() => {
    if (route !== undefined && draft.Route !== route) saveSoon();
  }, [route, saveSoon]);

  const replace = useCallback(
    (next: RegistrationForm) => {
      const now = form.getValues();
      for (const [name, value] of Object.entries(next) as [keyof RegistrationForm, never][])
        if (now[name] !== value) form.setValue(name, value, { shouldDirty: true });
      form.clearErrors();
    },
    [form],
  );
  const answer = useCallback(
    (answers: { textsToCanada?: boolean; wantsTollFree?: boolean }) => {
      if (answers.textsToCanada !== undefined) setTextsToCanada(answers.textsToCanada);
      if (answers.wantsTollFree !== undefined) setWantsTollFree(answers.wantsTollFree);
      saveSoon();
    },
    [saveSoon],
  );
  const isSoleProprietor = form.watch('IsSoleProprietor');
  const way = {
    hasInfobipNumbers,
    productPrivacyHost,
    mayPromote,
    describesCampaign,
    isSoleProprietor,
    sendsTextsToCanada: textsToCanada === true,
  };
  // Somebody who doesn't text to Canada after all isn't asked any more, and gets no toll-free number.
  const appliesForTollFree = wantsTollFree && textsToCanada === true;
  return {
    form,
    way,
    isForTollFree,
    textsToCanada,
    wantsTollFree,
    appliesForTollFree,
    savedAt,
    isSaveFailing,
    replace,
    answer,
    save,
  };
}
