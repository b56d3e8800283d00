export { say } from '../../contract/say.ts';
