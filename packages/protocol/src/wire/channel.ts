import { Duplex } from 'node:stream';
import type { ChannelFrame } from './node.gen.ts';

/** Larger frames are not faster, and grpc-js counts messages, not bytes, before it reports that its queue is full. */
const MAX_FRAME_BYTES = 64 * 1024;
const EMPTY = new Uint8Array(0);
const emptyFrame: ChannelFrame = { opening: null, data: EMPTY, columns: 0, rows: 0, end: false };

/** Size of a terminal in characters. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** What a channel needs of a gRPC call, of either end. */
export interface FrameCall {
  write(frame: ChannelFrame): boolean;
  pause(): unknown;
  resume(): unknown;
  end(): unknown;
  on(event: 'data', listener: (frame: ChannelFrame) => void): unknown;
  on(event: 'drain' | 'end' | 'cancelled' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The other end, or the connection to it, was gone before it said that it has no more data. */
export class ChannelLost extends Error {
  override name = 'ChannelLost';
}

/**
 * One end of a channel between the control plane and a program on a hosting server: a duplex stream of bytes over one
 * gRPC call, with backpressure in both directions. Either end may end its direction; the call ends after both. If the
 * call fails or is cancelled, the stream is destroyed with `ChannelLost`. Destroying the stream ends the call at once.
 * Emits `resize` with a `TerminalSize`.
 */
export class Channel extends Duplex {
  readonly #call: FrameCall;
  readonly #abort: () => void;
  #drained: (() => void) | undefined;
  #isCallOver = false;
  /** The other end has sent its last frame. */
  #isEnded = false;
  #frames = 0;

  /** `abort` cancels the call. */
  constructor(call: FrameCall, abort: () => void) {
    super({ allowHalfOpen: true });
    this.#call = call;
    this.#abort = abort;
    call.on('data', (frame) => this.#take(frame));
    call.on('drain', () => this.#drain());
    const lost = (why: string) => {
      this.#isCallOver = true;
      if (!this.readableEnded || !this.writableFinished) this.destroy(new ChannelLost(why));
    };
    call.on('cancelled', () => lost('The other end cancelled the channel.'));
    call.on('end', () => {
      if (!this.#isEnded) lost('The other end is gone.');
    });
    call.on('error', (error) => lost(`The channel was lost: ${error.message}`));
    call.pause();
  }

  /** Number of frames with data, in both directions. */
  get frames(): number {
    return this.#frames;
  }

  /** Tells the other end the new size of the terminal. */
  resize({ columns, rows }: TerminalSize): void {
    if (!this.#isCallOver && !this.writableEnded) this.#call.write({ ...emptyFrame, columns, rows });
  }

  #take({ data, columns, rows, end }: ChannelFrame): void {
    if (columns > 0 && rows > 0) this.emit('resize', { columns, rows } satisfies TerminalSize);
    if (data.length > 0 && !this.#isEnded) {
      this.#frames += 1;
      if (!this.push(data)) this.#call.pause();
    }
    if (!end || this.#isEnded) return;
    this.#isEnded = true;
    this.push(null);
  }

  override _read(): void {
    this.#call.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    let isFull = false;
    this.#frames += 1;
    for (let at = 0; at < chunk.length; at += MAX_FRAME_BYTES)
      isFull = !this.#call.write({ ...emptyFrame, data: chunk.subarray(at, at + MAX_FRAME_BYTES) });
    if (isFull) this.#drained = done;
    else done();
  }

  #drain(): void {
    const drained = this.#drained;
    this.#drained = undefined;
    drained?.();
  }

  override _final(done: () => void): void {
    this.#call.write({ ...emptyFrame, end: true });
    // A server's call ends with its status, so it must stay open while the other end still sends.
    const finish = () => {
      if (this.#isCallOver) return;
      this.#isCallOver = true;
      this.#call.end();
    };
    if (this.#isEnded) finish();
    else this.once('end', finish);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#drained = undefined;
    if (!this.#isCallOver) this.#abort();
    this.#isCallOver = true;
    done(error);
  }
}

/** The first frame of an agent. */
export function openingFrame(opening: NonNullable<ChannelFrame['opening']>): ChannelFrame {
  return { ...emptyFrame, opening };
}
