import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** An unlinked temporary file: its disk space is freed when it is closed, or when its process ends for any reason. */
export class TemporaryFile {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(folder: string): Promise<TemporaryFile> {
    const path = join(folder, `innkeeper-upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      return new TemporaryFile(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Appends all bytes. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.writeFile(bytes);
  }

  /** Fills `into` with the bytes from `position`. Rejects if the file ends before that. */
  async read(into: Uint8Array, position: number): Promise<void> {
    for (let filled = 0; filled < into.length; ) {
      const { bytesRead } = await this.#handle.read(into, filled, into.length - filled, position + filled);
      if (bytesRead === 0) throw new Error('The temporary file ends too early.');
      filled += bytesRead;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
