import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './asynchronous-checks.cases.ts';
import {
  broadcastLookupMessage,
  launchIdMessage,
  phoneLookupMessage,
  validationMessage,
} from './asynchronous-checks.ts';

const reachable = { OptedIn: true, OptedOut: false, IsTextable: true, IsValid: true, DoNotCall: false };

testRuleTable(cases.phoneLookups, ({ channel, requireOptIn = false, countryId = 1, ...change }) =>
  phoneLookupMessage({ ...reachable, ...change }, { channel, countryId, requireOptIn }),
);
testRuleTable(cases.broadcastLookups, ({ type, requireOptIn = false, countryId = 1, ...change }) =>
  broadcastLookupMessage({ ...reachable, ...change }, { type, countryId, requireOptIn }),
);
testRuleTable(cases.launchIds, launchIdMessage);
testRuleTable(cases.validations, ([what, reply]) => validationMessage(what, reply));
