import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Schema } from './openapi.ts';
import { shapeOf } from './schema-shape.ts';

/** A schema as rows that open: name, kind, limits. */
export function SchemaTree({ schema, depth = 0 }: { schema: Schema; depth?: number }) {
  const shape = shapeOf(schema);
  if (shape.items) return <SchemaTree schema={shape.items} depth={depth} />;
  if (shape.fields.length === 0 && shape.choices.length < 2) {
    return (
      <Box sx={{ color: 'text.secondary', py: 0.75 }}>
        {shape.kind === 'object' ? 'An empty object.' : shape.kind}
      </Box>
    );
  }
  return (
    <Box
      component="ul"
      sx={{
        listStyle: 'none',
        p: 0,
        ...(depth > 0 ? { pl: '19px', ml: '7px', borderLeft: '1px solid', borderColor: 'line.hair' } : {}),
      }}
    >
      {shape.fields.map(({ name, schema: field, isRequired }) => (
        <FieldRow key={name} name={name} schema={field} isRequired={isRequired} depth={depth} />
      ))}
      {shape.choices.map((choice, index) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no name and never move
          key={index}
          name={`Option ${index + 1}`}
          schema={choice}
          isRequired
          depth={depth}
        />
      ))}
    </Box>
  );
}

function FieldRow({
  name,
  schema,
  isRequired,
  depth,
}: {
  name: string;
  schema: Schema;
  isRequired: boolean;
  depth: number;
}) {
  const shape = shapeOf(schema);
  const inner = shape.items ? shapeOf(shape.items) : shape;
  const canOpen =
    inner.fields.length > 0 || inner.choices.some((choice) => shapeOf(choice).fields.length > 0);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const words = [shape.kind, ...(shape.isNullable ? ['or null'] : [])].join(' ');
  const title = (
    <Box component="span" sx={{ fontFamily: mono, fontSize: 13, fontWeight: 550, color: 'text.primary' }}>
      {name}
    </Box>
  );
  return (
    <Box component="li" sx={{ py: '3px' }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 1,
          typography: 'body2',
          color: 'text.secondary',
        }}
      >
        {canOpen ? (
          <ButtonBase
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            sx={{
              borderRadius: '5px',
              minHeight: 24,
              gap: '2px',
              ml: '-2px',
              pr: '4px',
              '&:hover': { bgcolor: 'surface.hover' },
            }}
          >
            <Box
              component={ChevronRight}
              size={14}
              strokeWidth={2}
              aria-hidden
              sx={{
                color: 'ink.three',
                transition: 'transform 120ms',
                transform: isOpen ? 'rotate(90deg)' : 'none',
              }}
            />
            {title}
          </ButtonBase>
        ) : (
          <Box
            component="span"
            sx={{ pl: '14px', minHeight: 24, display: 'inline-flex', alignItems: 'center' }}
          >
            {title}
          </Box>
        )}
        <span>{words}</span>
        {shape.notes.length > 0 && (
          <Box component="span" sx={{ color: 'ink.three' }}>
            {shape.notes.join(', ')}
          </Box>
        )}
        {!isRequired && (
          <Box component="span" sx={{ color: 'ink.three' }}>
            optional
          </Box>
        )}
      </Box>
      <div id={id}>{isOpen && <SchemaTree schema={schema} depth={depth + 1} />}</div>
    </Box>
  );
}

export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";
