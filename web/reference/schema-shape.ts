import { locale } from '../ui/locale.ts';
import type { Schema } from './openapi.ts';

/** A schema as it is shown: alternatives that say the same are one, "or nothing" is a flag, parts are joined. */
export interface Shape {
  /** "text", "whole number", "list of", "date and time" … */
  kind: string;
  /** Limits and defaults in words. */
  notes: string[];
  isNullable: boolean;
  fields: { name: string; isRequired: boolean; schema: Schema }[];
  /** Of a list. */
  items: Schema | undefined;
  /** Schemas to choose from, if it may be one of several different things. */
  choices: Schema[];
}

const formats: Record<string, string> = {
  'date-time': 'date and time',
  date: 'date',
  email: 'email address',
  uri: 'address',
};
const kinds: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'nothing',
};

const many: Record<string, string> = {
  object: 'objects',
  text: 'texts',
  number: 'numbers',
  'whole number': 'whole numbers',
};

export function shapeOf(schema: Schema): Shape {
  const joined = joinParts(schema);
  const all = joined.anyOf ?? joined.oneOf;
  // An alternative that says nothing (a Date before it becomes text) is none.
  const telling = all?.filter((one) => one.type !== 'null' && Object.keys(one).length > 0) ?? [];
  const alternatives = distinct(telling);
  const isNullable = all?.some(({ type }) => type === 'null') ?? false;
  const only = alternatives[0];
  if (only && alternatives.length === 1)
    return { ...shapeOf(only), isNullable: isNullable || shapeOf(only).isNullable };
  return {
    kind: kindOf(joined, alternatives),
    notes: notesOf(joined),
    isNullable,
    fields: Object.entries(joined.properties ?? {}).map(([name, property]) => ({
      name,
      isRequired: joined.required?.includes(name) ?? false,
      schema: property,
    })),
    items: joined.items,
    choices: alternatives,
  };
}

/** allOf means all at once: one object with the fields of each. */
function joinParts(schema: Schema): Schema {
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map(joinParts);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

function distinct(schemas: Schema[]): Schema[] {
  const seen = new Map(
    schemas.map((schema) => [
      `${schema.type} ${schema.format} ${JSON.stringify(schema.enum ?? schema.const ?? schema.properties)}`,
      schema,
    ]),
  );
  return [...seen.values()];
}

function kindOf(schema: Schema, alternatives: Schema[]): string {
  if (alternatives.length > 1)
    return alternatives
      .map((one) => shapeOf(one).kind)
      .filter(unlike)
      .join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.items) {
    const { kind } = shapeOf(schema.items);
    return `list of ${many[kind] ?? kind}`;
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  return formats[schema.format ?? ''] ?? kinds[type ?? ''] ?? 'anything';
}

function unlike(kind: string, index: number, all: string[]): boolean {
  return all.indexOf(kind) === index;
}

function notesOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, maxItems } = schema;
  const notes: string[] = [];
  const number = new Intl.NumberFormat(locale);
  if (minLength !== undefined && minLength > 1) notes.push(`at least ${minLength} characters`);
  else if (minLength === 1) notes.push('not empty');
  if (maxLength !== undefined) notes.push(`at most ${number.format(maxLength)} characters`);
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  // The bounds of what a number can hold exactly are no news to anybody.
  if (least !== undefined && least > Number.MIN_SAFE_INTEGER) notes.push(`${number.format(least)} or more`);
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    notes.push(`at most ${number.format(maximum)}`);
  if (maxItems !== undefined) notes.push(`at most ${number.format(maxItems)} items`);
  if (schema.default !== undefined) notes.push(`default ${JSON.stringify(schema.default)}`);
  return notes;
}
