import type { Schema } from './openapi.ts';
import { shapeOf } from './schema-shape.ts';

/** Plausible values by field name, so that examples look real. */
const believable: Record<string, unknown> = {
  FirstName: 'Renee',
  LastName: 'Castellano',
  Name: 'Main office',
  CompanyName: 'Harlow Creek Schools',
  UserName: 'dana.whitfield',
  Email: 'dana@hcsd.example',
  Issuer: 'https://login.hcsd.example',
  Domains: 'hcsd.example',
  ClientID: 'muster',
  Url: 'https://hcsd.example/muster',
  Password: 'a-long-one-1',
  NewPassword: 'a-longer-one-2',
  Message: 'Yes, Route 14 too. It leaves school at 1:40.',
  TagName: 'Bus 14',
  Note: 'Called back on Tuesday.',
  TemplateName: 'Late bus',
  PhoneNumber: '4235550143',
  PrimaryPhone: '4235550143',
  SecondaryPhone: '',
  TertiaryPhone: '',
  TextPhoneNumber: '4235550100',
  Phone: '4235550100',
  Status: 'delivered',
  TimeZone: 'America/New_York',
  Device: 'Firefox on Linux',
  Address: '203.0.113.7',
  contentType: 'image/jpeg',
  fileName: 'form.jpg',
  FileName: 'form.jpg',
  Key: '6f1c2b7e-2d9a-4c58-9c1e-0a4b7d3e5f60',
  Next: null,
};

/** An example that fits the schema. Deep enough for ours, and never endless. */
export function exampleOf(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  const shape = shapeOf(schema);
  if (name in believable && (shape.kind === 'text' || shape.kind === 'email address'))
    return believable[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (shape.items) {
    const example = exampleOf(shape.items, name, depth + 1);
    return depth > 6 ? [] : Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => example);
  }
  if (shape.fields.length > 0) {
    return Object.fromEntries(
      shape.fields.map((field) => [field.name, exampleOf(field.schema, field.name, depth + 1)]),
    );
  }
  const choice = shape.choices[0];
  if (choice) return exampleOf(choice, name, depth + 1);
  // A nullable value is described by its other type.
  return plainExample(shape.kind, name, schema.anyOf?.find(({ type }) => type !== 'null') ?? schema);
}

function plainExample(kind: string, name: string, schema: Schema): unknown {
  if (kind.startsWith('"')) return JSON.parse(kind.split(' or ')[0] ?? '""');
  switch (kind) {
    case 'date and time':
      return '2026-03-10T14:41:00.000Z';
    case 'date':
      return '2026-03-10';
    case 'email address':
      return 'dana@hcsd.example';
    case 'address':
      return 'https://hcsd.example/photos';
    case 'true or false':
      return false;
    case 'whole number':
    case 'number':
      return Math.min(Math.max(/I[Dd]$/.test(name) ? 42 : 1, schema.minimum ?? 1), schema.maximum ?? 42);
    case 'text':
      return schema.minLength === undefined ? '' : 'text'.padEnd(schema.minLength, '.');
    case 'object':
      return {};
    default:
      return null;
  }
}
