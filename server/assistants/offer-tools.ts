import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasScope, type Scope } from '../../contract/scopes.ts';
import type { App } from '../serve.ts';
import { type CallAs, CallRefused, callAs } from './call-as.ts';
import { prepareBroadcast, readPreflight } from './prepare-broadcast.ts';

interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  /** A key without these scopes isn't offered the tool. */
  needs: readonly Scope[];
  input: Input;
  isReadOnly: boolean;
  run: (call: CallAs, input: z.output<Input>) => Promise<Record<string, unknown>>;
}

const tool = <Input extends z.ZodObject>(definition: Tool<Input>): Tool => definition as unknown as Tool;

const words = z.string().max(200).default('').describe('Words to look for; empty lists all');
const some = z.number().int().min(1).max(50).default(20).describe('How many to list');
const idOf = (what: string) => z.number().int().positive().describe(what);

const tools: readonly Tool[] = [
  tool({
    name: 'find_contacts',
    title: 'Find contacts',
    description:
      'Finds contacts by any part of a name, phone, note or custom field, in everybody or in one group.',
    needs: ['contacts:read'],
    isReadOnly: true,
    input: z.object({
      query: words,
      group_id: z.number().int().default(0).describe('A group of list_groups; 0 is everybody'),
      limit: some,
    }),
    run: async (call, { query, group_id, limit }) => {
      const { Items, Size } = await call('GET', `/lists/${group_id}/contacts`, { q: query, pagesize: limit });
      const contacts = (Items as Record<string, unknown>[]).map(
        ({ PersonID, FirstName, LastName, PrimaryPhone }) => ({
          contact_id: PersonID,
          name: `${FirstName} ${LastName}`.trim(),
          phone: PrimaryPhone,
        }),
      );
      return { contacts, total: Size };
    },
  }),
  tool({
    name: 'list_groups',
    title: 'List groups',
    description: 'Lists the groups and segments of contacts, with how many people are in each.',
    needs: ['contacts:read'],
    isReadOnly: true,
    input: z.object({ query: words }),
    run: async (call, { query }) => {
      const { Items } = await call('GET', '/lists', { q: query });
      const groups = (Items as Record<string, unknown>[])
        .filter(({ ListID }) => Number(ListID) >= 0)
        .map(({ ListID, ListName, RosterCount }) => ({
          group_id: ListID,
          name: ListName,
          people: RosterCount,
        }));
      return { groups };
    },
  }),
  tool({
    name: 'list_text_numbers',
    title: 'List text numbers',
    description: 'Lists the text numbers that a broadcast can be sent from.',
    needs: ['numbers:read'],
    isReadOnly: true,
    input: z.object({}),
    run: async (call) => {
      const { Items } = await call('GET', '/textnumbers');
      const numbers = (Items as Record<string, unknown>[]).map(
        ({ TextNumberID, Name, TextPhoneNumber, IsDefault }) => ({
          text_number_id: TextNumberID,
          name: Name,
          phone: TextPhoneNumber,
          is_default: IsDefault,
        }),
      );
      return { text_numbers: numbers };
    },
  }),
  tool({
    name: 'list_saved_texts',
    title: 'List saved texts',
    description: 'Lists the saved texts of the message library, to begin a broadcast with.',
    needs: ['library:read'],
    isReadOnly: true,
    input: z.object({ query: words, limit: some }),
    run: async (call, { query, limit }) => {
      const { Items } = await call('GET', '/templates', { q: query, pagesize: limit });
      const texts = (Items as Record<string, unknown>[]).map(
        ({ TemplateID, TemplateName, TemplateText }) => ({
          saved_text_id: TemplateID,
          name: TemplateName,
          text: TemplateText,
        }),
      );
      return { saved_texts: texts };
    },
  }),
  tool({
    name: 'prepare_broadcast',
    title: 'Prepare a broadcast',
    description:
      'Makes a draft of a text broadcast and says who gets it, who is left out and why, when, and what it costs. It does not send: give the person the link, where they check the draft and press Send.',
    needs: ['broadcasts:write'],
    isReadOnly: false,
    input: z
      .object({
        name: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .describe('What the broadcast is called; recipients don’t see it'),
        message: z.string().min(1).max(1600).describe('The text, as people get it'),
        group_ids: z.array(z.number().int().min(0)).max(50).default([]).describe('Groups of list_groups'),
        contact_ids: z.array(idOf('A contact')).max(1000).default([]).describe('Contacts of find_contacts'),
        text_number_id: idOf('The number that it is sent from; without it the default').optional(),
        start: z
          .string()
          .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/)
          .optional()
          .describe(
            'When, on the user’s own clock, such as 2026-11-15T17:00; without it, when the person presses Send',
          ),
      })
      .strict(),
    run: prepareBroadcast,
  }),
  tool({
    name: 'preview_broadcast',
    title: 'Preview a draft',
    description:
      'Says of a draft who gets it, who is left out and why, when, what it costs, and what keeps it from being sent.',
    needs: ['broadcasts:read'],
    isReadOnly: true,
    input: z.object({ draft_id: idOf('A draft of prepare_broadcast') }),
    run: (call, { draft_id }) => readPreflight(call, draft_id),
  }),
  tool({
    name: 'list_broadcasts',
    title: 'List broadcasts',
    description: 'Lists broadcasts that were sent or scheduled, newest first, with how many they reached.',
    needs: ['broadcasts:read'],
    isReadOnly: true,
    input: z.object({ query: words, limit: some }),
    run: async (call, { query, limit }) => {
      const { Items } = await call('GET', '/broadcasts', { q: query, pagesize: limit });
      return { broadcasts: (Items as Record<string, unknown>[]).map(resultsOf) };
    },
  }),
  tool({
    name: 'get_broadcast_results',
    title: 'Read the results of a broadcast',
    description: 'Says how a broadcast went: delivered, failed, replied, opted out, still waiting.',
    needs: ['broadcasts:read'],
    isReadOnly: true,
    input: z.object({ broadcast_id: idOf('A broadcast of list_broadcasts') }),
    run: async (call, { broadcast_id }) => {
      const broadcast = await call('GET', `/broadcasts/${broadcast_id}`);
      return {
        ...resultsOf(broadcast),
        message: broadcast.TextMessage,
        credits: broadcast.Credits,
        link: `${call.publicUrl}/broadcast-details/${broadcast_id}`,
      };
    },
  }),
];

