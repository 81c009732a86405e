import { type ControlPlaneRig, CUSTOMER_PASSWORD, STAFF_PASSWORD } from './control-plane-rig.ts';
import { PageVisitor } from './page-visitor.ts';

export interface Customer {
  accountId: number;
  username: string;
  /** A browser in which the customer is signed in. */
  visitor: PageVisitor;
}

/** Signs a user in, by default an operator such as `root-admin` or `acme`. */
export async function signedIn(
  rig: ControlPlaneRig,
  username: string,
  password = STAFF_PASSWORD,
): Promise<PageVisitor> {
  const visitor = new PageVisitor(rig.origin);
  await visitor.signIn(username, password);
  return visitor;
}

/** Creates an account and signs its end user in. `more`: fields of the account's create. */
export async function newCustomer(rig: ControlPlaneRig, more: object = {}): Promise<Customer> {
  const { id, username } = await rig.createAccount(more);
  const visitor = new PageVisitor(rig.origin);
  const { path } = await visitor.signIn(username, CUSTOMER_PASSWORD);
  if (path !== '/') throw new Error(`The sign-in led to ${path}.`);
  return { accountId: id, username, visitor };
}

/** Opens a login link like the customer's browser and returns the visitor at the link's target. */
export async function followLink(
  rig: ControlPlaneRig,
  accountId: number,
  body: object,
): Promise<PageVisitor> {
  const { data } = (await rig.ask('createLoginLink', { id: accountId, body })).body;
  const { pathname, search } = new URL(data.login_url);
  const visitor = new PageVisitor(rig.origin);
  await visitor.open(pathname + search);
  return visitor;
}
