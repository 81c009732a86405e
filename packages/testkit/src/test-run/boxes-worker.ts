import { untilStarted } from './installation-start.ts';

// A setup file of vitest has no timeout. The hooks of the tests have one, and a first start may build images.
const stateDir = process.env.INNKEEPER_TEST_STATE;
if (stateDir !== undefined) await untilStarted(stateDir);
