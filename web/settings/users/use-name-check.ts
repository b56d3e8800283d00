import { useEffect, useState } from 'react';
import { validateEmail, validateUserName } from '../../../contract/addresses/accounts.gen.ts';
import { validationMessage } from '../../../contract/fields/asynchronous-checks.ts';
import { callApi } from '../../api.ts';
import { useDebounced } from '../../ui/use-debounced.ts';

const calls = { username: validateUserName, email: validateEmail } as const;

interface Checked {
  source: string;
  message: string | undefined;
  warning?: string | undefined;
}

export type NameCheck = Partial<Pick<Checked, 'message' | 'warning'>>;

/**
 * The server's answer about a username or email address while it is typed: whether somebody has it already, and whether
 * it would do. Empty while it is unchanged, empty or still being asked about.
 */
export function useNameCheck(
  what: keyof typeof calls,
  value: string,
  of: { saved: string; userId?: number | undefined },
): NameCheck {
  const [checked, setChecked] = useState<Checked>();
  const source = useDebounced(value.trim());
  const isUnchanged = source.toLowerCase() === of.saved.toLowerCase();
  const { userId } = of;
  useEffect(() => {
    if (source === '' || isUnchanged) return;
    const leaving = new AbortController();
    const body = { Source: source, ...(userId === undefined ? {} : { UserID: userId }) };
    callApi(calls[what], { body }, { signal: leaving.signal, missing: 'refuse' }).then(
      (reply) => {
        const warning = 'Warning' in reply ? reply.Warning : undefined;
        setChecked({ source, message: validationMessage(what, reply), warning });
      },
      () => {
        if (!leaving.signal.aborted) {
          setChecked({ source, message: validationMessage(what, { Success: false }) });
        }
      },
    );
    return () => leaving.abort();
  }, [what, source, isUnchanged, userId]);
  return checked?.source === value.trim() && !isUnchanged ? checked : {};
}
