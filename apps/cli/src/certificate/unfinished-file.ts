import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { UsageError } from '../program/cli-error.js';

/** A file that is there under its name only once it is whole, and durable then. */
export class UnfinishedFile {
  private constructor(
    private readonly path: string,
    private readonly unfinished: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws UsageError where nothing can be written there */
  static async create(path: string): Promise<UnfinishedFile> {
    const unfinished = `${path}.${process.pid}.unfinished`;
    try {
      return new UnfinishedFile(path, unfinished, await open(unfinished, 'w'));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
      throw new UsageError(`cannot write ${path}: ${code}`);
    }
  }

  async write(piece: Uint8Array): Promise<void> {
    await this.handle.writeFile(piece);
  }

  async keep(): Promise<void> {
    await this.handle.sync();
    await rename(this.unfinished, this.path);
  }

  /** Nothing is left of what was not kept. */
  async discard(): Promise<void> {
    await this.handle.close();
    await rm(this.unfinished, { force: true });
  }
}
