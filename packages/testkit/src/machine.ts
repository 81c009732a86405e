/** What really runs on this machine for a test or a trial: boxes, MariaDB, NATS, and their state folder. */
export type { Box } from './box.ts';
export { type Boxes, type BoxStatus, inspectBoxes, openBoxes } from './box-fleet.ts';
export type { BoxNetwork } from './box-network.ts';
export { ensureRootfs } from './box-rootfs.ts';
export { type DaemonOptions, findDaemon, startDaemon, stopDaemon } from './daemon.ts';
export type { DatabaseServer, DatabaseServerOptions } from './database-server.ts';
export { takeFileLock, withFileLock } from './file-lock.ts';
export type { Guest } from './guest.ts';
export type { GuestExecOptions } from './guest-exec.ts';
export type { HostingServer } from './installation/hosting-server.ts';
export { type Innctl, readInnctl, requireInnctl } from './installation/innctl.ts';
export {
  type Installation,
  type InstallationOptions,
  openInstallation,
  removeInstallation,
  startInstallation,
  stopInstallation,
} from './installation/installation.ts';
export { findPorts, type InstallationPorts } from './installation/ports.ts';
export { DIST_LOCK, hashTree } from './installation/programs.ts';
export { createSteps, type RunStep, type ShowStep, StepError, type StepLog } from './installation/steps.ts';
export { searchControlPlane, searchGuest } from './leaks/find-leaks.ts';
export { exposeSecret, notedSecrets, noteSecret, noteSecretsIn } from './leaks/noted-secrets.ts';
export { startMariadb, stopMariadb } from './mariadb.ts';
export { startMysql, stopMysql } from './mysql.ts';
export { type NatsServer, type NatsServerOptions, startNats, stopNats } from './nats-server.ts';
export { type NpmRegistry, startNpmRegistry } from './npm-registry.ts';
export { type Names, type Pebble, startPebble } from './pebble.ts';
export { findPortOwner, freePort } from './port.ts';
export {
  endRunningPrograms,
  type ProgramOptions,
  type ProgramResult,
  requireProgram,
  runProgram,
} from './program.ts';
export { findStateDir, mountStateDir, type StateDir, stateDirOf, unmountStateDir } from './state-dir.ts';
export { projectStateDir, type StartingProject, TEST_RUN_DIR } from './test-run/folders.ts';
export { takeProjectState } from './test-run/own-state.ts';
export { testInstallation } from './test-run/test-installation.ts';
export { unprivileged } from './unprivileged.ts';
export { startVirtualMachine, type VirtualMachine } from './virtual-machine.ts';
export { waitUntil } from './wait-until.ts';
