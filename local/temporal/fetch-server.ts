import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { download, hasChecksum, maxArchiveBytes } from './download.ts';
import { putInPlace, reasonOf, type WayToGetOne } from './way-to-get-one.ts';
import { fetchedVersion } from './version.ts';

/** SHA-256 of the official archives of this version, from several independent sources that keep its `checksums.txt`. */
const checksums: Record<string, string> = {
  linux_amd64: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  linux_arm64: '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145',
  darwin_amd64: '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f',
  darwin_arm64: '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56',
};

const releases = 'https://github.com/temporalio/cli/releases/download';

/** Fetches the official archive with one try; an archive with another checksum is not used. */
export const fetchServer: WayToGetOne = async ({ cache, say }) => {
  const target = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`;
  const checksum = checksums[target];
  if (!checksum) return { why: `there is no official archive for ${target}` };
  try {
    const url = `${releases}/v${fetchedVersion}/temporal_cli_${fetchedVersion}_${target}.tar.gz`;
    const begun = (size: string) => say(`Fetching the Temporal server from its maker, once${size} …`);
    const archive = await download(url, { maxBytes: maxArchiveBytes, begun });
    if (!hasChecksum(archive, checksum)) return { why: 'the official archive did not have its checksum' };
    return { binary: await putInPlace(join(cache, fetchedVersion), (_, aside) => unpack(archive, aside)) };
  } catch (error) {
    return { why: `the official archive could not be fetched (${reasonOf(error)})` };
  }
};

function unpack(archive: Buffer, aside: string): void {
  const file = join(aside, 'archive.tar.gz');
  writeFileSync(file, archive);
  const tar = spawnSync('tar', ['-xzf', file, '-C', aside, 'temporal'], { encoding: 'utf8' });
  if (tar.status !== 0) throw new Error(tar.error?.message ?? tar.stderr.trim());
}
