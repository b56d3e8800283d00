import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { createFileStore, type FileStore } from '../files.ts';
import { createS3Files } from './s3-files.ts';

/** Where files are kept: in a bucket if its settings are there, otherwise in the data folder. */
export function openFiles(config: Config): FileStore {
  const { S3_URL, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = config;
  if (S3_URL && S3_BUCKET && S3_ACCESS_KEY && S3_SECRET_KEY) {
    return createS3Files({
      baseUrl: S3_URL,
      bucket: S3_BUCKET,
      accessKey: S3_ACCESS_KEY,
      secretKey: S3_SECRET_KEY,
      region: config.S3_REGION,
      isPathStyle: config.S3_PATH_STYLE,
      prefix: config.S3_PREFIX,
    });
  }
  return createFileStore(join(resolve(config.DATA_DIR), 'media'));
}
