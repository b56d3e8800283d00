import { startSandbox } from './app.ts';
import { ConfigError, parseConfig } from './config.ts';

try {
  const sandbox = await startSandbox(parseConfig(process.env));
  const smpp = sandbox.smppPort === undefined ? '' : `, SMPP on port ${sandbox.smppPort}`;
  console.log(`sandbox ready on ${sandbox.url} (mail on port ${sandbox.mailPort}${smpp})`);
  const stop = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    void sandbox.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}
