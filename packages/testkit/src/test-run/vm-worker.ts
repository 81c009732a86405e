import { untilStarted } from './installation-start.ts';

// Everything in a worker of this project that asks for the installation of the run gets that of the virtual machine.
process.env.INNKEEPER_TEST_STATE = process.env.INNKEEPER_TEST_VM_STATE;
await untilStarted(process.env.INNKEEPER_TEST_VM_STATE!);
