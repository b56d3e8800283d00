import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { listId } from './contacts.ts';
import { composeMessages } from './forms/compose-text.ts';
import { nextList, undone } from './list.ts';
import { contactPreviewRows } from './reference/paging.ts';

export const importLimits = {
  fileBytes: 256 * 1024 * 1024,
  rows: 2_000_000,
  columns: 200,
  /** A file with longer cells or rows isn't a list of contacts. */
  rowBytes: 256 * 1024,
  tabs: 50,
  groupNames: 500,
  previewRows: contactPreviewRows,
  mendedRows: 200,
} as const;

/** A column of the file, from 1; null when the file has none for it. */
const column = z.number().int().min(1).max(importLimits.columns).nullable().default(null);

/** The columns of the fields. A phone may be split into two columns: its area code and the rest. */
export const fileColumns = z.object({
  FirstName: column,
  LastName: column,
  Phone1: column,
  Phone2: column,
  Phone3: column,
  AreaCode1: column,
  AreaCode2: column,
  AreaCode3: column,
  Notes: column,
  /** Names of groups; several in a cell are divided by semicolons or bars. */
  Groups: column,
  /** Custom fields by name; one that doesn't exist yet is made. */
  CustomData: z
    .array(
      z.object({
        ColumnNumber: z.number().int().min(1).max(importLimits.columns),
        Name: z.string().trim().min(1).max(50),
      }),
    )
    .max(100)
    .default([]),
});
export type FileColumns = z.output<typeof fileColumns>;

const fileTab = fileColumns.extend({
  TabNumber: z.number().int(),
  TabName: z.string(),
  /** True if the first row holds headings, or the first one below a title. */
  HasHeader: z.boolean(),
  /** Rows above the headings, such as a title or a date. They aren't contacts. */
  TitleRows: z.number().int().default(0),
  /** Null when the file would have to be read to its end to know. */
  RowCount: z.number().int().nullable(),
  Columns: z.array(z.object({ ColumnNumber: z.number().int(), Header: z.string() })),
  /** The first rows of the file, the heading left out. */
  Rows: z.array(z.object({ RowNumber: z.number().int(), Cells: z.array(z.string()) })),
  /** The columns are assigned as in the last file of the same shape. */
  IsRemembered: z.boolean(),
});
export type FileTab = z.output<typeof fileTab>;

export const duplicateChoices = ['update', 'skip', 'add'] as const;

export const fileStages = [
  'mapping',
  'processing',
  'review',
  'importing',
  'imported',
  'undoing',
  'undone',
  'canceled',
  'failed',
] as const;
export type FileStage = (typeof fileStages)[number];

const fileSummary = z.object({
  RowCount: z.number().int(),
  /** Rows that will be imported: good as they are, or repaired. */
  GoodRecordCount: z.number().int(),
  RepairedCount: z.number().int(),
  /** Rows whose phone appears in an earlier row of the file. */
  DuplicateCount: z.number().int(),
  /** Rows whose phone is in the contacts already. */
  ExistingCount: z.number().int(),
  RejectedCount: z.number().int(),
  Reasons: z.array(z.object({ Problem: z.string(), Count: z.number().int() })),
  CreatedCount: z.number().int(),
  UpdatedCount: z.number().int(),
  SkippedCount: z.number().int(),
});
export type FileSummary = z.output<typeof fileSummary>;

