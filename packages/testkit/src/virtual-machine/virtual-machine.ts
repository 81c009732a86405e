import type { Box } from '../boxes/box.ts';

/**
 * A hosting server with its own kernel: cgroup v2 with every controller, kernel settings of its own, and an ext4 at
 * /home that enforces user quotas. It has the packages of a box and accepts the commands that a box accepts. Like a
 * box, it reaches this machine's address on the bridge and the boxes, and nothing else.
 *
 * Its processor is emulated: it is about ten times slower than a box, and boots in about 30 s. Its disks survive
 * everything that is done to it.
 */
export interface VirtualMachine extends Box {
  /** Restarts the machine from inside, as an operator does, and returns once it has booted. */
  reboot(): Promise<void>;
  /** Kills the machine. Its disks lose what the guest has not flushed, as in a power cut. */
  cutPower(): Promise<void>;
  /** Boots the machine from its disks, unless it runs, and returns once it has booted. */
  start(): Promise<void>;
  /** Shuts the machine down like a server; kills it after 60 s. */
  stop(): Promise<void>;
}
