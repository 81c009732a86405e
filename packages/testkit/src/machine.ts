/** Real servers on this machine for a test or a trial: boxes, MariaDB, NATS, and their state folder. */
export type { Box } from './boxes/box.ts';
export { type Boxes, type BoxStatus, inspectBoxes, openBoxes } from './boxes/box-fleet.ts';
export type { BoxNetwork } from './boxes/box-network.ts';
export { type BoxSystem, ensureRootfs } from './boxes/box-rootfs.ts';
export { type CronClock, startCronClock } from './boxes/cron-clock.ts';
export type { Guest } from './boxes/guest.ts';
export type { GuestExecOptions } from './boxes/guest-exec.ts';
export { makeIpv6Only } from './boxes/ipv6-only.ts';
export type { HostingServer, VirtualServer } from './installation/hosting-server.ts';
export { type Innctl, readInnctl, requireInnctl } from './installation/innctl.ts';
export {
  type Installation,
  type InstallationOptions,
  openInstallation,
  removeInstallation,
  startInstallation,
  stopInstallation,
} from './installation/installation.ts';
export { RELEASE_IN_BOX, startInstalledBox } from './installation/installed-box.ts';
export { findPorts, type InstallationPorts } from './installation/ports.ts';
export { DIST_LOCK, hashTree } from './installation/programs.ts';
export { createSteps, type RunStep, type ShowStep, StepError, type StepLog } from './installation/steps.ts';
export { searchControlPlane, searchGuest } from './leaks/find-leaks.ts';
export { exposeSecret, notedSecrets, noteSecret, noteSecretsIn } from './leaks/noted-secrets.ts';
export { type DaemonOptions, findDaemon, startDaemon, stopDaemon } from './processes/daemon.ts';
export { embedModules } from './processes/embed-modules.ts';
export { takeFileLock, withFileLock } from './processes/file-lock.ts';
export { findPortOwner, freePort } from './processes/port.ts';
export {
  endRunningPrograms,
  type ProgramOptions,
  type ProgramResult,
  requireProgram,
  runProgram,
} from './processes/program.ts';
export {
  findStateDir,
  mountStateDir,
  type StateDir,
  stateDirOf,
  unmountStateDir,
} from './processes/state-dir.ts';
export { unprivileged } from './processes/unprivileged.ts';
export { waitUntil } from './processes/wait-until.ts';
export type { DatabaseServer, DatabaseServerOptions } from './servers/database-server.ts';
export { startMariadb, stopMariadb } from './servers/mariadb.ts';
export { startMysql, stopMysql } from './servers/mysql.ts';
export { type NatsServer, type NatsServerOptions, startNats, stopNats } from './servers/nats-server.ts';
export { type NpmRegistry, startNpmRegistry } from './servers/npm-registry.ts';
export { type LastingRegistry, startLastingRegistry } from './servers/npm-registry-daemon.ts';
export { type Names, type Pebble, startPebble } from './servers/pebble.ts';
export { projectStateDir, type StartingProject, TEST_RUN_DIR } from './test-run/folders.ts';
export { takeProjectState } from './test-run/own-state.ts';
export { noteProof, type ProofRow, proofTable, readProofs } from './test-run/proofs.ts';
export { takeVirtualServer, testInstallation } from './test-run/test-installation.ts';
export type { VirtualMachine } from './virtual-machine/virtual-machine.ts';
export type { VirtualMachineSystem } from './virtual-machine/virtual-machine-image.ts';
export { openVirtualMachines, type VirtualMachines } from './virtual-machine/virtual-machines.ts';
