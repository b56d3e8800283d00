import { createHash } from 'node:crypto';
import type { Integration } from '../../contract/integrations.ts';
import type { Config } from '../config.ts';
import type { Tokens } from '../outside/source-oauth.ts';

/** The catalog. Numbers are stored in the database: a new integration gets the next one. */
export const integrationIds = { carddav: 1, ldap: 2, sheet: 3, google: 4, microsoft: 5, sso: 6 } as const;
export type IntegrationKind = keyof typeof integrationIds;

type Field = Integration['LoginInstructions']['Data']['Model'][number];

export interface CatalogEntry {
  kind: IntegrationKind;
  name: string;
  description: string;
  hasGroupTypes: boolean;
  /** Window where users sign in instead of filling in a form. */
  signsInElsewhere?: 'new window' | 'same window';
  model: readonly Omit<Field, 'Value'>[];
  /** True if the operator has configured it. */
  isOffered: (config: Config) => boolean;
}

const always = () => true;
const password = { Name: 'Password', Label: 'Password', IsSecret: true, Example: '' };

export const catalog: readonly CatalogEntry[] = [
  {
    kind: 'google',
    name: 'Google Contacts',
    description: 'Contacts and labels of a Google account',
    hasGroupTypes: false,
    signsInElsewhere: 'new window',
    model: [],
    isOffered: ({ GOOGLE_CONTACTS_CLIENT_ID }) => GOOGLE_CONTACTS_CLIENT_ID !== undefined,
  },
  {
    kind: 'microsoft',
    name: 'Outlook contacts',
    description: 'Contacts, folders and categories of a Microsoft account',
    hasGroupTypes: true,
    signsInElsewhere: 'same window',
    model: [],
    isOffered: ({ MICROSOFT_CLIENT_ID }) => MICROSOFT_CLIENT_ID !== undefined,
  },
  {
    kind: 'carddav',
    name: 'CardDAV address book',
    description: 'Address books of Nextcloud, iCloud, Fastmail and other servers',
    hasGroupTypes: true,
    model: [
      {
        Name: 'ServerUrl',
        Label: 'Server address',
        IsSecret: false,
        Example: 'https://contacts.example.org',
      },
      { Name: 'UserName', Label: 'User name', IsSecret: false, Example: '' },
      password,
    ],
    isOffered: always,
  },
  {
    kind: 'ldap',
    name: 'LDAP directory',
    description: 'People and groups of OpenLDAP, Active Directory and other directories',
    hasGroupTypes: true,
    model: [
      {
        Name: 'ServerUrl',
        Label: 'Server address',
        IsSecret: false,
        Example: 'ldaps://directory.example.org',
      },
      { Name: 'BaseDN', Label: 'Search base', IsSecret: false, Example: 'dc=example,dc=org' },
      { Name: 'UserName', Label: 'User name', IsSecret: false, Example: 'cn=muster,dc=example,dc=org' },
      password,
    ],
    isOffered: always,
  },
  {
    kind: 'sheet',
    name: 'Published sheet',
    description: 'A spreadsheet that is published on the web as CSV, such as a Google Sheet',
    hasGroupTypes: false,
    model: [
      {
        ...{ Name: 'SheetUrl', Label: 'Address of the sheet', IsSecret: false },
        Example: 'https://docs.google.com/spreadsheets/d/e/…/pub?output=csv',
      },
    ],
    isOffered: always,
  },
  {
    kind: 'sso',
    name: 'Single sign-on',
    description: 'People sign in to Muster with your organization’s directory',
    hasGroupTypes: false,
    model: [],
    isOffered: always,
  },
];

export function findEntry(integrationId: number): CatalogEntry | undefined {
  return catalog.find(({ kind }) => integrationIds[kind] === integrationId);
}

/** If the sandbox simulates them, the forms are prefilled. */
export function playedValue(
  { INTEGRATIONS_PLAYED_AT: at }: Config,
  kind: IntegrationKind,
  field: string,
): string {
  if (at === undefined) return '';
  const played: Partial<Record<IntegrationKind, Record<string, string>>> = {
    carddav: { ServerUrl: `${at}/carddav/`, UserName: 'office', Password: 'harlow-creek' },
    ldap: {
      ...{ ServerUrl: `ldap://${new URL(at).host}`, BaseDN: 'dc=harlowcreek,dc=example' },
      ...{ UserName: 'cn=muster,dc=harlowcreek,dc=example', Password: 'harlow-creek' },
    },
    sheet: { SheetUrl: `${at}/sheet.csv` },
  };
  return played[kind]?.[field] ?? '';
}

/** The encrypted data: the fields of the form, or tokens. */
export type Credentials = { fields: Record<string, string> } | { tokens: Tokens };

export function secretPlace(accountId: number, integrationId: number): string {
  return `integration:${accountId}:${integrationId}`;
}

/**
 * Keys of other systems are long and contain anything: pages identify groups and people by a hash of them.
 */
export function foreignIdOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/** Fewer than this may be removed without a question, unless it is everybody. */
const fewLeavers = 5;

/**
 * True if a user is asked before a sync removes this many: everybody, or more than half. A system under repair, or an
 * account that lost its permission, looks like one that everybody has left.
 */
export function isTooManyLeaving(leaving: number, people: number): boolean {
  if (leaving === 0) return false;
  return leaving >= people || (leaving >= fewLeavers && leaving * 2 > people);
}

export const daily = '1 day';
/** After a failure it is tried again this soon. */
export const retry = '1 hour';
export const leaseSeconds = 60;
/** Days that the changes of a sync are kept. */
export const keptDays = 30;
/** People per transaction: one or two seconds. */
export const sliceRows = 20_000;