export const fileUpload = z.object({
  FileID: z.number().int(),
  FileName: z.string(),
  FileSize: z.number().int(),
  /** Complete when the stage waits for a person or has ended. */
  Status: z.enum(['InProgress', 'Complete', 'Error']),
  Stage: z.enum(fileStages),
  ErrorMessage: z.string(),
  FileStructure: z.object({ Tabs: z.array(fileTab) }),
  Choice: z
    .object({
      TabNumber: z.number().int(),
      HasHeader: z.boolean(),
      Columns: fileColumns,
      Duplicates: z.enum(duplicateChoices),
    })
    .nullable(),
  /** Of processing, importing and undoing. */
  Progress: z.object({
    Done: z.number().int(),
    Total: z.number().int().nullable(),
    PerSecond: z.number().int(),
    SecondsLeft: z.number().int().nullable(),
  }),
  Summary: fileSummary.nullable(),
  ListID: z.number().int().nullable(),
  /** The groups that people join: those that the file names, and the one it is imported into. */
  Groups: z.array(
    z.object({
      /** Null before it is made. */
      ListID: z.number().int().nullable(),
      ListName: z.string(),
      /** Made by this import. */
      IsNew: z.boolean(),
    }),
  ),
  UserIndicatedConsentDeclared: z.boolean(),
  /** Undoes the whole import. */
  UndoID: z.number().int().nullable(),
  CreateTimestamp: moment,
});
export type FileUpload = z.output<typeof fileUpload>;

export const fileRowKinds = ['good', 'repaired', 'duplicate', 'existing', 'rejected'] as const;

const fileRow = z.object({
  RowNumber: z.number().int(),
  Kind: z.enum(fileRowKinds),
  FirstName: z.string(),
  LastName: z.string(),
  Notes: z.string(),
  PrimaryPhone: z.string(),
  SecondaryPhone: z.string(),
  TertiaryPhone: z.string(),
  Groups: z.array(z.string()),
  CustomData: z.record(z.string(), z.string()),
  /** Reason why it is left out, or the repair that was made. */
  Problem: z.string(),
  /** The earlier row that has the phone. */
  FirstRow: z.number().int().nullable(),
  /** The contact that has the phone. */
  PersonID: z.number().int().nullable(),
  /** The original cells of the file, where something was wrong with them. */
  Cells: z.array(z.string()),
});
export type FileRow = z.output<typeof fileRow>;

export const uploadFile = call({
  method: 'POST',
  path: '/fileuploads/:FileName',
  summary:
    'Uploads a spreadsheet (CSV or XLSX). Returns its tabs, headings, first rows and suggested columns.',
  allow: 'manageOwnContacts',
  event: 'file.uploaded',
  params: z.object({ FileName: z.string().min(1).max(200) }),
  uploadBytes: importLimits.fileBytes,
  isStreamed: true,
  reply: fileUpload,
  errors: ['tooLarge', 'refused'],
});

export const listFiles = call({
  method: 'GET',
  path: '/fileuploads',
  summary: 'Lists the user’s recent files, including imports in progress.',
  allow: 'manageOwnContacts',
  reply: z.object({ Items: z.array(fileUpload) }),
});

export const getFile = call({
  method: 'GET',
  path: '/fileuploads/:FileID',
  summary: 'Returns a file and its progress.',
  allow: 'manageOwnContacts',
  params: z.object({ FileID: id }),
  reply: fileUpload,
  errors: ['notFound'],
});

export const processFile = call({
  method: 'PUT',
  path: '/fileuploads/:FileID',
  summary:
    'Sets the columns, then reads and checks the whole file. If the columns haven’t changed, keeps the result and any fixed rows.',
  allow: 'manageOwnContacts',
  event: 'none',
  params: z.object({ FileID: id }),
  body: z.object({
    TabNumber: z.number().int().min(1),
    HasHeader: z.boolean(),
    Columns: fileColumns,
    Duplicates: z.enum(duplicateChoices).default('update'),
  }),
  reply: fileUpload,
  errors: ['notFound', 'refused', 'conflict'],
});

