import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { createFileStore, type FileStore } from '../files.ts';
import type { S3Settings } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';

/** The bucket in the settings; undefined if files are in the data folder. */
export function bucketSettings(
  config: Pick<
    Config,
    'S3_URL' | 'S3_BUCKET' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_REGION' | 'S3_PATH_STYLE' | 'S3_PREFIX'
  >,
): S3Settings | undefined {
  const { S3_URL, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = config;
  if (!S3_URL || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) return undefined;
  return {
    baseUrl: S3_URL,
    bucket: S3_BUCKET,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    region: config.S3_REGION,
    isPathStyle: config.S3_PATH_STYLE,
    prefix: config.S3_PREFIX,
  };
}

/** Opens the place where files are stored: a bucket if it is configured, otherwise the data folder. */
export function openFiles(config: Config): FileStore {
  const settings = bucketSettings(config);
  const dataDir = resolve(config.DATA_DIR);
  return settings === undefined ? createFileStore(join(dataDir, 'media')) : createS3Files(settings, dataDir);
}
