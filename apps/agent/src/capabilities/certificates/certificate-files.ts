import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Changes } from '../../node/changes.ts';
import { OWNERSHIP_HEADER, replaceFile, syncFolder } from '../../node/durable-files.ts';
import { conflict } from '../../node/host-error.ts';
import { ifThere } from '../../node/if-there.ts';
import type { Material } from './certificate-store.ts';

const HEADER = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;
const CHAIN_MODE = 0o644;
/** nginx's workers read keys through their group. */
const KEY_MODE = 0o640;

/**
 * The files that nginx reads: <key>.pem and <key>.key. After a pair was compared once, its two inodes show whether it
 * is still right.
 */
export class CertificateFiles {
  readonly #folder: string;
  readonly #webGid: number;
  readonly #changes: Changes;
  /** By key: the inodes of files that were already compared. */
  readonly #compared = new Map<string, string>();

  constructor(folder: string, webGid: number, changes: Changes) {
    this.#folder = folder;
    this.#webGid = webGid;
    this.#changes = changes;
  }

  async areRight(key: string, material: () => Promise<Material | undefined>): Promise<boolean> {
    const before = await this.#identity(key);
    if (before === undefined) return false;
    if (this.#compared.get(key) === before) return true;
    const wanted = await material();
    if (wanted === undefined) return false;
    const [chain, privateKey] = await Promise.all([
      readFile(this.#path(key, 'pem'), 'utf8'),
      readFile(this.#path(key, 'key'), 'utf8'),
    ]).catch(() => ['', '']);
    const isRight = chain === HEADER + wanted.chain && privateKey === HEADER + wanted.privateKey;
    if (isRight) this.#compared.set(key, before);
    return isRight;
  }

  /** `isNew`: the agent cannot have created files yet, so existing files are foreign. */
  async place(key: string, { chain, privateKey }: Material, isNew: boolean): Promise<void> {
    const files = [
      ['key', privateKey, { mode: KEY_MODE, gid: this.#webGid }],
      ['pem', chain, { mode: CHAIN_MODE, gid: 0 }],
    ] as const;
    if (isNew) for (const [kind] of files) await this.#refuseForeign(this.#path(key, kind));
    for (const [kind, text, access] of files) {
      await replaceFile(this.#path(key, kind), HEADER + text, access);
      this.#changes.record();
    }
    this.#compared.delete(key);
  }

  async remove(key: string): Promise<void> {
    this.#compared.delete(key);
    for (const kind of ['pem', 'key'] as const) {
      await rm(this.#path(key, kind), { force: true });
      await rm(`${this.#path(key, kind)}.innkeeper-new`, { force: true });
    }
    await syncFolder(this.#folder);
    this.#changes.record();
  }

  /** Files that the agent created for an account, whatever the records contain. */
  async of(uid: number): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.startsWith(`${uid}-`));
    const paths = names.map((name) => path.join(this.#folder, name));
    const ours = await Promise.all(paths.map((file) => isOurs(file)));
    return paths.filter((_, at) => ours[at]);
  }

  async #refuseForeign(file: string): Promise<void> {
    const exists = await lstat(file).then(
      () => true,
      () => false,
    );
    if (exists && !(await isOurs(file))) throw conflict(`${file} exists and is not Innkeeper’s.`);
  }

  /** Undefined unless both are files with the right owner and mode. */
  async #identity(key: string): Promise<string | undefined> {
    const found = await Promise.all([
      identityOf(this.#path(key, 'pem'), CHAIN_MODE, 0),
      identityOf(this.#path(key, 'key'), KEY_MODE, this.#webGid),
    ]);
    return found.includes(undefined) ? undefined : found.join();
  }

  #path(key: string, kind: 'pem' | 'key'): string {
    return path.join(this.#folder, `${key}.${kind}`);
  }
}

async function isOurs(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile() && (await readFile(file, 'latin1')).startsWith(HEADER);
  } catch {
    return false;
  }
}

async function identityOf(file: string, mode: number, gid: number): Promise<string | undefined> {
  const stats = await ifThere(lstat(file, { bigint: true }));
  const isRight =
    stats?.isFile() === true &&
    stats.uid === 0n &&
    stats.gid === BigInt(gid) &&
    (stats.mode & 0o7777n) === BigInt(mode);
  return isRight ? `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : undefined;
}
