import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../api.ts';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Example } from './example.tsx';
import { exampleOf } from './example-of.ts';
import type { ReferenceCall } from './read-reference.ts';
import { setTriedKey, useTriedKey } from './tried-key.ts';

interface Answer {
  status: number;
  text: string;
  remaining: string | null;
}

/** Makes a call for real, with a key that is kept nowhere but in this tab until it is reloaded. */
export function TryIt({ call }: { call: ReferenceCall }) {
  const key = useTriedKey();
  const fields = call.parameters.filter(({ in: place }) => place !== 'header');
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() => (call.body ? JSON.stringify(exampleOf(call.body), null, 2) : ''));
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setBusy(true);
    try {
      setAnswer(await ask(call, { key, values, body }));
    } catch {
      setProblem('Muster couldn’t be reached. Check your connection and try again.');
    } finally {
      setBusy(false);
    }
  };

  if (call.fileBody) return <Notice>This call takes a file. Try it with curl or the client.</Notice>;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void send(event)}
      sx={{
        display: 'grid',
        // Long lines of a reply scroll inside it.
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1.5,
        p: 1.75,
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
      }}
    >
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        value={key}
        placeholder="mk_live_…"
        help="Kept in this tab only, until you reload it."
        onChange={(event) => setTriedKey(event.target.value.trim())}
      />
      {fields.map(({ name, in: place, required }) => (
        <TextField
          key={`${place} ${name}`}
          label={required ? name : `${name} (optional)`}
          autoComplete="off"
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      {call.body && (
        <TextField
          label="Body"
          multiline
          minRows={4}
          maxRows={16}
          value={body}
          onChange={(event) => setBody(event.target.value)}
          slotProps={{
            input: { spellCheck: false, style: { fontFamily: 'ui-monospace, monospace', fontSize: 12 } },
          }}
        />
      )}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <Button type="submit" variant="contained" disabled={isBusy || key === ''}>
          Send
        </Button>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {call.method === 'GET'
            ? 'Reads from your organization.'
            : 'This really happens in your organization.'}
        </Typography>
      </Box>
      {problem && <Notice kind="error">{problem}</Notice>}
      {answer && (
        <Box aria-live="polite">
          <Example
            label={`Reply ${answer.status}${answer.remaining === null ? '' : `, ${answer.remaining} calls left this minute`}`}
            text={answer.text}
          />
        </Box>
      )}
    </Box>
  );
}

async function ask(
  call: ReferenceCall,
  { key, values, body }: { key: string; values: Record<string, string>; body: string },
): Promise<Answer> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, in: place } of call.parameters)
    if (place === 'query' && values[name]) query.append(name, values[name]);
  const response = await fetch(`${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: call.method,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
      ...(call.method === 'GET' ? {} : { 'idempotency-key': newIdempotencyKey() }),
    },
    ...(call.body ? { body } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    text: pretty(text),
    remaining: response.headers.get('ratelimit-remaining'),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 20_000);
  }
}
