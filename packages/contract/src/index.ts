export { findAccountReference } from './account-reference.ts';
export type { AccountInclude } from './accounts/requests.ts';
export { nestBracketedKeys } from './bracketed-keys.ts';
export { API_PREFIX, type Endpoint } from './endpoint.ts';
export { type EndpointName, endpoints } from './endpoints.ts';
export { type ErrorStatus, errorBodies } from './error-bodies.ts';
export { formatTimestamp, type ViewOf } from './timestamp.ts';
export { fieldErrors, validationBody } from './validation-body.ts';
