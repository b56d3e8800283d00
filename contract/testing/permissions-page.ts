import { everyCall } from '../calls.ts';
import { type CapabilityName, capabilities, capabilityGroups, deniedFeature } from '../permissions.ts';

/** Writes docs/permissions.md from the table that the server enforces and the calls that name its rows. */
export function permissionsPage(): string {
  const callsOf = Map.groupBy(everyCall, ({ call }) => call.allow);
  const sections = Object.entries(capabilityGroups).map(([title, group]) => {
    const rows = Object.keys(group).map((name) => row(name as CapabilityName, callsOf));
    return [`## ${title}`, [...head, ...rows].join('\n')].join('\n\n');
  });
  const open = (callsOf.get('public') ?? []).map(({ call }) => `\`${call.method} ${call.path}\``);
  return `${[introduction, ...sections, `## Before sign-in\n\n${open.join(' · ')}`].join('\n\n')}\n`;
}

const introduction = `# Who may do what

Every capability, who has it, what else it needs, and the calls that it opens. The server refuses whoever lacks it with
403 and its sentence, and pages don't show what it opens. Where no sentence is given:

> ${deniedFeature}

This page is written from the table in \`contract/permissions.ts\`; change that and run \`npm run generate\`. Why it is
so: [decision 0035](decisions/0035-who-may-do-what.md). What a person sees of contacts, broadcasts and conversations is
narrower still: \`server/access/queries.ts\`.

The owner of an account has \`CanSeeAllBroadcasts\`, \`CanSeeAllRoster\`, \`CanSeeGroupAudio\` and \`CanCreateBroadcast\`
without being given them. A user who is switched off may do nothing.`;

const head = [
  '| capability | opens | owner | admin | user | needs | calls |',
  '|---|---|---|---|---|---|---|',
];

function row(name: CapabilityName, callsOf: Map<string, typeof everyCall>): string {
  const { about, roles, trialOwnerOnly, needs = [], feature, denial } = capabilities[name];
  const holds = (['owner', 'admin', 'user'] as const).map((role) => (roles.includes(role) ? 'yes' : '–'));
  const also = [
    ...needs,
    ...(feature === undefined ? [] : [`the feature \`${feature}\``]),
    ...(trialOwnerOnly ? ['in a free trial: the owner'] : []),
  ];
  const calls = (callsOf.get(name) ?? []).map(({ call }) => `\`${call.method} ${call.path}\``);
  const opens = denial === undefined ? about : `${about}. “${denial}”`;
  return `| ${[`\`${name}\``, opens, ...holds, also.join('; '), calls.join(' ')].join(' | ')} |`;
}
