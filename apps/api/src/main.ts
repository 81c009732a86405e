import { ConfigError, DomainError } from '@innkeeper/domain';
import { loadConfig } from './config.ts';
import { startControlPlane } from './control-plane.ts';
import { createLogger } from './logger.ts';

/** The process `innkeeper-api`: starts one instance, and stops it on a signal. */
async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const controlPlane = await startControlPlane(config, logger);
  const { http, grpc } = controlPlane;
  logger.info({ http, grpc, metrics: config.metrics }, 'innkeeper-api is up');

  const stop = async (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'stopping');
    await controlPlane.stop();
    logger.info('stopped');
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.on('SIGHUP', () => {
    try {
      controlPlane.reloadTls();
      logger.info('the HTTPS certificate was reloaded');
    } catch (error) {
      logger.error(
        { err: error },
        'the HTTPS certificate could not be reloaded; the current one stays in use',
      );
    }
  });
  // The message of the runtime would print every property of the error. The service manager restarts the process.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an unexpected error ended the process');
    process.exit(1);
  });
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof DomainError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
