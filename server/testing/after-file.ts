import { afterAll } from 'vitest';
import { closeAll } from './closers.ts';

// Runs for each test file: files share the modules that they load, and a module's own hooks would belong to
// the first.
afterAll(closeAll);
