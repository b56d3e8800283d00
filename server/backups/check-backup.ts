import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hashFile } from '../hash-file.ts';
import { BackupDamaged, type Contents, contentsFile } from './write-backup.ts';

/** Reads a backup’s list of contents and compares every file with it. */
export async function checkBackup(folder: string): Promise<Contents> {
  const text = await readFile(join(folder, contentsFile), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new BackupDamaged(`${folder} has no ${contentsFile}: there is no backup, or it was cut short.`);
  const contents = JSON.parse(text) as Contents;
  if (contents.version !== 1) throw new BackupDamaged(`${folder} was written by a later version of Muster.`);
  for (const { file, sha256 } of contents.tables) {
    const found = await hashOf(join(folder, file));
    if (found === undefined) throw new BackupDamaged(`${file} is missing.`);
    if (found !== sha256) throw new BackupDamaged(`${file} is damaged: it is not what was written.`);
  }
  for (const { path, bytes } of contents.files) {
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (found === undefined) throw new BackupDamaged(`${path} is missing.`);
    if (found.size !== bytes) throw new BackupDamaged(`${path} is damaged: it is not as long as it was.`);
    // Pictures and recordings are named by a hash of their content; their previews are not.
    const isNamed = path.startsWith('media/') && /^[0-9a-f]{64}$/.test(basename(path));
    if (isNamed && (await hashOf(join(folder, path))) !== basename(path))
      throw new BackupDamaged(`${path} is damaged: it is not what its name says.`);
  }
  return contents;
}

const hashOf = (path: string): Promise<string | undefined> => hashFile(path).catch(() => undefined);