export const listFileRows = call({
  method: 'GET',
  path: '/fileuploads/:FileID/rows',
  summary: 'Lists the rows of a file as they were read, by kind.',
  allow: 'manageOwnContacts',
  params: z.object({ FileID: id }),
  query: z.object({
    kind: z.enum(fileRowKinds).optional(),
    pagesize: z.coerce.number().int().min(1).max(200).default(50),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(fileRow),
  errors: ['notFound', 'conflict'],
});

export const mendFileRows = call({
  method: 'PUT',
  path: '/fileuploads/:FileID/rows',
  summary: 'Corrects or leaves out rows. Returns the rows that still have a problem, with the reason.',
  allow: 'manageOwnContacts',
  event: 'none',
  params: z.object({ FileID: id }),
  body: z.object({
    Items: z
      .array(
        z.object({
          RowNumber: z.number().int().min(1).max(2_147_483_647),
          IsRemoved: z.boolean().default(false),
          FirstName: z.string().max(1000).default(''),
          LastName: z.string().max(1000).default(''),
          Notes: z.string().max(5000).default(''),
          PrimaryPhone: z.string().max(100).default(''),
          SecondaryPhone: z.string().max(100).default(''),
          TertiaryPhone: z.string().max(100).default(''),
        }),
      )
      .min(1)
      .max(importLimits.mendedRows),
  }),
  reply: z.object({ Items: z.array(fileRow), File: fileUpload }),
  errors: ['notFound', 'conflict'],
});

export const downloadRejectedRows = call({
  method: 'GET',
  path: '/fileuploads/:FileID/rejected.csv',
  summary: 'Downloads every row that was left out, as it was in the file, with the reason.',
  allow: 'manageOwnContacts',
  params: z.object({ FileID: id }),
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

export const importFile = call({
  method: 'POST',
  path: '/lists/:ListID/fileUploads',
  summary: 'Imports the rows of a file into a group or Everyone (0).',
  allow: 'manageOwnContacts',
  event: 'file.importStarted',
  takesIdempotencyKey: true,
  params: z.object({ ListID: listId }),
  body: z.object({ FileID: id, UserIndicatedConsentDeclared: z.boolean().default(false) }),
  reply: fileUpload,
  errors: ['notFound', 'refused', 'conflict', 'keyReused'],
});

export const cancelFile = call({
  method: 'DELETE',
  path: '/fileuploads/:FileID',
  summary: 'Cancels a file. Undoes an import in progress completely.',
  allow: 'manageOwnContacts',
  event: 'file.canceled',
  params: z.object({ FileID: id }),
  reply: fileUpload,
  errors: ['notFound', 'conflict'],
});

export const undoFile = call({
  method: 'POST',
  path: '/fileuploads/undo/:UndoID',
  summary: 'Undoes an import completely.',
  allow: 'manageOwnContacts',
  event: 'file.undoStarted',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});

/** Pasted contacts, as the page parsed them and the user corrected them. */
export const pasteContacts = call({
  method: 'POST',
  path: '/lists/:ListID/contacts/paste',
  summary: 'Adds pasted contacts to a group or Everyone (0). Existing contacts are only added to the group.',
  allow: 'manageOwnContacts',
  event: 'file.importStarted',
  takesIdempotencyKey: true,
  params: z.object({ ListID: listId }),
  body: z.object({
    Items: z
      .array(z.object({ Name: z.string().max(1000).default(''), PrimaryPhone: z.string().max(100) }))
      .min(1, composeMessages.noRecipient)
      .max(5000),
    UserIndicatedConsentDeclared: z.boolean().default(false),
  }),
  reply: z.object({
    CreatedCount: z.number().int(),
    ExistingCount: z.number().int(),
    /**
     * Rows whose phone is in the contacts already, each with the contact that has it. Positions count from 1.
     */
    Existing: z.array(
      z.object({
        Position: z.number().int(),
        PersonID: z.number().int(),
        FirstName: z.string(),
        LastName: z.string(),
      }),
    ),
    Invalid: z.array(z.object({ Position: z.number().int(), Message: z.string() })),
    UndoID: z.number().int().nullable(),
  }),
  errors: ['notFound', 'refused', 'keyReused'],
});
