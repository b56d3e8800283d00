import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './text-to-speech.cases.ts';
import { textToSpeechForm, textToSpeechLength } from './text-to-speech.ts';

testRuleTable(cases.speechLengths, textToSpeechLength);
testRuleTable(cases.speechTexts, (Text) => fieldErrors(textToSpeechForm, { Text }));
