import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Standard input and output as one stream. Unlike `process.stdout`, writes to a pipe wait for the reader without blocking the
 * program.
 */
export function stdioStream(): Duplex {
  const input = fstatSync(0);
  const output = fstatSync(1);
  if (input.isSocket() && input.ino === output.ino)
    return new Socket({ fd: 0, readable: true, writable: true });
  const readable = new Socket({ fd: 0, readable: true, writable: false });
  const writable = new Socket({ fd: 1, readable: false, writable: true });
  return Duplex.from({ readable, writable });
}
