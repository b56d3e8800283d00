import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { lazy, memo, type ReactNode, Suspense, useState } from 'react';
import { Segmented } from '../ui/segmented.tsx';
import { curlOf, typescriptOf } from './code-examples.ts';
import { Example } from './example.tsx';
import { exampleOf } from './example-of.ts';
import { MethodPill } from './method-pill.tsx';
import type { Parameter } from './openapi.ts';
import type { ReferenceCall } from './read-reference.ts';
import { shapeOf } from './schema-shape.ts';
import { mono, SchemaTree } from './schema-tree.tsx';
import { useNear } from './use-near.ts';

/** The estimated height of a call that isn't rendered yet, so that the scrollbar is about right. */
const aboutHeight = 480;

/** One call: summary, permissions, parameters, reply and errors. */
export const CallArticle = memo(function CallArticle({ call }: { call: ReferenceCall }) {
  const [ref, isNear] = useNear<HTMLDivElement>();
  return (
    <Box
      component="article"
      id={call.id}
      aria-labelledby={`${call.id}-title`}
      sx={{ scrollMarginTop: 72, py: 4, borderTop: '1px solid', borderColor: 'line.hair' }}
    >
      <Typography variant="h3" id={`${call.id}-title`} sx={{ fontSize: 16, lineHeight: '24px' }}>
        <Box
          component="a"
          href={`#${call.id}`}
          sx={{
            color: 'inherit',
            textDecoration: 'none',
            '&:hover': { textDecoration: 'underline', textUnderlineOffset: 3 },
          }}
        >
          {call.summary}
        </Box>
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5, mt: 1 }}>
        <MethodPill method={call.method} />
        <Box component="code" sx={{ fontFamily: mono, fontSize: 13, overflowWrap: 'anywhere' }}>
          {call.path}
        </Box>
      </Box>
      <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
        {call.whoMay}
      </Typography>
      <Box ref={ref} sx={isNear ? {} : { minHeight: aboutHeight }}>
        {isNear && <CallBody call={call} />}
      </Box>
    </Box>
  );
});

function CallBody({ call }: { call: ReferenceCall }) {
  return (
    <Box
      sx={{
        mt: 2.5,
        display: 'grid',
        gap: 3,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 420px)' },
      }}
    >
      <Box sx={{ display: 'grid', gap: 2.5, alignContent: 'start', minWidth: 0 }}>
        {call.parameters.length > 0 && <Parameters parameters={call.parameters} />}
        {call.body && (
          <Part title="Body">
            <SchemaTree schema={call.body} />
          </Part>
        )}
        {call.fileBody && <Part title="Body">{call.fileBody}</Part>}
        {call.reply && (
          <Part title="Reply">
            <SchemaTree schema={call.reply} />
          </Part>
        )}
        <Errors refusals={call.refusals} />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start', minWidth: 0 }}>
        {call.isForKeys && <CodeExamples call={call} />}
        {call.body && <Example label="Example body" text={json(exampleOf(call.body))} />}
        {call.reply && <Example label="Example reply" text={json(exampleOf(call.reply))} />}
      </Box>
    </Box>
  );
}

/** Loaded when somebody wants to try a call. */
const TryIt = lazy(() => import('./try-it.tsx').then(({ TryIt: component }) => ({ default: component })));

function CodeExamples({ call }: { call: ReferenceCall }) {
  const [language, setLanguage] = useState<'curl' | 'TypeScript'>('curl');
  const [isTrying, setTrying] = useState(false);
  const origin = globalThis.location.origin;
  const text = language === 'curl' ? curlOf(call, origin) : typescriptOf(call, origin);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ width: 200 }}>
          <Segmented
            label={`Language of the example for ${call.id}`}
            value={language}
            parts={[
              { value: 'curl', words: 'curl' },
              { value: 'TypeScript', words: 'TypeScript' },
            ]}
            onChange={setLanguage}
          />
        </Box>
        <Box sx={{ flex: 1 }} />
        <Button size="small" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
          Try it
        </Button>
      </Box>
      {isTrying && (
        <Suspense>
          <TryIt call={call} />
        </Suspense>
      )}
      <Example label={language} text={text} />
    </>
  );
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 600, mb: 0.5 }}>
        {title}
      </Typography>
      {children}
    </div>
  );
}

const places = { path: 'in the path', query: 'in the query', header: 'as a header' } as const;

function Parameters({ parameters }: { parameters: Parameter[] }) {
  return (
    <Part title="Parameters">
      <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
        {parameters.map(({ name, in: place, required, description, schema }) => {
          const { kind, notes } = shapeOf(schema);
          return (
            <Box
              component="li"
              key={`${place} ${name}`}
              sx={{ py: '5px', typography: 'body2', color: 'text.secondary' }}
            >
              <Box component="span" sx={{ fontFamily: mono, fontWeight: 550, color: 'text.primary', mr: 1 }}>
                {name}
              </Box>
              {kind} {places[place]}
              {notes.length > 0 && `, ${notes.join(', ')}`}
              {!required && (
                <Box component="span" sx={{ color: 'ink.three' }}>
                  {' '}
                  · optional
                </Box>
              )}
              {description && <Box sx={{ color: 'ink.three' }}>{description}</Box>}
            </Box>
          );
        })}
      </Box>
    </Part>
  );
}

function Errors({ refusals }: { refusals: ReferenceCall['refusals'] }) {
  return (
    <Part title="Errors">
      <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
        {refusals.map(({ status, code, message }) => (
          <Box
            component="li"
            key={`${status} ${code}`}
            sx={{
              display: 'grid',
              gridTemplateColumns: '84px minmax(0, 1fr)',
              columnGap: 1,
              py: '4px',
              typography: 'body2',
            }}
          >
            <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', fontWeight: 550 }}>
              {status}
              {code !== status && (
                <Box component="span" sx={{ color: 'ink.three', fontWeight: 400 }}>
                  {' '}
                  · {code}
                </Box>
              )}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {message}
            </Box>
          </Box>
        ))}
      </Box>
    </Part>
  );
}
