/** As much of OpenAPI 3.1 and JSON Schema as the description of our own calls uses. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: boolean | Schema;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  'application/json'?: { schema: Schema };
  'application/octet-stream'?: object;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  'x-allow'?: string;
  /** The scope that an API key needs for it; absent if no key can make the call. */
  'x-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string }[];
  paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>>;
  components?: { schemas?: Record<string, Schema> };
}
