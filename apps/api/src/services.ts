import type * as services from '@innkeeper/services';

/** The use cases that routes call: given to them, so that tests of the HTTP side can do without records. */
export type Services = Pick<
  typeof services,
  | 'authenticateToken'
  | 'changeAccountPackage'
  | 'checkUsername'
  | 'createAccount'
  | 'createDomain'
  | 'findCreateFailure'
  | 'getAccount'
  | 'getDomain'
  | 'getPackage'
  | 'installSsl'
  | 'listAppTemplates'
  | 'listAccounts'
  | 'listDomains'
  | 'listPackages'
  | 'removeDomain'
  | 'setAccountPassword'
  | 'setAccountResources'
  | 'suspendAccount'
  | 'terminateAccount'
  | 'unsuspendAccount'
>;
