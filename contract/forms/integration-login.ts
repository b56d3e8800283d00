import { z } from 'zod';
import { required } from '../fields/basic-rules.ts';
import { textField } from '../fields/form.ts';

/** One field of an integration's login (LoginInstructions.Data.Model). */
export interface IntegrationLoginField {
  Name: string;
  /** The label above it; where there is none, the name spelled out. */
  Label?: string;
}

/** A model comes from another company's description, so its size is bounded here. */
const maxFields = 30;

/** "ApiKey" → "Api Key", "site_url" → "site url". */
function labelOf({ Name, Label }: IntegrationLoginField): string {
  return Label ?? Name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}

/** Integration login model fields are all required. */
export function integrationLoginForm(model: readonly IntegrationLoginField[]) {
  return z.object(
    Object.fromEntries(
      model.slice(0, maxFields).map((field) => [field.Name, textField(required(labelOf(field)))] as const),
    ),
  );
}