function resultsOf(broadcast: Record<string, unknown>) {
  return {
    broadcast_id: broadcast.BroadcastID,
    name: broadcast.BroadcastName,
    status: broadcast.BroadcastStatus,
    starts: broadcast.StartDate,
    recipients: broadcast.PhoneNumberCount,
    left_out: broadcast.LeftOutCount,
    delivered: broadcast.DeliveredTexts,
    failed: broadcast.FailedTextTotal,
    waiting: broadcast.WaitingTotal,
    replied: broadcast.RepliedTotal,
    opted_out: broadcast.TextOptedOut,
  };
}

/** The tools that a key's scopes allow. Each answers with its result or with the refusal message. */
export function offerTools(
  server: McpServer,
  { app, request, scopes }: { app: App; request: FastifyRequest; scopes: readonly string[] },
): void {
  const call = callAs(app, request);
  for (const { name, title, description, needs, input, isReadOnly, run } of tools) {
    if (!needs.every((scope) => hasScope(scopes, scope))) continue;
    server.registerTool(
      name,
      {
        ...{ title, description, inputSchema: input },
        annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
      },
      async (given: Record<string, unknown>): Promise<CallToolResult> => {
        try {
          const found = await run(call, given as never);
          return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
        } catch (error) {
          if (!(error instanceof CallRefused)) throw error;
          return { content: [{ type: 'text', text: error.message }], isError: true };
        }
      },
    );
  }
}
