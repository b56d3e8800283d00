import { testRuleTable } from '../testing/test-rule-table.ts';
import { organizationPrefixes } from './organization-prefix.cases.ts';
import { organizationPrefix } from './organization-prefix.ts';

testRuleTable(organizationPrefixes, ({ isOn, senderName, companyName, text }) =>
  organizationPrefix(
    { Profile: { PrependOrganizationToText: isOn }, SenderName: senderName, CompanyName: companyName },
    text,
  ),
);
